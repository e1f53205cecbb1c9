"""From pictures to places: axes, ticks, legends, and the lines, symbols and texts of every kind of picture."""

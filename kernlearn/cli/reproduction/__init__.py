"""How ``kernlearn reproduce --readings`` searches the decisions that a paper leaves open."""

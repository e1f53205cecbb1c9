"""Shivaswamy (2010), Large Relative Margin and Applications."""

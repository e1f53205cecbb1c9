"""The colours of drawings."""

#: They differ in lightness, too, and for colour-blind readers (Okabe and Ito).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00")
GREY = "0.45"

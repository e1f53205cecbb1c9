"""The columns of the two methods, each with weights of bounded l1 and l2 norm."""

CONV, DC = ("conv_l1", "conv_l2"), ("dc_l1", "dc_l2")

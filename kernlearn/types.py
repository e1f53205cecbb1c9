"""The types of arrays that signatures name; shapes are in docstrings."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: Row numbers, counts and classes.
Index = NDArray[np.intp]

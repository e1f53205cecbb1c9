"""The decorator of everything here that numba compiles."""

from numba import njit

# Sums may be reordered, without which dot products do not vectorise; infinities and NaN keep their meaning.
compiled = njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz", "arcp"})

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Where an array is largest, in whole vectors: a loop that numba compiles looks at one entry after another.

With such a loop, whole solves by pairs and active sets take 1.1 to 1.5 times as long for 500 and 1,000 examples, and
1.16 times for 2,000. For 4,000 examples, where reading the matrix dominates, they take hardly longer. The bits are the
same (medians of five runs of ``python scripts/bench/largest.py``).
"""

from typing import Any

from kernlearn.compiled import Deferred, compiled

#: Entries that are looked at together.
LANES = 16


def _make_largest_lanes() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.core.errors import TypingError
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    small, values, places = ir.IntType(32), ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(ir.IntType(64), LANES)
    copies = ir.Constant(ir.VectorType(small, LANES), [0] * LANES)

    @intrinsic
    def _largest_lanes(_, a, n):
        """Return the first place of the largest ``a_j``, j < n, a multiple of LANES."""
        if not (isinstance(a, types.Array) and a.dtype == types.float64 and a.layout == "C"):
            raise TypingError("largest takes a contiguous array of float64")

        def generate(context, builder, signature, arguments):
            size, start = arguments[1].type, make_array(signature.args[0])(context, builder, arguments[0]).data
            most = cgutils.alloca_once_value(builder, ir.Constant(values, [float("-inf")] * LANES))
            block = cgutils.alloca_once_value(builder, ir.Constant(places, [0] * LANES))
            with cgutils.for_range_slice(builder, size(0), arguments[1], size(LANES)) as (j, _):
                x = builder.load(builder.bitcast(builder.gep(start, [j]), values.as_pointer()), align=8)
                one = builder.insert_element(ir.Constant(places, ir.Undefined), j, small(0))
                more = builder.fcmp_ordered(">", x, builder.load(most))
                builder.store(builder.select(more, x, builder.load(most)), most)
                builder.store(
                    builder.select(more, builder.shuffle_vector(one, one, copies), builder.load(block)), block
                )
            best, place = (builder.extract_element(builder.load(vector), small(0)) for vector in (most, block))
            for k in range(1, LANES):
                x, at = (builder.extract_element(builder.load(vector), small(k)) for vector in (most, block))
                at = builder.add(at, size(k))
                earlier = builder.and_(builder.fcmp_ordered("==", x, best), builder.icmp_signed("<", at, place))
                better = builder.or_(builder.fcmp_ordered(">", x, best), earlier)
                best, place = builder.select(better, x, best), builder.select(better, at, place)
            return place

        return types.intp(a, types.intp), generate

    return _largest_lanes


_largest_lanes = Deferred(_make_largest_lanes)


@compiled
def largest(a):
    """Return the first place of the largest entry of a contiguous float64 array that is not empty; NaN is none."""
    multiple = len(a) - len(a) % LANES
    place = _largest_lanes(a, multiple)
    for j in range(multiple, len(a)):
        if a[j] > a[place]:
            place = j
    return place

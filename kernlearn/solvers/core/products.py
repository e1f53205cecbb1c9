# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The products and copies that compiled code uses."""

from typing import Any

from kernlearn.compiled import Deferred, compiled

#: Sums that a dot product is taken in.
LANES = 16


def _make_dot_lanes() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.core.errors import TypingError
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    vector = ir.VectorType(ir.DoubleType(), LANES)

    @intrinsic
    def _dot_lanes(_, a, b, n):
        """Sum ``a_j b_j`` over j < n, a multiple of LANES, in as many sums, which are added by halves."""
        if not all(isinstance(v, types.Array) and v.dtype == types.float64 and v.layout == "C" for v in (a, b)):
            raise TypingError("dot takes contiguous arrays of float64")

        def generate(context, builder, signature, arguments):
            size = arguments[2].type
            starts = [make_array(signature.args[k])(context, builder, arguments[k]).data for k in (0, 1)]
            sums = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))
            with cgutils.for_range_slice(builder, size(0), arguments[2], size(LANES)) as (j, _):
                x, y = (
                    builder.load(builder.bitcast(builder.gep(start, [j]), vector.as_pointer()), align=8)
                    for start in starts
                )
                builder.store(builder.fadd(builder.load(sums), builder.fmul(x, y)), sums)
            lanes = [builder.extract_element(builder.load(sums), ir.IntType(32)(k)) for k in range(LANES)]
            while len(lanes) > 1:
                half = len(lanes) // 2
                lanes = [builder.fadd(lanes[k], lanes[k + half]) for k in range(half)]
            return lanes[0]

        return types.float64(a, b, types.intp), generate

    return _dot_lanes


_dot_lanes = Deferred(_make_dot_lanes)


@compiled
def dot(a, b):
    """Return ``sum_j a_j b_j`` for contiguous float64 arrays of the same length."""
    multiple = len(a) - len(a) % LANES
    total = _dot_lanes(a, b, multiple)
    for j in range(multiple, len(a)):
        total += a[j] * b[j]
    return total


@compiled
def put(values, out):
    """Copy an array into the first entries of another, which has as many or more: nothing checks that.

    `values` may be later entries of `out` itself, as the loop goes forward.

    ``out[:n] = values`` does so too, but numba compiles for it how a message about sizes is made of numbers and texts:
    six seconds of the first call in a process.
    """
    for i in range(len(values)):
        out[i] = values[i]


@compiled
def add_rows(A, rows, scale, factors, out):
    """Add ``scale * sum_s factors_s A[rows_s]`` to `out`, in sweeps of four rows: `out` is read and written less."""
    multiple = len(rows) - len(rows) % 4
    for s in range(0, multiple, 4):
        a0, a1, a2, a3 = A[rows[s]], A[rows[s + 1]], A[rows[s + 2]], A[rows[s + 3]]
        f0, f1 = scale * factors[s], scale * factors[s + 1]
        f2, f3 = scale * factors[s + 2], scale * factors[s + 3]
        for j in range(len(out)):
            out[j] += f0 * a0[j] + f1 * a1[j] + f2 * a2[j] + f3 * a3[j]
    for s in range(multiple, len(rows)):
        a0, f0 = A[rows[s]], scale * factors[s]
        for j in range(len(out)):
            out[j] += f0 * a0[j]

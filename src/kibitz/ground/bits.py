"""Sets of small numbers as bit masks in one integer: the two instructions that Python does not name.

>>> lowest(0b1011000), count(0b1011000)
(3, 3)
"""

from typing import Any

from kibitz.ground.jit import COMPILED, jit


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _count(mask: int) -> int:
    return mask.bit_count()


_trailing_zeros: Any = _lowest
_population: Any = _count
if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def _trailing_zeros(context: Any, mask: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def _population(context: Any, mask: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), code


@jit(twin=_lowest)
def lowest(mask: int) -> int:
    """The smallest number in the set (which must not be empty)."""
    return _trailing_zeros(mask)  # type: ignore[no-any-return]


@jit(twin=_count)
def count(mask: int) -> int:
    """How many numbers are in the set."""
    return _population(mask)  # type: ignore[no-any-return]

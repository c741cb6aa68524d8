"""Numbers that compiled code reads where they lie: it is handed their address as an integer.

A constant (`kibitz.ground.jit.table`) becomes part of the machine code. Numbers that are learned, or chosen when a game begins,
must not: other weights would mean compiling again. They are kept here for the rest of the process and read by address. On a
GPU the address is one of its own memory.

>>> import numpy as np
>>> address = keep(np.array([3, -4, 5], np.int16))
>>> word(address, 1)
-4

Bytes (`byte`) and, for whoever learns, floating-point numbers of 32 bits (`real`) are read in the same way.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.ground.jit import COMPILED, jit

#: What is kept, by address.
_KEPT: dict[int, npt.NDArray[Any]] = {}
#: What can be kept.
KINDS = (np.int16, np.uint8, np.float32)


def keep(numbers: npt.NDArray[Any]) -> int:
    """Keep an array until the process ends; its address. What is written to it later is seen, too."""
    if numbers.dtype not in KINDS or not numbers.flags.c_contiguous:
        raise TypeError("only arrays without gaps are kept, of 16-bit integers, of bytes or of 32-bit floating-point numbers")
    address = int(numbers.ctypes.data)
    _KEPT[address] = numbers
    return address


def kept(address: int) -> npt.NDArray[Any]:
    """The array at an address that `keep` gave out."""
    return _KEPT[address]


def words(address: int, n: int) -> npt.NDArray[np.int64]:
    """`n` of the numbers that are kept, from an address on; for plain Python, where one at a time takes long."""
    numbers, first = _found(address)
    return numbers[first : first + n].astype(np.int64)


def _found(address: int) -> tuple[npt.NDArray[Any], int]:
    """The array that holds an address, and the place in it."""
    start = max(kept for kept in _KEPT if kept <= address)
    numbers = _KEPT[start]
    return numbers, (address - start) // numbers.itemsize


def _word(address: int, i: int) -> int:
    return int(words(address + 2 * i, 1)[0])


def _byte(address: int, i: int) -> int:
    numbers, first = _found(address)
    return int(numbers[first + i])


def _real(address: int, i: int) -> float:
    numbers, first = _found(address)
    return float(numbers[first + i])


_load: Any = _word
_load_byte: Any = _byte
_load_real: Any = _real
if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def _load(context: Any, address: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start = builder.inttoptr(arguments[0], ir.IntType(16).as_pointer())
            number = builder.load(builder.gep(start, [arguments[1]]), align=2)
            # Nobody writes to it while compiled code runs, so that loops over it can be made vector instructions.
            number.set_metadata("invariant.load", builder.module.add_metadata([]))
            return builder.sext(number, ir.IntType(64))

        return types.int64(types.int64, types.int64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def _load_byte(context: Any, address: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
            return builder.zext(builder.load(builder.gep(start, [arguments[1]]), align=1), ir.IntType(64))

        return types.int64(types.int64, types.int64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def _load_real(context: Any, address: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start = builder.inttoptr(arguments[0], ir.FloatType().as_pointer())
            return builder.fpext(builder.load(builder.gep(start, [arguments[1]]), align=4), ir.DoubleType())

        return types.float64(types.int64, types.int64), code


@jit(twin=_word)
def word(address: int, i: int) -> int:
    """The number at place `i` of what is kept at `address`."""
    return _load(address, i)  # type: ignore[no-any-return]


@jit(twin=_byte)
def byte(address: int, i: int) -> int:
    """The byte at place `i` of what is kept at `address`, from 0 to 255."""
    return _load_byte(address, i)  # type: ignore[no-any-return]


@jit(twin=_real)
def real(address: int, i: int) -> float:
    """The floating-point number at place `i` of what is kept at `address`."""
    return _load_real(address, i)  # type: ignore[no-any-return]

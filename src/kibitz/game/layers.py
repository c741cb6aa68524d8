"""The layers of a small network in vector instructions.

The compiler does not find them by itself where an address comes from an integer. Weights lie in pairs of rows: that of row `i`
and column `j` at ``(i // 2 * width + j) * 2 + i % 2``. So one instruction multiplies two numbers by the weights of a column and
adds both products (``pmaddwd``, in most processors of the last ten years); elsewhere the compiler is given plain vector
arithmetic. Both give the same integers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.ground.memory import words

#: Lanes of a vector where there are no wide ones (on a GPU).
NARROW_LANES = 8
#: The same on a processor without the instruction.
PLAIN_LANES = 64
#: The instruction, by how many pairs it multiplies and adds.
PMADDWD = {8: "llvm.x86.avx2.pmadd.wd", 16: "llvm.x86.avx512.pmaddw.d.512"}


def paired(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Weights ``[rows, width]`` in the order in which they lie in memory.

    >>> paired(np.array([[1, 2, 3], [4, 5, 6]])).tolist()
    [1, 4, 2, 5, 3, 6]
    """
    n, width = rows.shape
    return rows.reshape(n // 2, 2, width).transpose(0, 2, 1).reshape(-1)


def unpaired(numbers: npt.NDArray[Any], width: int) -> npt.NDArray[Any]:
    """What `paired` was given.

    >>> unpaired(np.array([1, 4, 2, 5, 3, 6]), 3).tolist()
    [[1, 2, 3], [4, 5, 6]]
    """
    return numbers.reshape(-1, width, 2).transpose(0, 2, 1).reshape(-1, width)


# --- in plain Python ----------------------------------------------------------------------------------------


def summed(x: Any, source: str, first: int, n: int, weights: int, width: int) -> npt.NDArray[np.int64]:
    """[width] the products of `n` numbers of a field with the rows of weights at an address, added up."""
    numbers = np.asarray(getattr(x, source))[first : first + n].astype(np.int64)
    found: npt.NDArray[np.int64] = numbers @ unpaired(words(weights, n * width), width)
    return found


def biases(weights: int, n: int, width: int, shift: int) -> npt.NDArray[np.int64]:
    """[width] the biases that lie behind `n` rows of weights."""
    return words(weights + 2 * n * width, width) << shift


# --- in vector instructions ---------------------------------------------------------------------------------


class _Vectors:
    """Writes vector code about the fields of a scratch struct."""

    def __init__(self, context: Any, builder: Any, scratch: Any, width: int) -> None:
        from llvmlite import ir
        from numba.core.cpu import CPUContext

        self.ir, self.builder = ir, builder
        self.short, self.integer, self.long = ir.IntType(16), ir.IntType(32), ir.IntType(64)
        self.start = builder.bitcast(scratch, ir.IntType(8).as_pointer())
        on_cpu = isinstance(context, CPUContext)
        self.on_gpu = not on_cpu
        self.pairs_at_once = _pairs_at_once() if on_cpu else 0
        # There are twice as many registers as pairs. The sums of one seat take four, those of several seats up to half of all.
        self.lanes = min(width, 4 * self.pairs_at_once or PLAIN_LANES) if on_cpu else NARROW_LANES
        self.seats_at_once = [many for many in (4, 2, 1) if many == 1 or 4 * many <= self.pairs_at_once]
        self.parts = range(0, width, self.lanes)

    @contextmanager
    def turns(self, number: Any) -> Iterator[Any]:
        """A loop of so many turns; its index.

        On a GPU it is one whose end the compiler cannot foresee, so that it is not unrolled. Unrolled, a network is 4 MB of
        code, which takes minutes to compile and does not fit into the instruction cache.
        """
        from numba.core import cgutils

        if not self.on_gpu:
            with cgutils.for_range(self.builder, number, intp=self.long) as loop:
                yield loop.index
            return
        builder, kind = self.builder, self.ir.FunctionType(self.long, [self.long])
        index = cgutils.alloca_once_value(builder, self.long(0))
        test, body, after = (builder.append_basic_block(name) for name in ("turns.test", "turns.body", "turns.end"))
        builder.branch(test)
        builder.position_at_end(test)
        end = builder.asm(kind, "mov.u64 $0, $1;", "=l,l", [number], side_effect=True)
        now = builder.load(index)
        builder.cbranch(builder.icmp_signed("<", now, end), body, after)
        builder.position_at_end(body)
        yield now
        builder.store(builder.add(now, self.long(1)), index)
        builder.branch(test)
        builder.position_at_end(after)

    def vector(self, element: Any, lanes: int = 0) -> Any:
        """The type of a vector."""
        return self.ir.VectorType(element, lanes or self.lanes)

    def place(self, offset: int, at: Any, kind: Any) -> Any:
        """A pointer to something of a kind in the struct, `at` bytes behind the offset of a field."""
        address = self.builder.gep(self.start, [self.builder.add(self.long(offset), at)])
        return self.builder.bitcast(address, kind.as_pointer())

    def bytes_of(self, at: Any, size: int) -> Any:
        """Where the element number `at` begins."""
        return self.builder.mul(at, self.long(size))

    def all_lanes(self, number: Any) -> Any:
        """A vector that is this number everywhere."""
        kind = self.vector(number.type)
        one = self.builder.insert_element(kind(self.ir.Undefined), number, self.integer(0))
        return self.builder.shuffle_vector(one, kind(self.ir.Undefined), self.vector(self.integer)(None))

    def clipped(self, numbers: Any, most: int) -> Any:
        """No lane below 0 or above `most`."""
        zero, limit = numbers.type(None), self.ir.Constant(numbers.type, [most] * self.lanes)
        return self.least(self.most(numbers, zero), limit)

    def most(self, one: Any, other: Any) -> Any:
        """Lane by lane the larger one."""
        return self.builder.select(self.builder.icmp_signed(">", one, other), one, other)

    def least(self, one: Any, other: Any) -> Any:
        """Lane by lane the smaller one."""
        return self.builder.select(self.builder.icmp_signed("<", one, other), one, other)

    def products(self, weights: Any, pair: Any) -> Any:
        """Two rows of weights times a pair of numbers (16 bits each of an integer), added lane by lane."""
        from numba.core import cgutils

        builder, ir = self.builder, self.ir
        both = self.vector(self.short, 2 * self.lanes)
        times = builder.bitcast(self.all_lanes(pair), both)
        nothing = both(ir.Undefined)

        def pick(of: Any, places: list[int]) -> Any:
            return builder.shuffle_vector(of, nothing, ir.Constant(self.vector(self.integer, len(places)), places))

        if not self.pairs_at_once:
            halves = []
            for half in range(2):
                places = list(range(half, 2 * self.lanes, 2))
                wide = self.vector(self.integer)
                halves.append(builder.mul(builder.sext(pick(weights, places), wide), builder.sext(pick(times, places), wide)))
            return builder.add(*halves)
        sums, shorts = self.pairs_at_once, 2 * self.pairs_at_once
        kind = ir.FunctionType(self.vector(self.integer, sums), [self.vector(self.short, shorts)] * 2)
        instruction = cgutils.get_or_insert_function(builder.module, kind, PMADDWD[sums])
        pieces = []
        for first in range(0, 2 * self.lanes, shorts):
            places = list(range(first, first + shorts))
            pieces.append(builder.call(instruction, [pick(weights, places), pick(times, places)]))
        while len(pieces) > 1:  # neighbours are joined until one vector is left
            joined = self.vector(self.integer, 2 * pieces[0].type.count)
            order = ir.Constant(joined, list(range(joined.count)))
            pieces = [builder.shuffle_vector(a, b, order) for a, b in zip(pieces[::2], pieces[1::2], strict=True)]
        return pieces[0]


def _pairs_at_once() -> int:
    """How many pairs the widest instruction takes that this machine has, for which Numba compiles; 0: there is none."""
    import llvmlite.binding as llvm
    from numba.core import config

    has = {} if config.CPU_NAME or config.CPU_FEATURES else llvm.get_host_cpu_features()
    return 16 if has.get("avx512bw") else 8 if has.get("avx2") else 0


def _width(x: Any, width: int | str) -> int:
    """The width of a layer: a number, or that of a field of this struct."""
    return width if isinstance(width, int) else int(x.typeof(width).shape[0])


def layer_code(
    source: str, width: int | str, target: str, *, spread: int = 1, start: str = "", bias: int = 0, shift: int = 0,
    most: int = 0,
) -> Any:  # fmt: skip
    """A function for compiled code, ``(x, seats, n, weights)``: a layer from `source` to `target`, fields of ``x``.

    For each of several seats, whose `n` numbers (an even number) stand one after the other in `source`, it adds `n` rows of
    weights, each as often as a number says, to the sums in the field `start`, or to the biases behind the rows (shifted by
    `bias`). Where there is a `most`, sums are shifted right, clipped and stored as 16 bits, else as they are; each seat has
    room for `spread` times as many. `width` is a power of two, 16 or more, or the name of a field that is so wide.

    Weights are read once for several seats: loading them takes longer than multiplying.
    """
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def layer(typing: Any, x: Any, seats: Any, n: Any, weights: Any) -> Any:
        source_at, target_at, start_at = x.offset(source), x.offset(target), x.offset(start) if start else 0
        wide = _width(x, width)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            scratch, seats, n, weights = arguments
            v = _Vectors(context, builder, scratch, wide)
            sums, row = v.vector(v.integer), v.vector(v.short, 2 * v.lanes)
            base = builder.inttoptr(weights, v.ir.IntType(8).as_pointer())
            pairs, size = builder.lshr(n, v.long(1)), 2 if most else 4

            def begun(part: int) -> Any:
                """What the sums begin with, the same for all seats."""
                if start:
                    return builder.load(v.place(start_at, v.long(4 * part), sums), align=4)
                at = builder.add(v.bytes_of(n, 2 * wide), v.long(2 * part))
                where = builder.bitcast(builder.gep(base, [at]), v.vector(v.short).as_pointer())
                shifted = v.ir.Constant(sums, [bias] * v.lanes)
                return builder.shl(builder.sext(builder.load(where, align=2), sums), shifted)

            def serve(part: int, first: Any, many: int) -> None:
                """Work out some lanes of as many seats, from the `first` on."""
                beginning = begun(part)
                seats_here = [builder.add(first, v.long(k)) for k in range(many)]
                totals = [cgutils.alloca_once_value(builder, beginning) for _ in seats_here]
                with v.turns(pairs) as turn:
                    at = builder.add(v.bytes_of(turn, 4 * wide), v.long(4 * part))
                    weights_here = builder.load(builder.bitcast(builder.gep(base, [at]), row.as_pointer()), align=2)
                    for seat, total in zip(seats_here, totals, strict=True):
                        here = builder.add(v.bytes_of(builder.mul(seat, n), 2), v.bytes_of(turn, 4))
                        pair = builder.load(v.place(source_at, here, v.integer), align=2)
                        builder.store(builder.add(builder.load(total), v.products(weights_here, pair)), total)
                for seat, total in zip(seats_here, totals, strict=True):
                    found = builder.load(total)
                    if most:
                        found = builder.ashr(found, v.ir.Constant(sums, [shift] * v.lanes))
                        found = builder.trunc(v.clipped(found, most), v.vector(v.short))
                    into = builder.add(v.bytes_of(seat, size * spread * wide), v.long(size * part))
                    builder.store(found, v.place(target_at, into, found.type), align=2)

            first, left = v.long(0), seats
            for many in v.seats_at_once:
                turns = builder.udiv(left, v.long(many))
                for part in v.parts:
                    with v.turns(turns) as turn:
                        serve(part, builder.add(first, builder.mul(turn, v.long(many))), many)
                served = builder.mul(turns, v.long(many))
                first, left = builder.add(first, served), builder.sub(left, served)
            return context.get_dummy_value()

        return types.void(x, types.int64, types.int64, types.int64), code

    return layer


def sum_code(source: str, target: str) -> Any:
    """A function for compiled code, ``(x, seats)``: the sum over all seats of their numbers in `source`, to `target`.

    In `source` each seat has room for twice as many.
    """
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def add_up(typing: Any, x: Any, seats: Any) -> Any:
        source_at, target_at, wide = x.offset(source), x.offset(target), _width(x, target)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            scratch, seats = arguments
            v = _Vectors(context, builder, scratch, wide)
            kind = v.vector(v.short)
            for part in v.parts:
                total = cgutils.alloca_once_value(builder, kind(None))
                with v.turns(seats) as seat:
                    here = v.place(source_at, builder.add(v.bytes_of(seat, 4 * wide), v.long(2 * part)), kind)
                    builder.store(builder.add(builder.load(total), builder.load(here, align=2)), total)
                builder.store(builder.load(total), v.place(target_at, v.long(2 * part), kind), align=2)
            return context.get_dummy_value()

        return types.void(x, types.int64), code

    return add_up


def most_code(field: str, width: str) -> Any:
    """A function for compiled code, ``(x, seats)``: behind the numbers of each seat in a field, the largest of the others'.

    Each seat has as many numbers as the field `width` is wide.
    """
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def most(typing: Any, x: Any, seats: Any) -> Any:
        field_at, wide = x.offset(field), _width(x, width)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            scratch, seats = arguments
            v = _Vectors(context, builder, scratch, wide)
            kind = v.vector(v.short)
            for part in v.parts:
                with v.turns(seats) as seat:
                    largest = cgutils.alloca_once_value(builder, kind(None))
                    with v.turns(seats) as other:
                        here = v.place(field_at, builder.add(v.bytes_of(other, 4 * wide), v.long(2 * part)), kind)
                        theirs = builder.load(here, align=2)
                        theirs = builder.select(builder.icmp_signed("==", other, seat), kind(None), theirs)
                        builder.store(v.most(builder.load(largest), theirs), largest)
                    into = builder.add(v.bytes_of(seat, 4 * wide), v.long(2 * (wide + part)))
                    builder.store(builder.load(largest), v.place(field_at, into, kind), align=2)
            return context.get_dummy_value()

        return types.void(x, types.int64), code

    return most

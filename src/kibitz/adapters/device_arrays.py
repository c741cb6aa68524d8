"""Arrays in the memory of a GPU that other packages read where they lie, without a copy.

PyTorch, CuPy, JAX and everything else that knows DLPack or the CUDA array interface takes them as they are:
``torch.from_dlpack(array)``, ``cupy.asarray(array)``, ``jax.dlpack.from_dlpack(array)``.

>>> import numpy as np
>>> lent = Lent(np.arange(6, dtype=np.int16).reshape(2, 3))
>>> np.from_dlpack(lent)
array([[0, 1, 2],
       [3, 4, 5]], dtype=int16)
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

#: The kinds of memory that DLPack tells apart.
HOST, CUDA = 1, 2
#: What those say in `__dlpack__` who work on the usual stream, or want no waiting.
USUAL_STREAMS = (None, -1, 1)
#: DLPack's numbers for kinds of numbers, by NumPy's letter.
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("device", _Device), ("dimensions", ctypes.c_int32), ("type", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
    )  # fmt: skip


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_NAME = b"dltensor"

_capsule_new = ctypes.pythonapi.PyCapsule_New
_capsule_new.restype, _capsule_new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, _Destructor)
_capsule_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_capsule_is_valid.restype, _capsule_is_valid.argtypes = ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p)
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_char_p)

#: What is lent out, by the address of its description: it stays until whoever took it gives it back.
_LENT: dict[int, tuple[Any, ...]] = {}


@_Deleter  # type: ignore[untyped-decorator]
def _give_back(managed: Any) -> None:
    _LENT.pop(ctypes.addressof(managed.contents), None)


@_Destructor  # type: ignore[untyped-decorator]
def _never_taken(capsule: int) -> None:
    """A capsule that was thrown away unopened; whoever opens one renames it, and gives back by itself."""
    if _capsule_is_valid(capsule, _NAME):
        _LENT.pop(_capsule_pointer(capsule, _NAME), None)


class Lent:
    """An array, of NumPy or on a GPU (of numba-cuda), that is lent to whoever asks; all rows one after the other."""

    def __init__(self, array: Any, gpu: int = 0) -> None:
        """`gpu` is the number of the device, if it is on one."""
        if not (array.is_c_contiguous() if hasattr(array, "is_c_contiguous") else array.flags.c_contiguous):
            raise ValueError("an array whose rows do not lie one after the other cannot be lent")
        self.array, self._gpu = array, gpu
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype: np.dtype[Any] = np.dtype(array.dtype)
        self._on_gpu = hasattr(array, "__cuda_array_interface__")

    def __repr__(self) -> str:
        return f"Lent({self.dtype}, {self.shape}, {'GPU' if self._on_gpu else 'host'})"

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if not self._on_gpu:
            raise AttributeError("not in the memory of a GPU")
        found: dict[str, Any] = self.array.__cuda_array_interface__
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """A copy for NumPy, on the host."""
        found = np.asarray(self.array.copy_to_host() if self._on_gpu else self.array)
        return found if dtype is None else found.astype(dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CUDA, self._gpu) if self._on_gpu else (HOST, 0)

    def __dlpack__(self, *, stream: int | None = None, copy: bool | None = None, **others: Any) -> Any:
        """A capsule by DLPack.

        All work of a step is on the usual stream of the device. Whoever works on another one waits here until it is done.
        """
        if copy:
            raise BufferError("this array is lent as it is, without a copy")
        if self._on_gpu and stream not in USUAL_STREAMS:
            from numba import cuda

            cuda.synchronize()
        interface = self.array.__cuda_array_interface__ if self._on_gpu else self.array.__array_interface__
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        managed = _Managed()
        managed.tensor.data = interface["data"][0]
        managed.tensor.device = _Device(*self.__dlpack_device__())
        managed.tensor.dimensions = len(self.shape)
        managed.tensor.type = _Type(_KINDS[self.dtype.kind], 8 * self.dtype.itemsize, 1)
        managed.tensor.shape = shape
        managed.deleter = _give_back
        address = ctypes.addressof(managed)
        _LENT[address] = managed, shape, self.array
        return _capsule_new(address, _NAME, _never_taken)

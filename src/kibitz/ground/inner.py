"""How functions are compiled that only compiled code calls: to code for linking, and no further.

Numba optimises every function by itself, with all that it calls, and turns it into machine code; then it links the
optimised code into each caller and does all of it again there, level by level up to the functions that Python calls.
Of an inner function nobody ever runs that machine code. Here such a function stays as it was lowered, and only the
doors for Python, which hold copies of everything below them, are optimised and made machine code. Measured on the
largest rules and policies: half the compile time, and games as fast as before, give or take a few per cent.

This relies on a few internals of Numba. Where a release lacks one of them, inner functions are compiled Numba's way:
slower, with the same results.
"""

from functools import cache
from typing import Any

#: What a library of Numba's must have for the code below to make sense.
INTERNALS = ("_codegen", "_final_module", "_finalized", "_finalize_dynamic_globals", "_get_module_for_linking")
#: How the names of the variables begin that hold the environments of functions (what they need of Python).
ENVIRONMENT = "_ZN08NumbaEnv"


@cache
def inner_options(optimised: bool = False) -> dict[str, Any]:
    """The options for Numba's decorators that make a function an inner one: no entries for Python and C, no machine code.

    An `optimised` one is optimised before it is linked, with all that it calls. For the verbs of a game, each a large
    part of a door, that gains a few per cent of speed and costs a second or two.
    """
    return {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _compiler(optimised)}


def _compiler(optimised: bool) -> Any:
    import llvmlite.binding as llvm
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

    class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
        """The code of one function and of all that it calls, for linking into callers."""

        _final_module: Any

        def _optimize_final_module(self) -> None:
            """Leave that to the door, which does it again in any case."""
            if optimised:
                super()._optimize_final_module()

        def _finalize_final_module(self) -> None:
            """Keep the code for linking; what becomes machine code is a module with the environments alone.

            Numba writes their addresses when it has compiled a function or loaded it from its cache, and the doors share
            them by name. The cache holds the machine code of that small module beside the code for linking.
            """
            self._finalize_dynamic_globals()
            self._finalized = True
            self._get_module_for_linking()
            variables = [str(v) for v in self._final_module.global_variables if v.name.startswith(ENVIRONMENT)]
            empty = JITCodeLibrary(self._codegen, self.name)._final_module
            self._final_module = llvm.parse_assembly("\n".join([str(empty), *variables]))
            super()._finalize_final_module()

        def get_llvm_str(self) -> str:
            return str(self._get_module_for_linking())

    class InnerCompiler(Compiler):  # type: ignore[misc]
        """Numba's compiler, with another library to put the code into."""

        def define_pipelines(self) -> Any:
            library = InnerLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            if all(hasattr(library, name) for name in INTERNALS):
                library.enable_object_caching()
                self.state.library = library
            return super().define_pipelines()

    return InnerCompiler

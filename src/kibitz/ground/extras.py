"""What is said where an optional package is missing: which pip line installs it."""


class MissingExtra(ImportError):
    """An optional package is not installed; the message is one line for people."""


def missing(error: ImportError, extra: str) -> MissingExtra:
    """What to raise for an import that failed, where the package belongs to an extra of Kibitz.

    >>> raise missing(ModuleNotFoundError("No module named 'gymnasium'", name="gymnasium"), "adapters")
    Traceback (most recent call last):
    ...
    kibitz.ground.extras.MissingExtra: the package gymnasium is not installed (pip install 'kibitz[adapters]')
    """
    package = (error.name or str(error)).partition(".")[0]
    return MissingExtra(f"the package {package} is not installed (pip install 'kibitz[{extra}]')", name=error.name)

r"""Numbers with a sign, as people read them: with a true minus, which is as wide as a plus.

>>> minus(-1.25, 1) == f"{MINUS}1.2", minus(3, 2), signed(0.5, 2), signed(-0.0)
(True, '3.00', '+0.50', '+0')
"""

MINUS = "\N{MINUS SIGN}"


def minus(value: float, digits: int) -> str:
    """A number; what rounds to zero has no sign."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", MINUS)


def signed(value: float, digits: int = 0) -> str:
    """A number that always has a sign; what rounds to zero has a plus."""
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", MINUS)

"""What a command that has ended did: it worked, or it was refused."""

Ran = tuple[int, str, str]


def done(result: Ran) -> str:
    """What a command that worked has printed."""
    code, out, err = result
    assert (code, err) == (0, "")
    return out


def refused(result: Ran) -> str:
    """The one line on standard error of a command that was refused."""
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("kibitz: ")
    return err.removeprefix("kibitz: ").rstrip("\n")

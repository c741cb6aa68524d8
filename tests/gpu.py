"""Whether there is a GPU to test on."""

from kibitz.compute.cuda import NoGpu, require_gpu


def gpu_is_missing() -> bool:
    """Whether games cannot be played on a GPU here."""
    try:
        require_gpu()
    except NoGpu:
        return True
    return False

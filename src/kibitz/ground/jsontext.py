"""JSON as strangers write it."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str) -> Any:
    """What a JSON text holds; any trouble with it is a ValueError of one line, also with a hostile one."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("not JSON that can be read: nested too deeply") from None
    except ValueError:
        raise ValueError("not JSON that can be read: a number is too long") from None

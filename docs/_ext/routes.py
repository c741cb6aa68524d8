"""``api-routes``: the routes of the JSON API with their bodies and answers, made from its own OpenAPI description."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from tables import Table, code

from kibitz.web import api
from kibitz.web.services import Options, Services


def description() -> dict[str, Any]:
    """What ``/api/openapi.json`` answers, without a server."""
    with tempfile.TemporaryDirectory() as folder:
        services = Services.start(Options(data=Path(folder)))
        try:
            return api.create_api(services).openapi()
        finally:
            services.stop()


def routes(spec: dict[str, Any]) -> Iterator[list[str]]:
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            asked = [parameter["name"] for parameter in operation.get("parameters", [])]
            said = operation.get("description") or operation.get("summary", "")
            body = name_of(operation.get("requestBody"))
            yield [code(f"{method.upper()} /api{path}"), body, ", ".join(map(code, asked)), said]


def name_of(body: dict[str, Any] | None) -> str:
    """The model of a request."""
    if body is None:
        return ""
    schema = next(iter(body["content"].values()))["schema"]
    return code(schema["$ref"].rpartition("/")[2]) if "$ref" in schema else "JSON"


def models(spec: dict[str, Any]) -> Iterator[tuple[str, str, list[list[str]]]]:
    """Each model that a request can have, with its fields."""
    needed = {name_of(op.get("requestBody")).strip("`") for methods in spec["paths"].values() for op in methods.values()}
    for name in sorted(needed & set(spec["components"]["schemas"])):
        schema = spec["components"]["schemas"][name]
        required = schema.get("required", [])
        rows = [[code(field), kind(value) + (", required" if field in required else ""), value.get("description", "")]
                for field, value in schema.get("properties", {}).items()]  # fmt: skip
        yield name, schema.get("description", ""), rows


def kind(value: dict[str, Any]) -> str:
    """A type in words."""
    if "$ref" in value:
        return code(value["$ref"].rpartition("/")[2])
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(kind(one) for one in value["anyOf"]))
    if value.get("type") == "array":
        return f"list of {kind(value.get('items', {}))}"
    return str(value.get("type", "any"))


class ApiRoutes(Table):
    required_arguments = 0
    head = ("route", "body", "parameters", "what it does")
    widths = (32, 16, 14, 38)

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(inspect.getfile(api))
        spec = description()
        found: list[nodes.Node] = [self.table(routes(spec))]
        self.head, self.widths = ("field", "type", "meaning"), (26, 30, 44)
        for name, about, rows in models(spec):
            section = nodes.section(ids=[f"body-{name.lower()}"], names=[name])
            section += nodes.title("", "", nodes.literal("", name))
            if about:
                section += nodes.paragraph("", "", *self.inline(about))
            section += self.table(rows)
            found.append(section)
        return found


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("api-routes", ApiRoutes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

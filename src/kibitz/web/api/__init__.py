"""The JSON API under ``/api``."""

from __future__ import annotations

from fastapi import FastAPI

from kibitz.web.services import Services


def create_api(services: Services) -> FastAPI:
    """The API, an app of its own."""
    return FastAPI(title="Kibitz", docs_url=None, redoc_url=None)

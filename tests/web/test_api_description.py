"""The API against its own description: whatever strangers send, it answers as it says, and never with an error of its own."""

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from kibitz.web.api import at_api, create_api
from kibitz.web.games import Games
from kibitz.web.jobs import Jobs
from kibitz.web.services import Options, Room, Services, served_games
from kibitz.web.store import Store


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    """The API with a queue whose jobs end at once: the routes are tested, not the analyses."""
    data = tmp_path_factory.mktemp("data")
    store = Store(data / "library")
    jobs = Jobs(workers=1, seconds=0.05, most=4)
    services = Services(Options(data=data), jobs, store, Room(1 << 30), Games(store), served_games(()))
    app = at_api(create_api(services), FastAPI())
    yield schemathesis.openapi.from_asgi("/api/openapi.json", app)
    services.stop()


ROUTES = 19


@pytest.mark.parametrize("mode", GenerationMode)
def test_the_api_does_what_it_says(description, mode):
    operations = [found.ok() for found in description.get_all_operations()]
    assert len(operations) >= ROUTES
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and not {"requestBody", "parameters"} & set(operation.definition.raw):
            continue  # there is nothing to get wrong

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
        def check(case):
            case.call_and_validate(excluded_checks=[positive_data_acceptance])  # a schema does not know the rules of a game

        check()


def test_every_route_says_how_it_fails(description):
    for path, methods in description.raw_schema["paths"].items():
        for method, route in methods.items():
            codes = set(route["responses"])
            assert route["description"], (path, method)
            assert "requestBody" not in route or {"400", "413", "422"} <= codes, (path, method)
            for code in codes - {"204"}:
                assert route["responses"][code]["content"]["application/json"]["schema"], (path, method, code)

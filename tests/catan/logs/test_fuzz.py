"""Damaged logs, a few of each format: `benchmarks/prove_tracker.py` goes through 100,000 damaged lines of each."""

import random
import signal
import time

import pytest

from benchmarks.logs.damage import JSON_FORMATS, damaged, documents
from benchmarks.logs.fuzzing import Stopped, judge, limited
from kibitz.catan import logs as formats
from kibitz.catan.logs import FORMATS

LOGS = 4


@pytest.mark.parametrize("format", FORMATS)
def test_damaged_logs_lead_to_named_errors_only(format):
    verdicts = [judge(damaged(format, index)) for index in range(LOGS)]
    assert [f"{verdict.command}: {failure}" for verdict in verdicts for failure in verdict.failures] == []
    assert any(verdict.problems or verdict.contradictions for verdict in verdicts)


@pytest.mark.parametrize("format", FORMATS)
def test_the_logs_are_whole_before_they_are_damaged(format):
    for text in documents(format):
        assert formats.recognise(text) == format
        assert formats.read(text).log.events


@pytest.mark.parametrize("format", ["colonist-text", JSON_FORMATS[0]])
def test_a_damaged_log_depends_on_its_number_alone(format):
    random.seed(1)
    first = damaged(format, 3)
    assert damaged(format, 3) == first
    assert damaged(format, 4) != first
    assert first.text not in documents(format)


def test_errors_without_a_name_are_found(monkeypatch):
    reader = formats.reader("catanlog")
    honest = reader.read

    def careless(text, me=None, strict=False):
        if strict:
            raise KeyError("seat")
        return honest(text, me=me)

    monkeypatch.setattr(reader, "read", careless)
    verdict = judge(damaged("catanlog", 1))
    assert any(failure.startswith("read strictly") and "KeyError" in failure for failure in verdict.failures)
    assert verdict.command == "python benchmarks/prove_tracker.py --damaged catanlog 1"


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="the system has no alarm")
def test_a_step_that_does_not_end_is_stopped():
    with pytest.raises(Stopped), limited(1):
        time.sleep(30)

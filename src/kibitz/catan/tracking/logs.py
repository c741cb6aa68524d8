"""Games that come as text: records of ours, and logs of other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kibitz.catan.analysis import InvalidPosition, Position, create_analyzer
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import Record, check
from kibitz.catan.logs import ImportedLog, LogError
from kibitz.catan.logs.reconstruct import reconstruct_log
from kibitz.catan.pages.analyses import Answer, answer, bounded
from kibitz.catan.tracking.reading import read_log
from kibitz.compute.runtime import Limit, Runtime
from kibitz.web.api.positions import read_record
from kibitz.web.jobs import Job
from kibitz.web.services import Services


def submit_record(services: Services, text: str, step: int | None, asked: dict[str, Any], owner: str, save: bool) -> Job:
    """Ask about a step of a record (the last one by default); it is read in the queue. `asked` is the rest of the question."""

    def work(runtime: Runtime) -> Answer:
        return answer(services, _question(*read_record(text, step, check), asked), runtime, save)

    return _submit(services, "advice from a record", work, asked, owner)


def submit_log(services: Services, text: str, asked: dict[str, Any], owner: str, save: bool) -> Job:
    """Ask about the end of a log of another program; it is read in the queue."""

    def work(runtime: Runtime) -> Answer:
        try:
            imported = _seen_by(text, asked["seat"], runtime)
            if imported.board is None:
                raise InvalidQuestion(f"this {imported.format} log holds no board: it can be tracked, not advised on")
            record = None if imported.everything is None else imported.record()
            if record is not None:
                return answer(services, _question(record, len(record.codes), asked), runtime, save)
            return _answer_hidden(imported, imported.board, asked, runtime)
        except LogError as error:
            raise InvalidQuestion(f"log: {error}") from None

    return _submit(services, "advice from a log", work, asked, owner)


def _submit(services: Services, title: str, work: Callable[[Runtime], Answer], asked: dict[str, Any], owner: str) -> Job:
    """Put it into the queue, if what is asked can be asked at all."""
    probe = bounded(Question.from_json({**asked, "board": "beginner", "seat": None}))
    return services.jobs.submit(title, work, owner, Limit(time=probe.time))


def _question(record: Record, step: int, asked: dict[str, Any]) -> Question:
    base = {"board": record.board.to_json(), "seats": len(record.seats), "rules": record.rules.to_json()}
    question = bounded(Question.from_json({**base, **asked}))
    return replace(question, moves=record.codes[:step])


def _answer_hidden(imported: ImportedLog, board: Board, asked: dict[str, Any], runtime: Runtime) -> Answer:
    """About a log that hides something. It is not saved: what was hidden cannot be told in a question that is opened again."""
    question = bounded(Question.from_json({**asked, "board": board.to_json(), "seats": len(imported.log.players)}))
    position = _reconstructed(imported, question)
    result = create_analyzer(question.mode).analyze(position, question.config, runtime)
    return Answer(question, position, result, "")


def _seen_by(text: str, seat: int | None, runtime: Runtime) -> ImportedLog:
    imported = read_log(text, runtime=runtime)
    players = imported.log.players
    if seat is not None and not 0 <= seat < len(players):
        raise InvalidQuestion(f"seat {seat}: expected 0 to {len(players) - 1}")
    if seat is None or imported.log.observer == seat:
        return imported
    return read_log(text, players[seat], runtime)


def _reconstructed(imported: ImportedLog, question: Question) -> Position:
    """The position at the end of a log that hides what its observer did not see."""
    if imported.log.observer is None:
        raise InvalidQuestion("say who asks: the log was seen by a spectator")
    found = reconstruct_log(imported)
    try:
        return Position.seen(found.states, imported.log.observer, found.tracker, question.config.policy)
    except InvalidPosition as error:
        raise InvalidQuestion(str(error)) from None

"""Games that come as text: records of ours, and logs of other programs."""

from __future__ import annotations

from typing import Any

from kibitz.analysis import InvalidPosition, Position, create_analyzer
from kibitz.analysis.question import InvalidQuestion, Question
from kibitz.catan.record import check
from kibitz.compute.runtime import Limit, Runtime
from kibitz.formats import ImportedLog, LogError, read
from kibitz.formats.reconstruct import reconstruct_log
from kibitz.records import RecordError
from kibitz.web.analyses import MISTAKES, Answer, bounded
from kibitz.web.jobs import Job
from kibitz.web.services import Services


def question_of_record(text: str, step: int | None, asked: dict[str, Any]) -> Question:
    """What is asked about a step of a record (the last one by default). Raises `InvalidQuestion`."""
    try:
        record = next(check(text.splitlines()), None)
    except RecordError as error:
        raise InvalidQuestion(f"record: {error}") from None
    if record is None:
        raise InvalidQuestion("record: there is no game in it")
    if step is not None and step > len(record.codes):
        raise InvalidQuestion(f"step {step}: the game has steps 0 to {len(record.codes)}")
    base = {"board": record.board.to_json(), "seats": len(record.seats), "rules": record.rules.to_json()}
    question = Question.from_json({**base, **asked})
    return question.asked_of(record.codes[:step], question.seat)


def submit_log(services: Services, text: str, asked: dict[str, Any], owner: str) -> Job:
    """Ask about the end of a log of another program; it is read in the queue."""
    seat = asked["seat"]
    probe = bounded(Question.from_json({**asked, "board": "beginner", "seat": None}))

    def work(runtime: Runtime) -> Answer:
        try:
            imported = _seen_by(text, seat)
            if imported.board is None:
                raise InvalidQuestion(f"this {imported.format} log holds no board: it can be tracked, not advised on")
            if imported.everything is not None:
                record = imported.record()
                question = Question.from_json({**asked, "board": record.board.to_json(), "seats": len(record.seats),
                                               "rules": record.rules.to_json()}).asked_of(record.codes, seat)  # fmt: skip
                position = bounded(question).position()
            else:
                question = Question.from_json({**asked, "board": imported.board.to_json(), "seats": len(imported.log.players)})
                position = _reconstructed(imported, question)
        except LogError as error:
            raise InvalidQuestion(f"log: {error}") from None
        result = create_analyzer(probe.mode).analyze(position, probe.config, runtime)
        if not question.moves:  # what was hidden cannot be told in a question, so the answer could not be opened again
            return Answer(question, position, result, "")
        data = {"analysis": "catan", "version": 1, "question": question.to_json(), "result": result.to_json()}
        title = f"advice for seat {position.seat + 1} from a {imported.format} log"
        return Answer(question, position, result, services.store.save("analysis", title, data))

    return services.jobs.submit("advice from a log", work, owner, Limit(time=probe.time), MISTAKES)


def _seen_by(text: str, seat: int | None) -> ImportedLog:
    imported = read(text)
    players = imported.log.players
    if seat is not None and not 0 <= seat < len(players):
        raise InvalidQuestion(f"seat {seat}: expected 0 to {len(players) - 1}")
    if seat is None or imported.log.observer == seat:
        return imported
    return read(text, me=players[seat])


def _reconstructed(imported: ImportedLog, question: Question) -> Position:
    """The position at the end of a log that hides what its observer did not see."""
    if imported.log.observer is None:
        raise InvalidQuestion("say who asks: the log was seen by a spectator")
    found = reconstruct_log(imported)
    try:
        return Position.seen(found.states, imported.log.observer, found.tracker, question.config.policy)
    except InvalidPosition as error:
        raise InvalidQuestion(str(error)) from None

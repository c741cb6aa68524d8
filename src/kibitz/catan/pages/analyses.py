"""Analyses as jobs: what is asked about a position or a text becomes work for the queue, the answer goes into the library."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kibitz.catan.analysis import (
    AnalysisConfig, AnalysisMode, AnalysisResult, InvalidConfig, InvalidPosition, Position, create_analyzer,
)  # fmt: skip
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.analysis.report import win_rate
from kibitz.catan.core.board import Board
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.places import corner_words, in_words
from kibitz.catan.core.record import Record, check
from kibitz.catan.logs import ImportedLog, LogError, read_bounded
from kibitz.catan.logs.reconstruct import reconstruct_log
from kibitz.catan.pages.diary import Diary
from kibitz.catan.pages.places import called, with_names
from kibitz.catan.words import say
from kibitz.compute.runtime import Limit, Runtime
from kibitz.ground.texts import capitalised, with_margin
from kibitz.web.api.models import read_record
from kibitz.web.jobs import Job
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

#: The modes as people call them.
MODES = {
    AnalysisMode.FULL_GAME: "Whole games",
    AnalysisMode.STATIC: "Quick score",
    AnalysisMode.MONTE_CARLO: "Dice odds",
    AnalysisMode.MCTS: "Draft search",
    AnalysisMode.ISMCTS: "Game search",
}
#: The most that one analysis may play, throw or grow, so that its memory is bounded (about 1 GB).
MOST = {
    "full_game_rollouts": 200_000,
    "mc_samples": 200_000,
    "mc_throws": 1_000,
    "mcts_iterations": 1_000_000,
    "mcts_trees": 64,
    "ismcts_iterations": 2_000_000,
    "ismcts_trees": 64,
}


@dataclass(frozen=True)
class Answer:
    """An analysis that is over: what was asked, the position, the answer, and where it lies in the library."""

    question: Question
    position: Position
    result: AnalysisResult
    id: str
    names: tuple[str, ...] = ()
    """The players, where they are known."""

    def to_json(self) -> dict[str, Any]:
        """For files and for the library."""
        named = {"names": list(self.names)} if self.names else {}
        told = {"question": self.question.to_json(), "result": self.result.to_json()}
        return {"analysis": "catan", "version": 1, **named, **told}


def bounded(question: Question) -> Question:
    """The same question, if it is not too large for a server; a search by the clock goes on as long as it may."""
    for name, most in MOST.items():
        value = getattr(question.config, name)
        if value > most:
            raise InvalidConfig(f"{name}={value}: at most {most:,} in the browser; the command line has no such limit")
    by_the_clock = question.mode == AnalysisMode.ISMCTS and question.time is not None
    if by_the_clock and question.config.ismcts_iterations == AnalysisConfig().ismcts_iterations:
        return replace(question, config=replace(question.config, ismcts_iterations=MOST["ismcts_iterations"]))
    return question


def title_of(question: Question, result: AnalysisResult | None = None, names: Sequence[str] = ()) -> str:
    """A name for people: what was best, or where nothing is known yet, what was asked.

    >>> title_of(Question(Board.beginner()))
    'Where to settle first (Whole games)'
    """
    seat = "" if question.seat is None else f", {called(question.seat, names)}"
    best = "" if result is None else _best(result, question.board, names)
    placed = len([move for move in question.moves if PLACE_SETTLEMENT <= move < PLACE_ROAD])
    if len(question.moves) > 4 * question.seats:
        asked = f"Move after {len(question.moves):,} steps"
    else:
        asked = "Where to settle first" if placed < question.seats else "Where to settle second"
    return f"{best or asked}{seat}{'' if best else f' ({MODES[question.mode]})'}"


def _best(result: AnalysisResult, board: Board, names: Sequence[str]) -> str:
    if result.options:
        move = capitalised(with_names(in_words(say(result.best.action, board), board), names))
        return f"{move}: {with_margin(result.best.value, result.best.margin)}"
    if not result.top_recommendations:
        return ""
    best = result.top_recommendations[0]
    rate = f": {win_rate(best.win_rate)}" if best.win_rate else ""
    return f"Settle on {corner_words(board, best.vertex_id)}{rate}"


def submit(services: Services, question: Question, owner: str = "", save: bool = True, names: tuple[str, ...] = ()) -> Job:
    """Put an analysis into the queue. Raises what is wrong with it, or `QueueFull`."""
    question = bounded(question)
    question.states()  # an illegal move is said at once

    id = secrets.token_urlsafe(9)
    work = partial(answer, services, question, save=save, names=names, id=id)
    job = services.jobs.submit(title_of(question, names=names), work, owner, Limit(time=question.time))
    if save:
        known = services.one(under_way)
        for other in [other for other, done in known.items() if done.over]:
            known.pop(other, None)
        known[id] = job
    return job


def answer(
    services: Services,
    question: Question,
    runtime: Runtime,
    save: bool = True,
    names: tuple[str, ...] = (),
    id: str | None = None,
) -> Answer:
    """Answer a question and keep the answer in the library; where that fails, it is still an answer.

    What there is so far is kept meanwhile, under the same `id`: it is there even if the server is killed.
    """
    position = question.position()
    diary = Diary(services.store, question, title_of(question, names=names), id) if save else None
    if diary is not None:
        diary.follow(runtime)
    try:
        result = create_analyzer(question.mode).analyze(position, question.config, runtime)
    except BaseException:
        if diary is not None:
            diary.drop()
        raise
    found = Answer(question, position, result, "", names)
    if diary is None:
        return found
    try:
        return replace(found, id=diary.end(title_of(question, result, names), found.to_json()))
    except NotSaved:  # the store has logged why
        return found


def under_way(services: Services) -> dict[str, Job]:
    """The analyses that this server works on (and some that it has worked on), by their ids in the library."""
    return {}


def reopened(id: str, data: Any) -> Answer:
    """An answer from the library or a file. Raises what is wrong with it."""
    if not isinstance(data, dict) or "question" not in data or "result" not in data:
        raise InvalidQuestion("not an analysis of Kibitz: expected an object with a question and a result")
    question = Question.from_json(data["question"])
    try:
        result = AnalysisResult.from_json(data["result"])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidQuestion(f"the result cannot be read: {error}") from None
    named = data.get("names", ())
    names = tuple(map(str, named)) if isinstance(named, list) and len(named) == question.seats else ()
    return Answer(question, question.position(), result, id, names)


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
    if imported.log.observer is None:
        raise InvalidQuestion("say who asks: the log was seen by a spectator")
    found = reconstruct_log(imported)
    try:
        position = Position.seen(found.states, imported.log.observer, found.tracker, question.config.policy)
    except InvalidPosition as error:
        raise InvalidQuestion(str(error)) from None
    return Answer(question, position, create_analyzer(question.mode).analyze(position, question.config, runtime), "")


def _seen_by(text: str, seat: int | None, runtime: Runtime) -> ImportedLog:
    imported = read_bounded(text, runtime=runtime)
    players = imported.log.players
    if seat is not None and not 0 <= seat < len(players):
        raise InvalidQuestion(f"seat {seat}: expected 0 to {len(players) - 1}")
    if seat is None or imported.log.observer == seat:
        return imported
    return read_bounded(text, players[seat], runtime)

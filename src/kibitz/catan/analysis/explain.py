"""Figures turned into sentences: why a corner, what it lacks, what it would build first.

>>> from kibitz.catan import Board
>>> hexes_text(Board.beginner(), 41)
'wheat 6 · brick 5 · ore 3'
>>> hexes_text(Board.beginner(), 1)
'ore 10 · 3:1 harbour'

The lines of an answer are corners, each with all that there is to say about it.
"""

from collections.abc import Iterable, Sequence

from kibitz.catan.analysis.draft import predict
from kibitz.catan.analysis.placement import Placement, throw_placement
from kibitz.catan.analysis.position import Position, analysis_seed
from kibitz.catan.analysis.types import AnalysisConfig, DraftPick, LineExplanation, PlacementReport, VertexScore
from kibitz.catan.core.board import RESOURCES, Board, PortType, Resource
from kibitz.catan.core.places import corner_words, harbour_at, harbour_name, hex_name, hexes_at
from kibitz.catan.core.topology import CORNER_NEIGHBOURS, CORNERS, NEAR_MASK, NONE
from kibitz.ground.texts import capitalised, counted

#: The longest `why`, for a table.
WHY_WIDTH = 60
#: A corner has a character if so much of its production is of the two resources that belong to it, and no third one exceeds
#: either of them.
DOMINANT = 0.6
#: With sheep beside them, ore and wheat make a city engine only if so much of it is theirs.
ALMOST_ALL = 0.8

CITY_ENGINE, BUILDER = "city engine", "road and settlement builder"
CARDS, BALANCED, BARREN = "development cards", "balanced", "no production"
CHARACTERS = {
    CITY_ENGINE: "A city engine: above all it brings wheat and ore.",
    BUILDER: "A road and settlement builder: above all it brings wood and brick.",
    CARDS: "It pays for development cards: sheep, wheat and ore.",
    BALANCED: "Balanced: no purchase stands out.",
}


def label(prefix: str, number: int, score: VertexScore) -> str:
    """The name of a line: ``FG#1 V23 (sim)`` for a simulated corner, ``ST#2 V40`` for another."""
    return f"{prefix}#{number} V{score.vertex_id}" + (" (sim)" if score.simulated else "")


def hexes_text(board: Board, corner: int) -> str:
    """The hexes around a corner and its harbour, for a table."""
    return corner_words(board, corner, " · ")


def production(board: Board, corner: int) -> dict[Resource, int]:
    """Pips by resource, only of those that there are.

    >>> {str(resource): pips for resource, pips in production(Board.beginner(), 41).items()}
    {'brick': 4, 'wheat': 5, 'ore': 2}
    """
    hexes = hexes_at(board, corner)
    pips = {resource: sum(hex.pips for hex in hexes if hex.resource is resource) for resource in RESOURCES}
    return {resource: n for resource, n in pips.items() if n}


def character(pips: dict[Resource, int]) -> str:
    """What some production is good for.

    >>> character({Resource.ORE: 5, Resource.WHEAT: 4, Resource.BRICK: 3})
    'city engine'
    >>> character({Resource.WHEAT: 5, Resource.BRICK: 4, Resource.ORE: 2})
    'balanced'
    >>> character({Resource.SHEEP: 5, Resource.WOOD: 2})
    'sheep and wood'
    """
    total = sum(pips.values())
    if not total:
        return BARREN
    wood, brick, sheep, wheat, ore = (pips.get(resource, 0) for resource in RESOURCES)
    if min(ore, wheat) >= max(1, wood, brick, sheep) and ore + wheat >= (ALMOST_ALL if sheep else DOMINANT) * total:
        return CITY_ENGINE
    if ore and wheat and sheep:
        return CARDS
    if min(wood, brick) >= max(1, sheep, wheat, ore) and wood + brick >= DOMINANT * total:
        return BUILDER
    if len(pips) > 2:
        return BALANCED
    kinds = sorted(pips, key=lambda resource: -pips[resource])
    return _and(kinds) if len(kinds) > 1 else f"{kinds[0]} only"


def why(position: Position, score: VertexScore, picks: Sequence[DraftPick] = ()) -> str:
    """Why one might settle there, in at most `WHY_WIDTH` characters: as much of it as there is room for."""
    board, corner = position.board, score.vertex_id
    following = next_pick(position, corner, picks)
    coming, never = _divided(position, corner, following)
    kind = harbour_at(board, corner)
    everything = len(coming) > 2 and not never
    parts = [
        f"{'the rest comes' if everything else _come(coming)} from V{following}" if coming else "",
        f"no {_or(never)}" if never else "",
        "" if coming or never else "all five resources",
        harbour_name(kind) if kind else "",
    ]
    text = character(production(board, corner))
    for part in filter(None, parts):
        if len(text) + len("; ") + len(part) <= WHY_WIDTH:
            text += f"; {part}"
    return text


def sentences(
    position: Position, score: VertexScore, picks: Sequence[DraftPick] = (), report: PlacementReport | None = None
) -> tuple[str, ...]:
    """What there is to say about a corner, a sentence each.

    `picks` are the rest of the draft if the seat settles there; `report` is what dice bring to the placement.
    """
    corner = score.vertex_id
    found = [
        _produces(position.board, corner),
        CHARACTERS.get(character(production(position.board, corner)), ""),
        _lack_sentence(position, corner, picks),
        _harbour_sentence(position, corner),
        _room_sentence(position, corner, picks),
        _exposure_sentence(position.board, corner),
        first_purchases(report) if report else "",
    ]
    return tuple(sentence for sentence in found if sentence)


def _produces(board: Board, corner: int) -> str:
    hexes = [hex for hex in hexes_at(board, corner) if hex.resource]
    if not hexes:
        return "It touches nothing but desert."
    return capitalised(f"{_and(hex_name(hex) for hex in hexes)}: {counted(sum(hex.pips for hex in hexes), 'pip')}.")


def _lack_sentence(position: Position, corner: int, picks: Sequence[DraftPick]) -> str:
    following = next_pick(position, corner, picks)
    coming, never = _divided(position, corner, following)
    if not coming and not never:
        return "With it you produce all five resources."
    none, source = f"No {_or(_lacking(position, corner))}", f"V{following} in your next pick"
    if not coming:
        return f"{none}." if following is None else f"{none}, and none from {source}."
    if not never:
        return f"{none}: {'it comes' if len(coming) == 1 else 'they come'} from {source}."
    return f"{none}: {_come(coming)} from {source}, {_and(never)} only by trade."


def _harbour_sentence(position: Position, corner: int) -> str:
    kind = harbour_at(position.board, corner)
    if kind is None:
        return ""
    if kind is PortType.ANY_3TO1:
        return "Its harbour trades any three alike for one."
    pips = sum(
        count * production(position.board, c).get(Resource(kind.value), 0) for c, count in _with(position, corner).items()
    )
    use = f"you have {counted(pips, 'pip')} of it" if pips else "but you produce none"
    return f"Its harbour trades two {kind.value} for one; {use}."


def _room_sentence(position: Position, corner: int, picks: Sequence[DraftPick]) -> str:
    """The corners that `kibitz.catan.core.scores.room` counts, less those that the rest of the draft will close."""
    neighbours: list[list[int]] = CORNER_NEIGHBOURS.tolist()
    further = {c for between in neighbours[corner] if between != NONE for c in neighbours[between]} - {corner, NONE}
    free, later = int(position.states["open"][0]), ""
    if (position.seat, corner) in [(pick.seat, pick.vertex_id) for pick in picks]:
        later = " after the draft"
        for pick in picks:
            free &= ~int(NEAR_MASK[pick.vertex_id])
    pips = {c: sum(production(position.board, c).values()) for c in sorted(further) if free >> c & 1}
    if not pips:
        return f"No room: no corner two roads away is free{later}."
    best = max(pips, key=lambda c: pips[c])
    if len(pips) == 1:
        return f"Little room: of the corners two roads away only V{best} is free{later} ({counted(pips[best], 'pip')})."
    return (
        f"Room for more: {len(pips)} corners two roads away are free{later}, the best V{best} ({counted(pips[best], 'pip')})."
    )


def _exposure_sentence(board: Board, corner: int) -> str:
    hexes = hexes_at(board, corner)
    total = sum(hex.pips for hex in hexes)
    if not total:
        return ""
    best = hexes[0].pips
    return f"The robber on {hex_name(hexes[0])} would stop {'all of it' if best == total else f'{best} of its {total} pips'}."


def first_purchases(report: PlacementReport, following: int | None = None) -> str:
    """How long each purchase takes on average if one saves for nothing else, the shortest first.

    What more often than not takes longer than all throws comes last. `following` is the corner of the seat's next pick where
    the report takes it as built.
    """
    throws = max(len(waiting.distribution) - 1 for waiting in report.waiting.values())
    soon = {name: round(waiting.mean) for name, waiting in report.waiting.items() if waiting.median is not None}
    late = [f"a {name}" for name in report.waiting if name not in soon]
    together = "" if following is None else f"together with V{following}: "
    if not soon:
        return capitalised(f"{together}nothing can be paid for within {throws} throws, as a rule.")
    order = sorted(soon, key=lambda name: report.waiting[name].mean)
    at_once = [f"a {name}" for name in order if not soon[name]]
    takes = [f"{_and(at_once)} {'take' if len(at_once) > 1 else 'takes'} no time"] if at_once else []
    for number, name in enumerate(name for name in order if soon[name]):
        takes.append(f"a {name} {soon[name]}" if number else f"a {name} takes {counted(soon[name], 'throw')} on average")
    text = f"{together}saved for alone, {_and(takes)}"
    return capitalised(f"{text}; as a rule {_and(late)} more than {throws}." if late else f"{text}.")


def _with(position: Position, corner: int) -> dict[int, int]:
    """The seat's buildings and a settlement on `corner`; a city counts twice."""
    settlements, cities = (int(position.states[name][0, position.seat]) for name in ("settlements", "cities"))
    found = {c: (settlements >> c & 1) + 2 * (cities >> c & 1) for c in range(CORNERS) if (settlements | cities) >> c & 1}
    return found | {corner: max(1, found.get(corner, 0))}


def _lacking(position: Position, corner: int) -> list[Resource]:
    """What the seat will not produce even with a settlement on `corner`."""
    kinds = {resource for c in _with(position, corner) for resource in production(position.board, c)}
    return [resource for resource in RESOURCES if resource not in kinds]


def next_pick(position: Position, corner: int, picks: Sequence[DraftPick]) -> int | None:
    """The corner that the seat picks after `corner`; None if it picks no more, or did not pick `corner`."""
    own = [pick.vertex_id for pick in picks if pick.seat == position.seat]
    return own[own.index(corner) + 1] if corner in own[:-1] else None


def _divided(position: Position, corner: int, following: int | None) -> tuple[list[Resource], list[Resource]]:
    """Of what the seat lacks with `corner`: what its next pick brings, and what it does not."""
    supply = {} if following is None else production(position.board, following)
    lacking = _lacking(position, corner)
    coming = [resource for resource in lacking if resource in supply]
    return coming, [resource for resource in lacking if resource not in coming]


def _and(words: Iterable[str], last: str = "and") -> str:
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else str(final)


def _or(words: Iterable[str]) -> str:
    return _and(words, "or")


def _come(resources: Sequence[str]) -> str:
    return f"{_and(resources)} {'comes' if len(resources) == 1 else 'come'}"


#: Sequences of dice that a sentence is worth.
SAMPLES = 400


def explain(
    name: str, score: VertexScore, position: Position, config: AnalysisConfig, report: PlacementReport | None = None
) -> LineExplanation:
    """The line of a corner under this name, where the draft goes on as the config's bot would play it.

    What the dice bring first is that of `report` or, without one, of the corner with the seat's next pick (if there is one).
    """
    picks = predict(position, config.policy, [score.vertex_id], score.road)
    said = sentences(position, score, picks, report) if report else all_sentences(position, score, picks, config)
    return LineExplanation(name, said, score.vertex_id, value=score.total)


def all_sentences(
    position: Position, score: VertexScore, picks: Sequence[DraftPick], config: AnalysisConfig
) -> tuple[str, ...]:
    """What there is to say about a corner if the draft goes on by `picks`, which dice are thrown for."""
    following = next_pick(position, score.vertex_id, picks)
    placement = Placement.of(position, score.vertex_id, following)
    seed = analysis_seed(position.board, config.mc_seed, "explain")
    thrown = throw_placement(placement, min(config.mc_samples, SAMPLES), config.mc_throws, seed)
    return (*sentences(position, score, picks), first_purchases(thrown, following))

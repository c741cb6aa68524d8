"""Catan as everybody above the rules meets it."""

from kibitz.play.profile import Level, Profile, SetupOption, Tournament, late, policy_or

PROFILE = Profile(
    name="catan",
    title="Settlers of Catan",
    about="Settlers of Catan: play, simulate, analyse and review games.",
    seats=(2, 4),
    usual_seats=4,
    options=(
        SetupOption("board", "A board file or text, beginner, or random (a new one for each game).", "BOARD", "random",
                    names=("random", "beginner")),
        SetupOption("rule", "A rule option (NAME or NAME=VALUE), or rules by name (official, seed, colonist, colonist-1v1). "
                    "May be repeated.", "NAME[=VALUE]", repeated=True, names=(
            "official", "seed", "colonist", "colonist-1v1", "victory_points", "discard_limit", "domestic_trade", "offer_limit",
            "friendly_robber", "all_or_nothing_bank", "phased_turns", "max_turns",
        )),
    ),
    typed=late("kibitz.catan.setup:typed"),
    setup=late("kibitz.catan.setup:setup"),
    bots=("random", "builder", "seed", "net", "builder-0.1", "ismcts", "ismcts-0.1"),
    levels=(
        Level("easy", "builder-0.1", "Knows how to build, but slips in two moves out of five: for your first games.", slips=40),
        Level("medium", "builder", "Plans its buildings, trades fairly, and does not look ahead."),
        Level("hard", "net", "Tries every move and judges where the turn leads; answers at once.", spare="builder"),
        Level("expert", "ismcts:1000", "Counts your cards and searches a thousand lines before every move."),
    ),
    ratings="kibitz.catan:ratings.json",
    usual_bot="random",
    bot_named=policy_or("kibitz.catan.core.policy:BOTS", "kibitz.catan.bots:bot_named"),
    belief=late("kibitz.catan.bots:Memory"),
    quiet=(
        "roll_dice", "decline_offer", "cancel_offer", "end_road_building", "end_trade_phase", "end_build_phase", "end_turn",
    ),
    ids=late("kibitz.catan.observation:ids"),
    observation=late("kibitz.catan.observation:observation"),
    numbers={"max_turns": 1000, "board": 0},
    numbered=late("kibitz.catan.setup:numbered"),
    tournament=Tournament(("builder", "seed", "random"), games=4000, seats=4),
    devices=("cpu", "cuda"),
    trains=True,
    state=late("kibitz.catan.core.game_state:GameState"),
    records=late("kibitz.catan.setup:records"),
    text=late("kibitz.catan.setup:text"),
    screen=late("kibitz.catan.setup:screen"),
    svg=late("kibitz.catan.setup:svg"),
    with_person=late("kibitz.catan.manners:considerate"),
    person=late("kibitz.catan.commands.human:Human"),
    commands={
        "advise": "kibitz.catan.commands.advise:advise",
        "review": "kibitz.catan.commands.review:review",
        "tune": "kibitz.catan.commands.tune:tune",
    },
    top_commands={
        "analyze": "kibitz.catan.commands.analyze:analyze",
        "track": "kibitz.catan.commands.logs:track",
        "extension": "kibitz.catan.commands.extension:extension",
        "import": "kibitz.catan.commands.logs:import_log",
        "export": "kibitz.catan.commands.logs:export",
    },
    pages=late("kibitz.catan.pages:pages"),
    style="kibitz.catan:pages/catan.css",
    routes=late("kibitz.catan.api:routers"),
    answer="kibitz.catan.analysis:AnalysisResult",
    warm_up=late("kibitz.catan.pages:warm_up"),
    old_moves=late("kibitz.catan.core.actions:old_moves"),
)  # fmt: skip

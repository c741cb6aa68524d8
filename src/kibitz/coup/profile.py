"""Coup as everybody above the rules meets it."""

from kibitz.play.profile import Level, Profile, SetupOption, Tournament, late, policy_or

PROFILE = Profile(
    name="coup",
    title="Coup",
    about="Coup: get advice, solve endgames, play against bots, simulate games.",
    seats=(2, 6),
    usual_seats=2,
    options=(
        SetupOption("rule", "A rule option: NAME or NAME=VALUE. May be repeated.", "NAME[=VALUE]", repeated=True, names=(
            "target_may_block_after_failed_challenge", "refund_on_caught_bluff", "steal_from_zero", "max_turns",
        )),
    ),
    typed=late("kibitz.coup.setup:typed"),
    setup=late("kibitz.coup.setup:setup"),
    bots=("random", "honest", "heuristic", "heuristic-0.1", "equilibrium", "net", "ismcts", "solver", "resolver"),
    levels=(
        Level("easy", "honest", "Never bluffs: what it claims, it holds."),
        Level("medium", "heuristic", "Bluffs and doubts by rules of thumb."),
        Level("hard", "ismcts:500", "Weighs every claim, and simulates the rest of the game many times."),
        Level("expert", "solver:10000", "Thinks far longer, and plays the solved endgames as they should be played."),
    ),
    ratings="kibitz.coup:ratings.json",
    usual_bot="random",
    bot_named=policy_or("kibitz.coup.core.policy:BOTS", "kibitz.coup.bots:bot_named"),
    belief=late("kibitz.coup.bots:Cards"),
    trains=True,
    blueprint="kibitz.coup.blueprint.training:train_blueprint",
    resolver="kibitz.coup.resolving.training:train_resolver",
    quiet=("income", "allow"),
    ids=late("kibitz.coup.observation:ids"),
    observation=late("kibitz.coup.observation:observation"),
    numbers={"max_turns": 1000},
    numbered=late("kibitz.coup.setup:numbered"),
    tournament=Tournament(("heuristic", "honest", "random"), games=4000, seats=4),
    state=late("kibitz.coup.core.game_state:GameState"),
    records=late("kibitz.coup.setup:records"),
    text=late("kibitz.coup.setup:text"),
    screen=late("kibitz.coup.setup:screen"),
    person=late("kibitz.coup.commands.human:Human"),
    commands={
        "advise": "kibitz.coup.commands.situations:advise",
        "tree": "kibitz.coup.commands.situations:tree",
        "solve": "kibitz.coup.commands.solve:solve_command",
    },
    pages=late("kibitz.coup.pages:pages"),
    style="kibitz.coup:pages/coup.css",
    routes=late("kibitz.coup.api:routers"),
    answer="kibitz.coup.advise:CoupAdvice",
    old_moves=late("kibitz.coup.pages.matches:old_moves"),
)  # fmt: skip

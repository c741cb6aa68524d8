"""The One Piece card game as everybody above the rules meets it."""

from kibitz.play.profile import Profile, SetupOption, Tournament, late, policy_or

PROFILE = Profile(
    name="onepiece",
    title="The One Piece card game",
    about="The One Piece card game: play, record, replay and show games.",
    seats=(2, 2),
    usual_seats=2,
    options=(
        SetupOption("decks", "The decks of both players, who begin in turn: tide, ember, or a deck file for each.", "DECK,DECK",
                    "tide,ember", names=("tide", "ember"), listed=True),
        SetupOption("cards", "A file with the cards of decks that do not come with Kibitz.", "FILE", reads=True),
    ),
    typed=late("kibitz.onepiece.setup:typed"),
    setup=late("kibitz.onepiece.setup:setup"),
    bots=("random", "greedy", "ismcts"),
    usual_bot="greedy",
    bot_named=policy_or("kibitz.onepiece.core.engine:POLICIES", "kibitz.onepiece.bots:bot_named"),
    belief=late("kibitz.play.search_bot:AnyDeal"),
    quiet=("pass", "end_turn", "keep", "no", "done"),
    ids=late("kibitz.onepiece.observation:ids"),
    observation=late("kibitz.onepiece.observation:observation"),
    tournament=Tournament(("greedy", "random"), games=400, seats=2),
    compiled=False,
    guards={"onepiece": "declare"},
    usual_guard="none; onepiece for decks of your own",
    state=late("kibitz.onepiece.core.game_state:GameState"),
    records=late("kibitz.onepiece.setup:records"),
    text=late("kibitz.onepiece.setup:text"),
    person=late("kibitz.onepiece.human:Human"),
    commands={"import": "kibitz.onepiece.commands:import_cards"},
    top_commands={"loops": "kibitz.onepiece.commands:app"},
    pages=late("kibitz.onepiece.pages:pages"),
    routes=late("kibitz.onepiece.api:routers"),
    answer="kibitz.onepiece.bots:OnePieceAdvice",
    old_moves=late("kibitz.onepiece.pages.matches:old_moves"),
)  # fmt: skip

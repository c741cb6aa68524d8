"""The page for those who know the five descriptions leaves no name of theirs out (that its code runs, test_pages.py shows)."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "descriptions.md").read_text(encoding="utf-8")
NAMES = {
    "Card Tracker": """CardTracker processProduction processBuild processBankTrade processPlayerTrade processSteal
        processDiscard processMonopoly processYearOfPlenty getMarginals getConfidence setBank setCardCount maxWorlds
        pruneThreshold""",
    "Catan Counter": """VariantNode VariantTree GameState Variant UnknownTransaction id timestamp thief victim isResolved
        resolvedResource PropbableGameState VariantTransactionProcessor getTransactionChain hasTransactionId
        getNodesWithTransactionId getCurrentVariantNodes resolveAllUnknownTransactions findStolenResourceInChain
        processTransaction processUnknownSteal getTransactionResourceProbabilities resolveUnknownTransaction unknownSteal
        getVariantCount getUnknownTransactions pruneInvalidNodes isUnary addVariantNodes buyDevCard""",
    "Full-Game Catan Analysis Framework": """GamePhase DevCardType PlayerState GameState initialize_game_state
        player_visible_victory_points player_total_victory_points GameAction ROAD_COST SETTLEMENT_COST CITY_COST DEV_COST
        DEV_DECK_COMPOSITION list_legal_actions apply_action longest_road_length_for_player recompute_longest_road
        recompute_largest_army recompute_awards FULL_GAME full_game_rollouts full_game_max_turns full_game_candidate_vertices
        full_game_trade_offer_limit FullGameSummary AnalysisResult FullGameAnalyzer create_analyzer _validate_config
        analysis_seed derive_seed mode_descriptions AnalysisRuntime score_vertex hand settlements cities roads ports dev_cards
        new_dev_cards revealed_vp_cards played_knights played_non_vp_dev_this_turn bank dev_deck robber_tile_id dice_roll
        discard_queue pending_steal_target_ids setup_order pending_setup_vertex_id current_player_id turn_number winner_id
        event_log longest_road_owner largest_army_owner EdgeKey PortType Resource place_setup_settlement place_setup_road
        roll_dice discard_resources move_robber steal_resource skip_steal trade_bank trade_player end_trade_phase build_road
        build_settlement build_city buy_dev_card end_build_phase play_knight play_road_building play_year_of_plenty
        play_monopoly reveal_vp end_turn VertexScore DraftPick MctsLineExplanation explain_lines global_ranking
        predicted_sequence top_recommendations full_game_summary rollout_count player_win_rates expected_turns_to_victory
        average_game_length_turns tempo_score recipe_coverage_score robber_penalty""",
    "Tree (Coup)": """PrimaryActionNode ChallengeNode ChallengeResultNode RevealedCardNode CounterActionPlayerNode
        CounterActionChoiceNode GameEndNode make_next_turn_node Decider MultipleDecider Stochastic""",
    "LoopGuard": """LoopGuard RulesContext checkForLoop loopDetected resolution stoppingPlayer recordState updateLoopGuard
        getRepeatCount createFreshLoopGuardState LoopResolutionResult maxRepeats bothCanStop oneCanStop neitherCanStop
        player1_must_stop player2_must_stop GameEngine PhaseManager handleInfiniteLoop enforceLoopBreaking setGameOver""",
}


@pytest.mark.parametrize("title", NAMES)
def test_every_name_of_a_description_is_there(title: str) -> None:
    sections = {text.partition("\n")[0]: text for text in PAGE.split("\n## ")}
    (section,) = (text for heading, text in sections.items() if heading.startswith(title))
    words = set(re.findall(r"\w+", section))
    assert {name for name in NAMES[title].split() if name not in words} == set()

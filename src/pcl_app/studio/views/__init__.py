"""From plain data to what a page shows: frozen view models, made by pure functions. No HTML and no solving here."""

from pcl_app.studio.views.board import BoardView, CellView, LaneView, Spot, Tile, board_of
from pcl_app.studio.views.controls import Control, Option, controls_of
from pcl_app.studio.views.curve import Curve, curve_of
from pcl_app.studio.views.drafting import ConflictView, DraftView, Swap, conflict_words
from pcl_app.studio.views.figures import Meter, meters_of
from pcl_app.studio.views.learned import LikingView, likings_of, widest
from pcl_app.studio.views.naming import Called, capital, show
from pcl_app.studio.views.picture import Sketch, picture_of
from pcl_app.studio.views.question import Question, question_of, sentence
from pcl_app.studio.views.ruling import (
    RuleChoice,
    RulingView,
    quick_rules,
    rule_choices,
    rule_of,
    rule_places,
    ruling_of,
)
from pcl_app.studio.views.standing import ProgressView, StandingView, meaning_of, progress_of, standings_of

__all__ = [
    "BoardView",
    "Called",
    "CellView",
    "ConflictView",
    "Control",
    "Curve",
    "DraftView",
    "LaneView",
    "LikingView",
    "Meter",
    "Option",
    "ProgressView",
    "Question",
    "RuleChoice",
    "RulingView",
    "Sketch",
    "Spot",
    "StandingView",
    "Swap",
    "Tile",
    "board_of",
    "capital",
    "conflict_words",
    "controls_of",
    "curve_of",
    "likings_of",
    "meaning_of", "meters_of",
    "picture_of",
    "progress_of",
    "question_of",
    "quick_rules",
    "rule_choices",
    "rule_of",
    "rule_places",
    "ruling_of",
    "sentence",
    "show",
    "standings_of",
    "widest",
]  # fmt: skip

"""What every backend that calls HiGHS tells it. Its tolerances stay as they are: tighter ones make it report false optima."""

from typing import Any

HIGHS_OPTIONS: dict[str, Any] = {"mip_heuristic_run_feasibility_jump": False}
"""That heuristic takes 5 to 10 ms however small the model is; without it a part takes 1 to 5 ms in all."""

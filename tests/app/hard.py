"""What no solver finishes while a test waits."""

import json
import random
from pathlib import Path


def hard_problem(folder: Path) -> None:
    """One part in many knapsacks, with weights: its best proposal takes a solver very long."""
    draw = random.Random(1)
    count = 200
    sizes = [[draw.randint(1, 1000) for _ in range(count)] for _ in range(60)]
    lines = ["pcl: 1", "name: knapsacks", "variables: {x: {index: {i: '0..199'}, domain: bool}}", "constraints:"]
    for number, row in enumerate(sizes):
        total = " + ".join(f"{size} * x[{i}]" for i, size in enumerate(row))
        lines.append(f"  - {{name: sack{number}, require: '{total} <= {sum(row) // 3}'}}")
    lines += ["features:", *(f"  - {{name: f{i}, value: 'x[{i}]'}}" for i in range(count))]
    lines += ["parts: [{name: all, variables: 'x[*]'}]", "initial: [{set: 'x[*]', to: false}]"]
    (folder / "sacks.yaml").write_text("\n".join(lines) + "\n")
    (folder / "w.json").write_text(json.dumps([draw.randint(1, 1000) for _ in range(count)]))

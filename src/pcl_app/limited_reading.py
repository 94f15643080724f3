"""Reading a problem that a stranger wrote: a process of its own, which may take so long, so much memory, and no file.

    python -m pcl_app.limited_reading SECONDS BYTES < {"name": ..., "text": ..., "nodes": ...}

It writes one JSON document: `{"ground", "name", "label", "description", "parts", "variables", "features"}`, or `{"error"}`.
"""

import json
import resource
import sys
from typing import Any


def limit(seconds: int, memory: int) -> None:
    """From here on this process can be no burden: no file grows, and what it may not have ends it."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(name: str, text: str, nodes: int) -> dict[str, Any]:
    from pcl_core.authoring import Limits, parse_authored, parse_ground
    from pcl_core.errors import PclError

    limits = Limits(nodes=nodes)
    try:
        ground = name.lower().endswith(".json")
        problem = parse_ground(text, name, limits) if ground else parse_authored(text, name, limits=limits)
    except PclError as error:
        return {"error": error.data()}
    return {
        "ground": problem.to_json(),
        "name": problem.name,
        "label": problem.label or problem.name,
        "description": problem.description or "",
        "parts": len(problem.parts),
        "variables": len(problem.variables),
        "features": len(problem.features),
    }


def main() -> None:
    given = json.loads(sys.stdin.read())
    limit(int(sys.argv[1]), int(sys.argv[2]))
    sys.stdout.write(json.dumps(read(given["name"], given["text"], given["nodes"])))


if __name__ == "__main__":
    main()

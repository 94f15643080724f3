"""Pictures of problems."""

import io
from pathlib import Path

from pcl_app.writing import write_file
from pcl_core import gai_network
from pcl_core.errors import Code, Issue, Location, MissingDependencyError, RequestError
from pcl_core.model import Problem

GRAPH_ENDINGS = (".svg", ".png")
MAX_LABELLED_EDGES = 60
MAX_DRAWN_PARTS = 400


def draw_network(problem: Problem, path: Path) -> None:
    """Draw the GAI network: a node for each part, an edge for each pair of parts that share features.

    Solid edges share local features and carry their number; pale edges share global features only.
    """
    where = Location(str(path))
    if path.suffix.lower() not in GRAPH_ENDINGS:
        raise RequestError(Issue(Code.BAD_VALUE, f"a picture ends in {' or '.join(GRAPH_ENDINGS)}", None, where))
    if len(problem.parts) > MAX_DRAWN_PARTS:
        message = f"{len(problem.parts)} parts are too many to draw (at most {MAX_DRAWN_PARTS})"
        raise RequestError(Issue(Code.BAD_VALUE, message, "use larger parts, or --format json", where))
    try:
        import matplotlib
    except ImportError:
        issue = Issue(Code.MISSING_DEPENDENCY, "drawing needs matplotlib", "pip install 'pcl-elicit[plot]'")
        raise MissingDependencyError(issue) from None
    import networkx as nx

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    network = gai_network(problem)
    local = {problem.features[i].name for i in range(len(problem.features)) if problem.feature_reach(i) == "local"}
    shared = {(a, b): len(local.intersection(edge["features"])) for a, b, edge in network.edges(data=True)}
    solid = {edge: number for edge, number in shared.items() if number}
    # The layout follows the local features; global ones connect everything and would pull all into one heap.
    skeleton: nx.Graph[str] = nx.Graph()
    skeleton.add_nodes_from(network)
    skeleton.add_edges_from(solid)
    start = nx.planar_layout(skeleton) if nx.is_planar(skeleton) else nx.circular_layout(skeleton)
    position = nx.spring_layout(skeleton, pos=start, seed=1, iterations=300, k=4.5 / len(network) ** 0.5)
    size = max(6.0, min(20.0, 2.6 * len(network) ** 0.5))
    figure, axes = plt.subplots(figsize=(size, size * 0.75))
    pale = [edge for edge, number in shared.items() if not number]
    nx.draw_networkx_edges(network, position, edgelist=pale, edge_color="#dddddd", width=0.6, ax=axes)
    widths = [1.0 + 0.5 * min(number, 6) for number in solid.values()]
    nx.draw_networkx_edges(network, position, edgelist=list(solid), edge_color="#4477aa", width=widths, ax=axes)
    features = [2.0 + network.nodes[node]["features"] for node in network]
    sizes = [300 + 400 * value / max(features) for value in features]
    nx.draw_networkx_nodes(network, position, node_size=sizes, node_color="#f5d590", edgecolors="#444444", ax=axes)
    nx.draw_networkx_labels(network, position, font_size=8, ax=axes)
    if len(solid) <= MAX_LABELLED_EDGES:
        nx.draw_networkx_edge_labels(network, position, edge_labels=solid, font_size=7, ax=axes)
    note = "numbers: local features that two parts share"
    axes.set_title(f"{problem.label or problem.name}: parts that share features\n", fontsize=11)
    axes.text(
        0.5,
        1.01,
        note + ("; pale: global features only" if pale else ""),
        transform=axes.transAxes,
        ha="center",
        fontsize=8,
    )
    axes.set_axis_off()
    axes.margins(0.08)
    buffer = io.BytesIO()
    # A fixed date and id salt make equal problems equal files.
    with matplotlib.rc_context({"svg.hashsalt": "pcl", "svg.fonttype": "none"}):
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        figure.savefig(buffer, format=path.suffix[1:].lower(), dpi=150, bbox_inches="tight", metadata=metadata)
    plt.close(figure)
    write_file(path, buffer.getvalue())

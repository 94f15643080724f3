"""The GAI network: parts that share features are neighbours."""

from itertools import combinations
from typing import TYPE_CHECKING

from pcl_core.model.problem import Problem

if TYPE_CHECKING:
    import networkx as nx


def gai_network(problem: Problem) -> "nx.Graph[str]":
    """A node for each part, an edge for each pair that shares features; the edge's `features` names them."""
    import networkx as nx  # here, because it takes longer to import than most commands take to run

    graph: nx.Graph[str] = nx.Graph()
    names = [part.name for part in problem.parts]
    for position, part in enumerate(problem.parts):
        graph.add_node(
            part.name, label=part.label or part.name, features=len(problem.structure.feature_subsets[position])
        )
    for index, parts in enumerate(problem.structure.parts_of_feature):
        for first, second in combinations(parts, 2):
            if graph.has_edge(names[first], names[second]):
                graph.edges[names[first], names[second]]["features"].append(problem.features[index].name)
            else:
                graph.add_edge(names[first], names[second], features=[problem.features[index].name])
    return graph

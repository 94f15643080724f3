"""Problems, their parts and feature subsets, and the network of parts that share features."""

from pcl_core.model.configuration import (
    Configuration,
    FrozenConfiguration,
    combine,
    complement,
    read_configuration,
    restrict,
)
from pcl_core.model.elements import Constraint, Definition, Feature, Part, Structure, Version
from pcl_core.model.evaluation import Assessment, FeatureMap, Vector, assess
from pcl_core.model.labels import Labels, words_of
from pcl_core.model.meaning import Display, Lane, Presentation, Shown
from pcl_core.model.names import ANY, element, select, split_name
from pcl_core.model.own_rules import OWN_LABEL
from pcl_core.model.problem import Problem, ground_schema

__all__ = [
    "ANY",
    "OWN_LABEL",
    "Assessment",
    "Configuration",
    "Constraint",
    "Definition",
    "Display",
    "Feature",
    "FeatureMap",
    "FrozenConfiguration",
    "Labels",
    "Lane",
    "Part",
    "Presentation",
    "Problem",
    "Shown",
    "Structure",
    "Vector",
    "Version",
    "assess",
    "combine",
    "complement",
    "element",
    "ground_schema",
    "read_configuration",
    "restrict",
    "select",
    "split_name",
    "words_of",
]

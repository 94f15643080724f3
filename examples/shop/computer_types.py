"""Types of a problem. Written by `pcl types`: to change them, change the problem and write them anew."""

# ruff: noqa

from typing import Literal, TypeAlias, TypedDict, overload

from pcl_core.typed import (
    ConfigurationSheet,
    Content,
    PartSheet,
    Single,
    Stamp,
    TypedElicitation,
    TypedName,
    TypedQuery,
    ValueSheet,
    WeightSheet,
)

STAMP = Stamp(
    problem="computer",
    content="8a2bfa71b5d174146bc17bcea461a721b22efbe4f6325af62afb46498ac3f221",
)

PartName: TypeAlias = Literal["inside", "pictures", "outside"]
ProcessorValue: TypeAlias = Literal["thrifty", "solid", "fast"]
BoardValue: TypeAlias = Literal["small board", "plain board", "large board"]
MemoryValue: TypeAlias = Literal["8 GB", "16 GB", "64 GB"]
CardValue: TypeAlias = Literal["no card", "short card", "long card"]
DiskValue: TypeAlias = Literal["500 GB", "1 TB", "4 TB"]
CaseValue: TypeAlias = Literal["cube", "tower", "silent tower"]
SupplyValue: TypeAlias = Literal["350 W", "550 W", "silent 650 W"]
ColourValue: TypeAlias = Literal["black", "white", "oak"]
InsidePartName: TypeAlias = Literal["inside"]
PicturesPartName: TypeAlias = Literal["pictures"]
OutsidePartName: TypeAlias = Literal["outside"]
ProcessorName: TypeAlias = Literal["processor"]
BoardName: TypeAlias = Literal["board"]
MemoryName: TypeAlias = Literal["memory"]
CardName: TypeAlias = Literal["card"]
DiskName: TypeAlias = Literal["disk"]
CaseName: TypeAlias = Literal["case"]
SupplyName: TypeAlias = Literal["supply"]
ColourName: TypeAlias = Literal["colour"]

Values = TypedDict(
    "Values",
    {
        "processor": ProcessorValue,
        "board": BoardValue,
        "memory": MemoryValue,
        "card": CardValue,
        "disk": DiskValue,
        "case": CaseValue,
        "supply": SupplyValue,
        "colour": ColourValue,
    },
    total=False,
)

WeightsByName = TypedDict(
    "WeightsByName",
    {
        "price": float,
        "speed": float,
        "games": float,
        "wifi": float,
        "memory": float,
        "noise": float,
        "litres": float,
        "disk of 500 GB": float,
        "disk of 1 TB": float,
        "disk of 4 TB": float,
        "black": float,
        "white": float,
        "oak": float,
    },
    total=False,
)


class Configuration(ConfigurationSheet[Values]):
    """Values of any variables."""

    stamp = STAMP
    processor = Single[ProcessorValue]("processor")
    board = Single[BoardValue]("board")
    memory = Single[MemoryValue]("memory")
    card = Single[CardValue]("card")
    disk = Single[DiskValue]("disk")
    case = Single[CaseValue]("case")
    supply = Single[SupplyValue]("supply")
    colour = Single[ColourValue]("colour")


class InsidePart(PartSheet[Values, InsidePartName]):
    """Parts of this kind: 1 of 3."""

    stamp = STAMP
    processor = Single[ProcessorValue]("processor")
    board = Single[BoardValue]("board")
    memory = Single[MemoryValue]("memory")


class PicturesPart(PartSheet[Values, PicturesPartName]):
    """Parts of this kind: 1 of 3."""

    stamp = STAMP
    card = Single[CardValue]("card")
    disk = Single[DiskValue]("disk")


class OutsidePart(PartSheet[Values, OutsidePartName]):
    """Parts of this kind: 1 of 3."""

    stamp = STAMP
    case = Single[CaseValue]("case")
    supply = Single[SupplyValue]("supply")
    colour = Single[ColourValue]("colour")


class Weights(WeightSheet[WeightsByName]):
    """Weights of features."""

    stamp = STAMP
    price = Single[float]("price")
    speed = Single[float]("speed")
    games = Single[float]("games")
    wifi = Single[float]("wifi")
    memory = Single[float]("memory")
    noise = Single[float]("noise")
    litres = Single[float]("litres")
    disk_of_500_GB = Single[float]("disk of 500 GB")
    disk_of_1_TB = Single[float]("disk of 1 TB")
    disk_of_4_TB = Single[float]("disk of 4 TB")
    black = Single[float]("black")
    white = Single[float]("white")
    oak = Single[float]("oak")


Query: TypeAlias = TypedQuery[PartName, Values, Configuration]


class Elicitation(TypedElicitation[PartName, Values, Configuration]):
    """An elicitation of this problem: `Elicitation(pcl.Elicitation(problem))`."""

    sheet = Configuration

    @overload
    def pin(
        self,
        variable: TypedName[Content],
        value: Content,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: Values | ValueSheet[Values],
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: ProcessorName,
        value: ProcessorValue,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: BoardName,
        value: BoardValue,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: MemoryName,
        value: MemoryValue,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: CardName,
        value: CardValue,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: DiskName,
        value: DiskValue,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: CaseName,
        value: CaseValue,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: SupplyName,
        value: SupplyValue,
    ) -> Query: ...

    @overload
    def pin(
        self,
        variable: ColourName,
        value: ColourValue,
    ) -> Query: ...

    def pin(self, variable: object, value: object = None) -> Query:
        return self._pinned(variable, value)

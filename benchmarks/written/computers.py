"""People with a computer in mind, exactly or by rules."""

from benchmarks.written.making import Wishes, computer

from pcl_core import Problem
from pcl_core.users.wishes import Wish, always, at_least, never

PC_EXACT: dict[str, Wishes] = {
    "Finn, everything into the card": computer(
        "17, saved for two years for one graphics card; the rest may be cheap.",
        case="plain tower",
        board="A620 medium",
        processor="Ryzen 5 7600",
        memory="32 GB DDR5",
        card="RTX 4080",
        drive="1 TB NVMe",
        disk="no disk",
        supply="750 W gold",
        cooler="tower cooler",
    ),
    "Chantal, streams": computer(
        "Streams games, the computer stands in the picture: glass, lights, water, Intel as ever.",
        case="show case",
        board="Z790 large",
        processor="Core i5 13600K",
        memory="32 GB DDR5 lit",
        card="RTX 4060 Ti quiet",
        drive="2 TB NVMe",
        disk="no disk",
        supply="750 W gold",
        cooler="lit water cooler",
    ),
    "Mr Özdemir, tax adviser": computer(
        "One of five for his office: small, cheap, no graphics card, files are on the server.",
        case="small cube",
        board="A620 medium",
        processor="Ryzen 5 7600",
        memory="16 GB DDR5",
        card="no card",
        drive="500 GB NVMe",
        disk="no disk",
        supply="400 W",
        cooler="boxed cooler",
    ),
    "Ewa, server in the cellar": computer(
        "Backups and photographs of the family: a slow processor, a small system drive, the largest disk.",
        case="plain tower",
        board="B760 large DDR5",
        processor="Core i3 13100",
        memory="32 GB DDR5",
        card="no card",
        drive="250 GB SATA",
        disk="8 TB disk quiet",
        supply="500 W bronze",
        cooler="tower cooler",
    ),
    "Walter, silent living room": computer(
        "Films and music beside the television: tiny, wireless, no card that whirs.",
        case="tiny box",
        board="B650 small",
        processor="Ryzen 5 7600",
        memory="16 GB DDR5",
        card="no card",
        drive="1 TB NVMe",
        disk="8 TB disk quiet",
        supply="650 W gold",
        cooler="low cooler",
    ),
    "Lin, student": computer(
        "Little money, old strategy games, and the case goes to the next shared flat too.",
        case="plain tower",
        board="A620 medium",
        processor="Ryzen 5 7600",
        memory="16 GB DDR5",
        card="RX 6400",
        drive="500 GB NVMe",
        disk="1 TB disk",
        supply="400 W",
        cooler="boxed cooler",
    ),
    "Petra, nearly as proposed": computer(
        "Takes the ordinary one; only more memory and a larger drive, for her photographs.",
        case="plain tower",
        board="B650 large",
        processor="Ryzen 5 7600",
        memory="32 GB DDR5",
        card="RX 7600",
        drive="2 TB NVMe",
        disk="no disk",
        supply="650 W gold",
        cooler="tower cooler",
    ),
    "Jan, as proposed but quiet": computer(
        "Plays at night in a room with thin walls: quiet case, quiet cooler, the cooler card; all else as it is.",
        case="silent tower",
        board="B650 large",
        processor="Ryzen 5 7600",
        memory="16 GB DDR5",
        card="RTX 4060",
        drive="1 TB NVMe",
        disk="no disk",
        supply="650 W gold",
        cooler="silent tower cooler",
    ),
    "Malin, cuts films": computer(
        "Documentaries: cores, memory, a fast drive to cut on and a disk for the footage; the card only has to be there.",
        case="silent tower",
        board="X670 large",
        processor="Ryzen 9 7900",
        memory="64 GB DDR5",
        card="RTX 3050",
        drive="2 TB NVMe fast",
        disk="4 TB disk",
        supply="750 W gold",
        cooler="silent tower cooler",
    ),
    "Dr Baumann, computes": computer(
        "Statistics and some neural networks at home: Intel, much memory, an Nvidia card; looks do not matter.",
        case="plain tower",
        board="B760 large DDR5",
        processor="Core i7 13700",
        memory="64 GB DDR5",
        card="RTX 4070",
        drive="2 TB NVMe",
        disk="no disk",
        supply="850 W platinum",
        cooler="water cooler",
    ),
}


def for_the_son(problem: Problem) -> list[Wish]:
    """Sabine buys for her son, 12: nothing that shines, no window, no card that costs a fortune, wireless, from Intel."""
    return [
        never(["memory"], "32 GB DDR5 lit"),
        never(["cooler"], "lit tower cooler", "lit water cooler", "water cooler"),
        never(["case"], "glass tower", "show case"),
        never(["card"], "RTX 4060 Ti quiet", "RX 7800 XT", "RTX 4070", "RTX 4080", "no card"),
        always(["processor"], "Core i5 13400F", "Core i3 13100", "Core i5 13600K"),
        always(["board"], "B760 large DDR5", "Z790 large"),
        always(["drive"], "2 TB NVMe", "2 TB NVMe fast"),
    ]


def free_software(problem: Problem) -> list[Wish]:
    """Ottokar writes software that is free, and has sworn off Nvidia; much memory, eight cores, a decent cooler."""
    return [
        always(["card"], "no card", "RX 6400", "RX 7600", "RX 7800 XT"),
        always(["memory"], "32 GB DDR5", "64 GB DDR5"),
        always(["processor"], "Ryzen 7 7800X3D", "Ryzen 9 7900"),
        never(["cooler"], "boxed cooler", "lit tower cooler", "lit water cooler"),
        never(["drive"], "250 GB SATA", "500 GB NVMe"),
    ]


def composer(problem: Problem) -> list[Wish]:
    """Mirjam composes with microphones in the room: of everything only the quietest; samples need a large drive."""
    return [
        always(["case"], "silent tower"),
        always(["card"], "no card", "RX 6400", "RTX 4060 Ti quiet"),
        always(["disk"], "no disk", "8 TB disk quiet"),
        always(["supply"], "650 W gold", "750 W gold", "850 W platinum"),
        always(["cooler"], "silent tower cooler"),
        always(["drive"], "4 TB NVMe", "2 TB NVMe fast"),
        never(["memory"], "16 GB DDR5", "8 GB DDR4", "16 GB DDR4"),
    ]


def carries_it(problem: Problem) -> list[Wish]:
    """Emeka takes his computer to friends to play: a small case, a fast card, a flat cooler, no disk that can break."""
    return [
        always(["case"], "small cube", "tiny box"),
        always(["card"], "RTX 4060", "RTX 4070"),
        always(["disk"], "no disk"),
        always(["board"], "B650 small"),
        always(["cooler"], "low cooler", "boxed cooler"),
        at_least(1, ["drive"], "2 TB NVMe", "4 TB NVMe", "2 TB NVMe fast"),
    ]


PC_RULES: dict[str, Wishes] = {
    "Sabine, for her son": for_the_son,
    "Ottokar, free software": free_software,
    "Mirjam, composes": composer,
    "Emeka, carries it around": carries_it,
}

"""The pages of the documentation, and what stands in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("examples/**/*.md"), *ROOT.glob("src/**/README.md")]
)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w-]+\.(?:yaml|json))`")


@dataclass(frozen=True)
class Block:
    """A block of code or output; `file` is what the sentence before it calls it, where it is the content of a file."""

    language: str
    text: str
    file: str | None


def blocks(path: Path) -> Iterator[Block]:
    page = path.read_text(encoding="utf-8")
    for found in FENCE.finditer(page):
        before = page[: found.start()].rstrip().rpartition("\n\n")[2]
        names = FILE.findall(before) if before.endswith(":") and found[1] in ("yaml", "json") else []
        yield Block(found[1], found[2], names[0] if len(names) == 1 else None)


@dataclass(frozen=True)
class Shown:
    """A command after `$`, and the output that the page shows of it."""

    command: str
    output: str


def sessions(block: Block) -> Iterator[Shown]:
    """The commands of a block up to the last that has output; those after it are there to be read."""
    if block.language or not block.text.startswith("$ "):
        return
    found = []
    for piece in re.split(r"^\$ ", block.text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        command, _, output = piece.partition("\n")
        found.append(Shown(command.partition("  #")[0].strip(), output))
    while found and not found[-1].output.strip():
        found.pop()
    yield from found


def is_shown(excerpt: str, output: str) -> bool:
    """Whether an excerpt is in the output, line by line; three dots stand for anything, and how long it took differs."""
    lines = [re.escape(line.rstrip()) for line in excerpt.strip("\n").splitlines()]
    pattern = "\n".join(lines)
    pattern = re.sub(r"^(\\ )*(\\\.){3,}$", r"(?:.*\\n)*?.*", pattern, flags=re.MULTILINE)
    pattern = re.sub(r"(\\\.){3,}", r".*", pattern)
    pattern = re.sub(r"\d+\\\.\d+(\\ )?s\b", r"\\d+\\.\\d+\1s", pattern)
    said = "\n".join(line.rstrip() for line in output.splitlines())
    return re.search(f"^{pattern}$", said, re.MULTILINE) is not None

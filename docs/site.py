"""What MkDocs does for this documentation beyond its settings in `mkdocs.yml`: its navigation is the index, equations become
MathML, and a site that would load anything from elsewhere is refused."""

import re
from html.parser import HTMLParser
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

DOCS = Path(__file__).parent
RECORDS = "[the records](adr)"
"""In the index, what stands for all decisions: they are many, and found by their numbers."""
SECTION = re.compile(r"^## ([^:\n]+).*$", re.MULTILINE)
PAGE = re.compile(r"\[([^\]]+)\]\(([^)#\s]+\.md)\)")
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}
"""What a browser fetches by itself; an anchor is followed by the reader, or not."""
STYLED = re.compile(r"url\(\s*[\"']?((?:https?:)?//[^)\"']+)|@import\s+[\"']((?:https?:)?//[^\"']+)")


def with_records(index: str, docs: Path) -> str:
    """The index with the decisions of the folder `adr` in it, by their headings."""
    paths = sorted((docs / "adr").glob("*.md"))
    titles = [path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for path in paths]
    lines = [f"- [{title}](adr/{path.name})" for path, title in zip(paths, titles, strict=True)]
    return index.replace(RECORDS, "\n\n" + "\n".join(lines))


def navigation(index: str) -> list[dict[str, str | list[dict[str, str]]]]:
    """A section for each heading of the index that has pages under it, with their titles there; each page once."""
    found: list[dict[str, str | list[dict[str, str]]]] = [{"Home": "index.md"}]
    seen: set[str] = set()
    _, *sections = SECTION.split(index)
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        pages: list[dict[str, str]] = []
        for name, path in PAGE.findall(text):
            if path not in seen:
                seen.add(path)
                pages.append({" ".join(name.split()): path})
        if pages:
            found.append({title: pages})
    return found


def equation(source: str, language: str, *_: object, **__: object) -> str:
    """A fence of LaTeX as MathML, which browsers draw by themselves."""
    lines = [convert(line, display="block") for line in source.strip().split("\n\n")]
    if unknown := re.findall(r"\\\w+", "".join(lines)):
        raise PluginError(f"an equation has what cannot be drawn: {', '.join(unknown)}")
    return f'<div class="{language}">{"".join(lines)}</div>'


class _Loaded(HTMLParser):
    """The addresses that a page loads from other places."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get(LOADED.get(tag, "")) or ""
        if re.match(r"(https?:)?//", address):
            self.found.append(address)


def loaded_from_elsewhere(site: Path) -> list[str]:
    """What pages and styles of a built site would fetch from a network."""
    found = []
    for path in sorted(site.rglob("*.html")):
        reader = _Loaded()
        reader.feed(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(site)}: {address}" for address in reader.found]
    for path in sorted(site.rglob("*.css")):
        addresses = STYLED.findall(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(site)}: {one or other}" for one, other in addresses]
    return found


def on_config(config: MkDocsConfig) -> None:
    config.nav = navigation(with_records((DOCS / "index.md").read_text(encoding="utf-8"), DOCS))


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    if not page.is_homepage:
        return markdown
    page.meta["hide"] = ["navigation"]
    return with_records(markdown, DOCS)


def on_post_build(config: MkDocsConfig) -> None:
    if outside := loaded_from_elsewhere(Path(config.site_dir)):
        raise PluginError("the site must need no network, but would load " + "; ".join(outside))

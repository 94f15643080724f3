"""What is shipped: the wheel and the source distribution, built once, looked into, and run as if nothing else were installed."""

from pathlib import Path

import pytest
from tools.packages import SOLVERS, build, light_environment, run_light, wrong_in_source, wrong_in_wheel

from tools import release


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(tmp_path_factory.mktemp("packages"))


def test_the_wheel_has_code_data_templates_and_types_and_nothing_else(packages: tuple[Path, Path]) -> None:
    assert wrong_in_wheel(packages[0]) == []


def test_the_source_distribution_has_what_a_wheel_is_made_from(packages: tuple[Path, Path]) -> None:
    assert wrong_in_source(packages[1]) == []


def test_without_extras_small_problems_are_solved_and_a_sentence_says_what_others_need(
    packages: tuple[Path, Path], tmp_path: Path
) -> None:
    assert release.wrong_when_light(packages[0], tmp_path) == []


def test_without_extras_each_command_that_needs_one_names_it(packages: tuple[Path, Path], tmp_path: Path) -> None:
    environment = light_environment(packages[0], tmp_path)
    for line, extra in (
        ("simulate grid --out run", "experiments"),
        ("serve", "studio"),
        ("show grid --graph g.svg", "plot"),
    ):
        done = run_light(environment, tmp_path, *line.split())
        assert done.returncode == 5, done.stderr
        assert done.stderr.endswith(f"(pip install 'pcl-elicit[{extra}]')\n")


def test_what_is_installed_without_extras_has_no_solver(packages: tuple[Path, Path], tmp_path: Path) -> None:
    light_environment(packages[0], tmp_path)
    there = {path.name for path in (tmp_path / "light").iterdir()}
    assert "numpy" in there
    assert not there & {*SOLVERS, "matplotlib", "pyarrow", "fastapi"}


def test_version_changelog_and_citation_agree() -> None:
    assert release.disagreements() == []


@pytest.mark.parametrize(
    ("changelog", "citation", "said"),
    [
        ("## [Unreleased]\n", 'version: "9.9.9"\n', "CITATION.cff must say `version: 1.2.0`"),
        ("## [1.1.0] - 2026-01-01\n", "version: 1.2.0\n", "CHANGELOG.md must begin with"),
        ("## [1.2.0] - 2026-01-02\n", "version: 1.2.0\n", "CITATION.cff must say `date-released: 2026-01-02`"),
        ("## [Unreleased]\n", "version: 1.2.0\n", "CHANGELOG.md has no `## [1.2.0] - "),
    ],
)
def test_where_they_disagree_it_says_what_to_write(
    changelog: str, citation: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src/pcl_core").mkdir(parents=True)
    (tmp_path / "src/pcl_core/version.py").write_text('VERSION = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    (tmp_path / "CITATION.cff").write_text(citation)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert any(line.startswith(said) for line in release.disagreements(released=True))

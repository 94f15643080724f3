"""The look of a report, and the few lines that sort its tables; both stand in the page itself."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6675; --line: #d5dae1; --paper: #ffffff;
  --shade: #f3f5f8; --link: #0b5394; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #a3adba; --line: #3a4350; --paper: #161b22;
  --shade: #1f2630; --link: #8cc1ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1.08rem; margin: 1.5rem 0 .4rem; }
p, li { max-width: 46rem; }
.summary { font-size: 1.08rem; color: var(--soft); }
a { color: var(--link); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
figure { margin: 1.2rem 0; background: #ffffff; color: #1d2430; border: 1px solid var(--line); border-radius: 6px;
  padding: .8rem; }
figure svg { display: block; width: 100%; height: auto; margin: 0 auto; }
figcaption { color: #4a5462; font-size: .9rem; margin-top: .6rem; max-width: 46rem; }
.scroll { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-size: .9rem; min-width: 100%; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem; border-bottom: 1px solid var(--line); }
thead th { background: var(--shade); padding: 0; }
th button { all: unset; box-sizing: border-box; cursor: pointer; display: block; width: 100%; padding: .4rem .7rem;
  font-weight: 600; }
th button:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
th button::after { content: " \\2195"; color: var(--soft); font-weight: 400; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number button { text-align: right; }
.line { min-width: 17rem; padding-left: .8rem; text-indent: -.8rem; }
.verdict { font-weight: 600; white-space: nowrap; }
.verdict::before { display: inline-block; width: 1.3em; }
.holds::before { content: "\\2713"; color: #1a7f37; }
.holds-in-part::before { content: "\\25D0"; color: #b07d00; }
.does-not-hold::before { content: "\\2717"; color: #c0362c; }
.not-tested::before { content: "\\2013"; color: var(--soft); }
@media (max-width: 45rem) { td:not(.number) { min-width: 9rem; } }
@media print { body { font-size: 10pt; } main { max-width: none; padding: 0; } nav { display: none; }
  th button::after { content: "" !important; } figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .scroll { overflow: visible; } }
"""

SCRIPT = """
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const rising = head.getAttribute("aria-sort") !== "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const key = row => row.cells[column].dataset.key;
    const rows = [...table.tBodies[0].rows];
    const numbers = rows.every(row => key(row) === "" || !Number.isNaN(Number(key(row).replace("inf", "Infinity"))));
    const value = row => Number(key(row).replace("inf", "Infinity"));
    rows.sort((first, second) => {
      if (key(first) === "" || key(second) === "") return (key(first) === "") - (key(second) === "");
      const order = numbers ? value(first) - value(second) || 0 : key(first).localeCompare(key(second));
      return rising ? order : -order;
    });
    table.tBodies[0].append(...rows);
  }));
}
"""

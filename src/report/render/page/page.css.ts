/**
 * The stylesheet of the report. System fonts, no address of any kind; every pair of text and ground has a contrast of
 * at least 4.5:1 in both schemes, and the colours of outcomes differ for colour-blind eyes too. Its hash stands in the
 * page's content security policy, so nothing may be added later.
 */
export const pageCss = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --sheet: #ffffff; --ink: #1d2126; --soft: #59616b; --rule: #dcdfe3; --faint: #eef0f2;
  --accent: #24638f; --good: #17693f; --notice: #8a5300; --bad: #b3261e;
  --imported: #2b7a68; --present: #7fb8a8; --refused: #c2352b; --pending: #8c97a5; --inDoubt: #d98e04;
  --rejected: #7d4192; --skipped: #a3a8ae; --hatch: #e4e6e9; --plain: #3f78a3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --sheet: #1b1f24; --ink: #e6e8eb; --soft: #a3abb5; --rule: #353b43; --faint: #262b31;
    --accent: #84bbe3; --good: #72c79b; --notice: #e6b155; --bad: #ff8f85;
    --imported: #2f9480; --present: #9ad8c8; --refused: #ec6a5e; --pending: #667080; --inDoubt: #e0a030;
    --rejected: #b583c8; --skipped: #6d747d; --hatch: #30363d; --plain: #5f9cc9;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0 auto; max-width: 66rem; padding: 2.5rem 1.5rem 3rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  overflow-wrap: break-word;
}
h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
h1 { font-size: clamp(1.4rem, 1.1rem + 1.5vw, 2rem); line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; text-wrap: pretty; }
h2 { font-size: 1.3rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; margin-bottom: 1rem; }
h3 { font-size: 1rem; font-weight: 650; margin: 1.75rem 0 0.6rem; }
h2 + h3, .pair h3:first-child { margin-top: 0; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
code { font: 0.86em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
bdi { overflow-wrap: anywhere; }
svg { display: block; }
svg text { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }

.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--sheet); padding: 0.25rem 0.5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.defs { position: absolute; }

header { border-top: 5px solid var(--soft); padding-top: 1.1rem; }
header.good { border-color: var(--good); } header.good .mark { color: var(--good); }
header.notice { border-color: var(--notice); } header.notice .mark { color: var(--notice); }
header.bad { border-color: var(--bad); } header.bad .mark { color: var(--bad); }
.mark {
  display: inline-block; width: 1.35em; height: 1.35em; line-height: 1.25em; text-align: center; font-size: 0.75em;
  border: 0.09em solid; border-radius: 50%; vertical-align: 0.12em; margin-right: 0.15em;
}
.eyebrow { color: var(--soft); font-size: 0.9rem; margin-bottom: 0.5rem; }
.route { margin-top: 0.75rem; }
.when { color: var(--soft); font-size: 0.9rem; }
.stopped { margin-top: 1rem; padding: 0.75rem 1rem; border: 1px solid var(--bad); border-radius: 6px; background: var(--sheet); }

.changed { margin-top: 1rem; padding: 0.75rem 1rem; border: 1px solid var(--notice); border-radius: 6px; background: var(--sheet); font-size: 0.92rem; }
.changed ul { padding-left: 1.2rem; }

.glance { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(13.5rem, 1fr)); gap: 0.75rem; margin-top: 1.5rem; }
.glance li { padding: 0.9rem 1.1rem 1rem; background: var(--sheet); border: 1px solid var(--rule); border-top: 3px solid var(--plain); border-radius: 8px; }
.glance li.good { border-top-color: var(--good); } .glance li.notice { border-top-color: var(--notice); } .glance li.bad { border-top-color: var(--bad); }
.glance b { display: block; font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.glance span { display: block; font-weight: 550; }
.glance small { display: block; margin-top: 0.35rem; color: var(--soft); font-size: 0.85rem; line-height: 1.4; }

nav { margin: 1.5rem 0 0; padding: 0.7rem 0; border: solid var(--rule); border-width: 1px 0; font-size: 0.9rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.3rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }

section { padding: 2.25rem 0 0; }
.intro, .note, .aside, .empty { color: var(--soft); }
.intro { margin: -0.5rem 0 1rem; }
.note, .aside { font-size: 0.9rem; margin-top: 0.5rem; }

.sum {
  display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.5rem 0.9rem; padding: 0.8rem 1.1rem;
  background: var(--sheet); border: 1px solid var(--rule); border-radius: 8px; font-variant-numeric: tabular-nums;
}
.sum + .sum { margin-top: 0.6rem; }
.term b { display: block; font-size: 1.45rem; line-height: 1.25; font-weight: 600; }
.term span { color: var(--soft); font-size: 0.9rem; }
.term.none b { color: var(--soft); font-weight: 400; }
.part { display: flex; gap: 0.9rem; }
.op { font-size: 1.45rem; line-height: 1.25; color: var(--soft); }
.check { margin-top: 0.6rem; color: var(--good); font-weight: 550; }
.check.bad { color: var(--bad); }
.outcomes { margin-top: 2rem; }
.outcomes table { margin-top: 0.9rem; }

table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
caption { text-align: left; font-weight: 650; font-size: 1rem; padding: 0 0 0.4rem; }
th, td { text-align: left; vertical-align: baseline; padding: 0.38rem 1rem 0.38rem 0; border-bottom: 1px solid var(--faint); font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: 0.85rem; border-bottom-color: var(--rule); white-space: nowrap; }
.number, .date { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.bar, th.bar { width: 50%; min-width: 5rem; }
td.bar { vertical-align: middle; }
.number + .text, .number + .bar { padding-left: 1rem; }
.group table { table-layout: fixed; }
.group tbody tr:last-child > * { border-bottom: 0; padding-bottom: 0; }
td.place, th.place { min-width: 9rem; }
.zero { color: var(--soft); font-style: normal; }
.sub { color: var(--soft); font-size: 0.88em; margin-left: 0.2rem; }
.outcomes + table { margin-top: 2rem; }

th button { all: unset; cursor: pointer; padding: 0.1rem 0; }
th button:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 0.2em; }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
th[aria-sort] { color: var(--ink); font-weight: 600; }
th[aria-sort=ascending] button::after { content: " ▲"; font-size: 0.8em; }
th[aria-sort=descending] button::after { content: " ▼"; font-size: 0.8em; }
.filter { display: block; margin: 0 0 0.6rem; color: var(--soft); font-size: 0.92rem; }
.filter input { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 6px; padding: 0.25rem 0.6rem; margin: 0 0.5rem; width: min(18rem, 100%); }
[hidden] { display: none !important; }

.scroll { overflow-x: auto; max-height: 36rem; overflow-y: auto; border: 1px solid var(--rule); border-radius: 8px; background: var(--sheet); }
.scroll caption { padding: 0.7rem 0.9rem; }
.note + .scroll { margin-top: 0.6rem; }
table.wide th, table.wide td { padding: 0.4rem 0.7rem; }
table.wide tbody th, table.wide td.text { min-width: 10rem; }
table.wide th:first-child { padding-left: 0.9rem; }
table.wide thead th { position: sticky; top: 0; background: var(--sheet); }

.swatch { display: inline-block; vertical-align: -1px; margin-right: 0.25rem; border-radius: 2px; }
svg.bar { border-radius: 3px; }
svg.bar.thick { border-radius: 6px; }
.s-imported { fill: var(--imported); } .s-present { fill: var(--present); } .s-refused { fill: var(--refused); }
.s-pending { fill: var(--pending); } .s-inDoubt { fill: var(--inDoubt); } .s-rejected { fill: var(--rejected); }
.s-skipped { fill: url(#hatch); } .s-plain, .plot rect { fill: var(--plain); }
.hatch-ground { fill: var(--hatch); } .hatch-line { fill: var(--skipped); }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; font-size: 0.9rem; color: var(--soft); margin-top: 0.6rem; }

.timeline { display: grid; grid-template-columns: auto 1fr; }
.plot { overflow: visible; }
.plot .grid { stroke: var(--faint); } .plot .base { stroke: var(--soft); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 2.25rem; margin-top: 2rem; }
.pair td.bar, .pair th.bar { width: 34%; min-width: 3rem; }

.groups { list-style: none; display: grid; gap: 0.75rem; }
.group { padding: 0.8rem 1.1rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: 8px; }
.group.blocks { border-left: 4px solid var(--bad); } .group.decision { border-left: 4px solid var(--notice); }
.group p + p { margin-top: 0.25rem; }
.group .head { margin-bottom: 0.15rem; }
.remedy b { font-weight: 600; }
.remedy b::after { content: ":"; }
.head .count { font-size: 1.15rem; font-weight: 650; font-variant-numeric: tabular-nums; margin-right: 0.4rem; }
.head code { color: var(--soft); }
.group details { margin-top: 0.4rem; }
.group .empty { font-size: 0.9rem; }
details { margin-top: 1rem; }
summary { cursor: pointer; color: var(--accent); font-size: 0.92rem; width: fit-content; }
details[open] summary { margin-bottom: 0.5rem; }

.facts div { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1rem; padding: 0.38rem 0; border-bottom: 1px solid var(--faint); font-size: 0.92rem; }
.lead { color: var(--ink); font-weight: 550; margin-top: 0; }
.alarm { color: var(--bad); }
.facts + table { margin-top: 1.5rem; }
.facts dt { color: var(--soft); }
.facts ul { list-style: none; }
footer { margin-top: 3rem; padding-top: 0.8rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: 0.85rem; }

@media screen and (max-width: 44rem) {
  body { padding: 1.25rem 1rem 2rem; }
  .pair { grid-template-columns: minmax(0, 1fr); }
  .plot .wide { display: none; }
  .sum { padding: 0.7rem 0.8rem; }
  .sum, .part { gap: 0.4rem 0.6rem; }
  .term b, .part { display: flex; gap: 0.9rem; }
  .op { font-size: 1.2rem; }
  .glance { grid-template-columns: 1fr 1fr; gap: 0.5rem; }
  .glance li { padding: 0.6rem 0.75rem 0.7rem; } .glance b { font-size: 1.35rem; }
  table.stack thead button { display: none; }
  table.stack thead { position: absolute; clip-path: inset(50%); }
  table.stack tr { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; padding: 0.4rem 0; border-bottom: 1px solid var(--faint); }
  table.stack th, table.stack td { display: block; border: 0; padding: 0; min-width: 0; }
  table.stack td.number { order: 1; padding-left: 0.9rem; }
  table.stack td.number + td.number { min-width: 4.2rem; }
  table.stack .number + .text { padding-left: 0; }
  table.stack td.bar { order: 2; grid-column: 1 / -1; width: auto; padding: 0.25rem 0; }
  table.stack td.text { order: 3; grid-column: 1 / -1; color: var(--soft); }
  table.stack th.place { grid-column: 1 / -1; }
  .facts div { grid-template-columns: 1fr; }
}
@media print {
  :root {
    font-size: 10pt;
    --ground: #ffffff; --sheet: #ffffff; --ink: #000000; --soft: #4a5058; --rule: #c4c8cd; --faint: #e3e5e8; --accent: #000000;
    --imported: #2b7a68; --present: #7fb8a8; --refused: #c2352b; --pending: #8c97a5; --inDoubt: #d98e04;
    --rejected: #7d4192; --skipped: #a3a8ae; --hatch: #ffffff; --plain: #3f78a3;
  }
  body { max-width: none; padding: 0; }
  nav, .skip, .filter { display: none; }
  .glance { grid-template-columns: repeat(4, 1fr); }
  .glance li { padding: 0.6rem 0.8rem; }
  th[aria-sort] button::after { content: ""; }
  details:not([open]) { display: none; }
  .scroll { max-height: none; overflow: visible; border: 0; }
  table.wide { font-size: 7.5pt; }
  table.wide th, table.wide td { padding: 0.2rem 0.4rem; }
  table.wide tbody th, table.wide td.text { min-width: 0; }
  h2, h3 { break-after: avoid; }
  tr, .glance li, #funnel, #verify-results, .group, .sum, .timeline, header { break-inside: avoid; }
}
`;

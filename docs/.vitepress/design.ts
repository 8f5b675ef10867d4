import { html, nothing, type SafeHtml, styleElement } from '../../src/lib/text/html.ts';
import { bar, facts, number, patterns, sum, swatch, table } from '../../src/report/render/page/elements.ts';
import { timeline } from '../../src/report/render/page/timeline.ts';
import { timeBins } from '../../src/report/time-bins.ts';
import { icons } from '../../src/web/icons.ts';
import { styleOf } from '../../src/web/styles.ts';

/** The page that shows every component as the desk, the viewer and the report have it: their own style sheets, in both colours side by side. */

const sheets = styleOf('report/render/page/sections.css');

/** Names of properties of `tokens.css`. */
const namesOf = (pattern: RegExp): readonly string[] =>
  Array.from(sheets.split('/* Elements')[0]!.matchAll(pattern), ([, name]) => name!);

const colours = namesOf(/--([a-z-]+): light-dark/g);
const sizes = ['small', 'text', 'large', 'title'] as const;

const own = `
main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
main > h1, main > p { grid-column: 1 / -1; padding: 1.5rem 2rem 0; } main > p { padding-bottom: 1.5rem; }
.theme { padding: 1.5rem 2rem 3rem; background: var(--sheet); color: var(--ink); min-width: 0; }
.light { color-scheme: light; } .dark { color-scheme: dark; }
.theme section { padding: 1.4rem 0 0; } .theme h3 { margin: 0 0 0.7rem; }
.line { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 0.6rem; font-size: var(--small); }
.tiles li { min-width: 0; } .ground { height: 2.4rem; border: 1px solid var(--rule); border-radius: var(--radius); } .tiles .icon { width: 1.6rem; height: 1.6rem; display: block; }
${colours.map((name) => `.of-colour-${name} { background: var(--${name}); }`).join('\n')}
${sizes.map((name) => `.of-size-${name} { font-size: var(--${name}); }`).join('\n')}
@media (max-width: 60rem) { main { grid-template-columns: minmax(0, 1fr); } .theme { padding-inline: 1rem; } }
`;

/** The whole page, as a file. */
export const designPage = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Design – Chatferry</title>
${styleElement(sheets + own)}
</head>
<body>
<main>
<h1>Design</h1>
<p>Colours, sizes, icons and components of the desk, the viewer and the report, drawn by their own style sheets.</p>
${['light', 'dark'].map(
  (theme) =>
    html`<div class="theme report ${theme}"><h2>${theme === 'light' ? 'Light' : 'Dark'}</h2>${theme === 'light' ? patterns : nothing}${parts(theme)}</div>`,
)}
</main>
</body>
</html>
`.toString();

const part = (title: string, body: SafeHtml): SafeHtml => html`<section><h3>${title}</h3>${body}</section>`;

const icon = (path: string): SafeHtml =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;

const parts = (theme: string): readonly SafeHtml[] => [
  part(
    'Colours',
    html`<ul class="tiles">${colours.map((name) => html`<li><div class="ground of-colour-${name}"></div>${name}</li>`)}</ul>`,
  ),
  part('Sizes', html`${sizes.map((name) => html`<p class="of-size-${name}">${name}: every message arrived</p>`)}`),
  part(
    'Icons',
    html`<ul class="tiles">${Object.entries(icons).map(([name, path]) => html`<li>${icon(path)}${name}</li>`)}</ul>`,
  ),
  part(
    'Buttons',
    html`<p class="line"><button type="button" class="main">The next action</button><button type="button">Another</button><button type="button" class="quiet">Quiet</button><button type="button" disabled>Disabled</button><button type="button">${icon(icons.chats)} With an icon</button></p>`,
  ),
  part(
    'Fields and choices',
    html`<div class="fields"><label class="field">Name<input type="text" placeholder="Ana Pereira"></label><label class="field">Region<select><option>eu</option><option>us</option></select></label><label class="field">Note<textarea rows="2"></textarea></label></div>
<label class="choice"><input type="checkbox" checked> A choice of several</label><label class="choice"><input type="radio" checked> A choice of one</label>
<progress value="3" max="5" aria-label="Progress"></progress>`,
  ),
  part(
    'Callouts, card and badge',
    html`<p class="notice">Look at this: <a href="#top">three decisions are open</a></p><p class="problem">This stops: the key was refused</p><p class="decided">Decided by Ana Pereira</p>
<div class="card"><p class="row-head"><b>A card</b><span class="soft">412 messages</span></p><p>With a badge <span class="tag">proposed</span> and a <mark>found word</mark>, a path <code>general/2024-03-01.json</code>.</p></div>`,
  ),
  part(
    'Names with values',
    facts([
      ['Destination', 'sandbox'],
      ['Messages', '1,031'],
    ]),
  ),
  part(
    'Table',
    table({
      id: `rows-${theme}`,
      caption: 'Messages by conversation',
      rows: conversations,
      columns: [
        { title: 'Conversation', cell: ({ name }) => name },
        {
          title: 'Share',
          kind: 'bar',
          cell: ({ count }) => bar([{ name: 'imported', label: 'imported', count }], 412),
        },
        { title: 'Messages', kind: 'number', cell: ({ count }) => number(count) },
      ],
    }),
  ),
  part(
    'Sums and bars',
    html`${sum(1_385, 'read', [
      ['planned', 1_031],
      ['skipped', 351],
      ['invalid', 3],
    ])}
<p class="legend">${outcomes.map(({ name }) => html`<span>${swatch(name)} ${name}</span> `)}</p>${bar(outcomes, 220, 'thick')}`,
  ),
  part('Chart', timeline(timeBins(months))),
];

const conversations = [
  { name: 'general', count: 412 },
  { name: 'random', count: 120 },
  { name: 'empty', count: 0 },
];

const outcomes = [
  'imported',
  'existing',
  'failed',
  'pending',
  'unconfirmed',
  'invalid',
  'skipped',
  'missed',
  'hidden',
  'detail',
].map((name, index) => ({ name, label: name, count: 40 - 4 * index }));

const months = [83, 140, 200, 118, 0, 63, 171, 247].map((count, index) => ({ month: `2016-0${index + 1}`, count }));

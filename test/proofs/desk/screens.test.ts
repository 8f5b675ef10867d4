import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../requirements.ts';
import { firstOf } from '../../tier.ts';
import { type MadeState, serveMadeDesk } from '../../scenes/made-desk.ts';

const executablePath = chromiumPath();
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Every view by its address, with what is there once it is shown. */
const views = [
  'source',
  'conversations',
  'source/another',
  'source/slack',
  'decide',
  'decide/source.messages.reply',
  'choices',
  'tables',
  'tables/chat_message',
  'map',
  'rehearse',
  'go',
];

/** Both colours and two widths are in the first two. The nightly looks at the others as well. */
const screens = [
  { name: 'light-1280', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark-390', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { name: 'dark-1280', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'light-390', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'light-1600', colorScheme: 'light', viewport: { width: 1600, height: 1000 } },
  { name: 'dark-1600', colorScheme: 'dark', viewport: { width: 1600, height: 1000 } },
  // A window of 1280 pixels whose page is shown at 200 %.
  { name: 'light-640', colorScheme: 'light', viewport: { width: 640, height: 450 } },
] as const;

/** Folder to which a picture of each view is written, for people to look at. */
const pictures = process.env.CHATFERRY_SCREENS;

const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))]))`;

/** A page inside the desk whose contents are wider than they have room for: what no reader can see. */
const widths = `[document.documentElement.scrollWidth, document.getElementById('main').scrollWidth - document.getElementById('main').clientWidth]`;

const hiddenHeight = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.getElementById('main'))`;

describe.skipIf(executablePath === null)('every step of the desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test.each<MadeState>(['empty', 'usual', 'error', 'huge'])(
    'is accessible, fits, and says nothing to the console: %s',
    async (state) => {
      const desk = await serveMadeDesk(state);
      const page = await browser.newPage({ bypassCSP: true });
      const lines = linesOf(page);
      await page.goto(desk.entrance());
      await page.evaluate(axe);
      for (const { name, colorScheme, viewport } of pictures ? screens : firstOf(2, screens)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        for (const view of views) {
          await show(page, view);
          const found = await page.evaluate(runAxe);
          expect([state, name, view, found]).toEqual([state, name, view, []]);
          expect([view, await page.evaluate(widths)]).toEqual([view, [viewport.width, 0]]);
          await picture(page, `${view.replaceAll(/[/:]/g, '-')}-${state}-${name}`);
        }
      }
      expect([state, lines]).toEqual([state, []]);
      await page.close();
      await desk.close();
    },
  );
});

function linesOf(page: Page): readonly string[] {
  const lines: string[] = [];
  page.on('pageerror', (error) => lines.push(error.message));
  page.on('console', (line) => {
    // Chromium says that a request was refused: a part of the state in which all are.
    if (!line.text().startsWith('Failed to load resource')) lines.push(line.text());
  });
  return lines;
}

/** Shows a view and waits until nothing of it is awaited any more. */
async function show(page: Page, view: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${view}'`);
  await page.waitForFunction(
    `location.hash === '#/${view}' && document.querySelector('#main h1') && ![...document.querySelectorAll('#main .empty')].some(({ textContent }) => textContent.endsWith('…'))`,
  );
  await page.waitForFunction(`!document.querySelector('#main [aria-busy="true"]')`);
}

/** Height of a picture at most: a view of everything that a page of rows may hold is longer. */
const heightMax = 3_000;

/** The whole view, also what has to be scrolled to. */
async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  const { width, height } = page.viewportSize()!;
  const hidden = Number(await page.evaluate(hiddenHeight));
  await page.setViewportSize({ width, height: Math.min(height + hidden, heightMax) });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.setViewportSize({ width, height });
}

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { chromiumPath } from '../requirements.ts';
import { dryRun, emptyReport, finishedImport, hugeImport, troubledImport } from '../report/fixture.ts';

const executablePath = chromiumPath();
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const timeout = 120_000;

const reports: readonly (readonly [name: string, data: ReportData])[] = [
  ['a plan', dryRun()],
  ['an import that went well', finishedImport()],
  ['an import that stopped, with differences', troubledImport()],
  ['a verification with differences', { ...troubledImport(), command: 'verify', stopped: null }],
  ['many rejects', hugeImport()],
  ['an empty export', emptyReport()],
];

describe.skipIf(executablePath === null)('axe', () => {
  let browser: Browser;
  let directory: string;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    directory = await mkdtemp(join(tmpdir(), 'chatferry-axe-'));
  });
  afterAll(async () => {
    await browser.close();
    await rm(directory, { recursive: true });
  });

  const screens = [
    { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
    { colorScheme: 'light', viewport: { width: 360, height: 740 } },
    { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
  ] as const;

  test.each(reports)(
    'finds nothing on the report of %s, in light and dark, wide and narrow',
    { timeout },
    async (_, data) => {
      for (const screen of data.conversations.length > 100 ? [screens[0], screens[3]] : screens)
        expect(await violations(renderHtml(data), screen)).toEqual([]);
    },
  );

  test('finds the errors on a broken page', { timeout }, async () => {
    const broken = renderHtml(dryRun())
      .replace('<html lang="en">', '<html>')
      .replace('<main id="main">', '<main id="main"><input>');
    expect(await violations(broken, screens[0])).toEqual([
      expect.stringMatching(/^html-has-lang: /),
      expect.stringMatching(/^label: /),
    ]);
  });

  /** Every rule of axe, best practices among them, on the page with all its folds open. */
  async function violations(html: string, screen: (typeof screens)[number]): Promise<readonly string[]> {
    const path = join(directory, 'report.html');
    await writeFile(path, html);
    // The page allows no script but its own.
    const page = await browser.newPage({ ...screen, bypassCSP: true });
    await page.goto(pathToFileURL(path).href);
    await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
    await page.evaluate(axe);
    const found = await page.evaluate<readonly string[]>(runAxe);
    await page.close();
    return found;
  }
});

/** Runs in the browser: `rule: element` of each violation. */
const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => id + ': ' + html.slice(0, 160))).sort())`;

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { expectFaultless, openDesk, screens, widthOf } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const sample = (path: string) => join(import.meta.dirname, '../../../samples', path);

describe.skipIf(executablePath === null)('the desk in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  const open = (args: readonly string[], options: BrowserContextOptions = {}) =>
    openDesk(browser, args, { folder: home.make() }, options);

  test('an export is recognised, counted by the command that the page shows, and searched by keyboard', async () => {
    const { page, caught, close } = await open([sample('slack/every-feature/export')]);
    await page.waitForSelector('h1 >> text=Slack export');
    await page.waitForSelector('.totals-of-export >> text=35');
    expect(await page.locator('.terminal code').allTextContents()).toEqual([
      expect.stringMatching(/chatferry inspect \/.*export$/),
      expect.stringMatching(/chatferry plan \/.*export$/),
    ]);
    await page.locator('#find').press('g');
    await page.keyboard.type('eneral/');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('#main').textContent()).toContain('List of canvases; holds no messages');
    expect(caught).toEqual([]);
    await close();
  });

  test('names in an export do nothing in the page, whatever they are', async () => {
    const folder = home.make();
    const names = [
      '<img src=x onerror=alert(1)>',
      '"><svg onload=alert(2)>',
      "'-alert(3)-'",
      '\u202Egnp.tla',
      'a'.repeat(200),
    ];
    for (const name of names) {
      writeFileSync(join(folder, `${name}.log`), '[18:30] <ann> Hi\n[18:31] <bob> Hello\n');
      writeFileSync(join(folder, `${name}.bson`), 'x');
    }
    const { page, caught, close } = await open([folder, '--source', 'irc'], screens[1]);
    await page.waitForSelector('.parts tbody tr');
    const shown = await page.locator('#main').textContent();
    for (const name of names) expect(shown).toContain(`${name}.log`);
    expect(await page.locator('#main :is(img, svg:not(.icon))').count()).toBe(0);
    expect([await widthOf(page), caught]).toEqual([screens[1].viewport.width, []]);
    await close();
  });

  test('nothing is wrong with the page of an export, of a database and of neither, in any colours and widths', async () => {
    for (const [path, wanted] of [
      [sample('slack/every-feature/export'), '.totals-of-export'],
      [sample('csv/two-people/export.csv'), 'h2 >> text=To decide'],
      [import.meta.filename, '.problem'],
    ] as const) {
      const { page, close } = await open([path], { bypassCSP: true });
      await page.waitForSelector(wanted);
      await expectFaultless(page);
      await close();
    }
  });
});

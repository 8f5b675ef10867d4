import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, serveSandbox, testKey } from '../../cli/process.ts';
import { chromiumPath } from '../../requirements.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { button, chooseDestination, confirmReading, goToStep, openDesk } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const sample = join(import.meta.dirname, '../../../samples/csv/two-people/export.csv');

/** What takes a process of its own has so long, in ms. */
const timeout = 60_000;

const openCards = (page: Page) => page.locator('.rows .row').filter({ hasNotText: 'decided by' });

/** Waits until the page knows what the terminal has done: the second answer from now on was asked for afterwards. */
async function seen(page: Page): Promise<void> {
  for (let answers = 0; answers < 2; answers++) await page.waitForResponse(/\/desk\/data\/state$/);
}

/** A card that is as new as the list: a choice in an older one may be undone. */
const shown = '.decision[aria-busy="false"] .answer';

/** Chooses the first answer of the card that is shown. */
async function choose(page: Page, title: string): Promise<void> {
  await page.locator('.rows a', { hasText: title }).click();
  await page.waitForSelector(`.decision h2 >> text=${title}`);
  await page.waitForSelector(shown);
  await page.locator('.answer input').first().check();
}

describe.skipIf(executablePath === null)('a migration', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('goes on in a terminal where the browser stopped, and in the browser where the terminal stopped', async () => {
    const folder = home.make();
    const { url, data } = await serveSandbox(home.make());
    const key = join(home.make(), 'key');
    writeFileSync(key, testKey, { mode: 0o600 });
    const terminal = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(args, { folder });
      // 2: nobody has confirmed the reading yet. 3: one row of the sample names nobody to whom it was sent.
      const expected = { plan: 2, undo: 0 }[args[0]!] ?? 3;
      expect([args, code, stdout + stderr]).toEqual([args, expected, expect.any(String)]);
    };
    const mapping = () => readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8');
    const { page, caught, close } = await openDesk(browser, [sample], { folder });
    await page.locator('#me').fill('Ana');
    await goToStep(page, 'Decide');
    await page.waitForSelector('h1 >> text=4 to decide', { timeout });

    // Decide: a question here, one there; then one with a page that has not seen that yet.
    await choose(page, 'time zone');
    await button(page, 'Decide').click();
    await page.waitForSelector('h1 >> text=3 to decide', { timeout });
    await choose(page, 'conversation');
    await page.route('**/desk/data/state', () => {});
    const { code } = await run(['init', sample, '--yes', '--no-count', '--set', 'source.messages.author=from'], {
      folder,
    });
    expect(code).toBe(2);
    await button(page, 'Decide').click();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.waitForSelector('.problem >> text=The files changed meanwhile', { timeout });
    expect(mapping()).toContain('author: from');
    await page.waitForSelector('h1 >> text=2 to decide', { timeout });
    for (let left = 2; left > 0; left--) {
      await openCards(page).first().click();
      await page.waitForSelector(shown);
      await page.locator('.answer input').first().check();
      await button(page, 'Decide').click();
      await expect.poll(() => page.locator('h1').textContent(), { timeout }).not.toMatch(`${left} to decide`);
    }
    for (const answer of ['zone: UTC', 'author: from']) expect(mapping()).toContain(answer);

    // Plan there; a uid here; plan and rehearse here.
    await terminal('plan');
    await page.waitForSelector('.steps .is-open >> text=People', { timeout });
    await goToStep(page, 'People');
    const uid = page.locator('.uid input').first();
    await uid.fill('first-person');
    await uid.press('Enter');
    await page.waitForSelector('.uid >> text=written', { timeout });
    await terminal('plan');
    await seen(page);
    await confirmReading(page);
    await goToStep(page, 'Rehearse');
    await seen(page);
    await button(page, 'Rehearse').click();
    await page.waitForSelector('.run-line >> text=Rehearsing: done', { timeout });
    await goToStep(page, 'Go');
    await button(page, 'Sign off as Ana').click();
    await page.waitForSelector('.signed >> text=Signed off by Ana', { timeout });

    // Import there; seen, verified and taken back here.
    await terminal('import', '--to', url, '--api-key-file', key, '--yes');
    const arrived = [...sandboxContents(data).values()].flat();
    expect(arrived.length).toBeGreaterThan(0);
    await goToStep(page, 'Go');
    await seen(page);
    await chooseDestination(page, url, key);
    await page.waitForSelector(`.verdict >> text=All ${arrived.length} planned messages have arrived`, { timeout });
    await button(page, 'Verify').click();
    await page.waitForSelector('.run-line >> text=Verifying: done', { timeout });
    await terminal('undo', '--yes', '--to', url, '--api-key-file', key);
    expect(sandboxContents(data)).toEqual(new Map());
    // Chromium says which request was refused: the one of the page that was stale.
    expect(caught).toEqual([expect.stringContaining('status of 409')]);
    await close();
  });
});

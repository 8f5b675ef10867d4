import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chromiumPath } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { button, goToStep, openDesk, runBy } from '../proofs/desk/desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const sample = join(import.meta.dirname, '../../samples/csv/two-people/export.csv');
/** Steps with a process of their own have so long, in ms. */
const timeout = 60_000;

async function openCard(page: Page, key: string): Promise<void> {
  await page.locator(`.rows a[href$="${key}"]`).click();
  await page.waitForSelector(`.rows a[href$="${key}"][aria-current="page"]`);
  await page.waitForSelector('.decision[aria-busy="false"] .answer');
}

const refused = (page: Page) => page.waitForSelector('.problem >> text=The files changed meanwhile', { timeout });

describe.skipIf(executablePath === null)('two browsers at one desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('write over each other only what they have seen', async () => {
    const folder = home.make();
    const file = (name: string) => readFileSync(join(folder, name), 'utf8');
    const { page: ana, another, close } = await openDesk(browser, [sample], { folder });
    const boris = await another();
    for (const [page, name] of [
      [ana, 'Ana'],
      [boris, 'Boris'],
    ] as const) {
      await page.locator('#me').fill(name);
      await goToStep(page, 'Decide');
      await page.waitForSelector('h1 >> text=4 to decide', { timeout });
      await openCard(page, 'zone');
    }
    // She knows already that something has changed, and reads the card again.
    await ana.locator('#own').check();
    await ana
      .getByLabel(/^Another time zone/)
      .and(ana.locator('select'))
      .selectOption('Europe/Berlin');
    await ana.route('**/desk/data/card?*', (route) => setTimeout(() => void route.continue().catch(() => {}), 5_000));
    await boris.locator('.answer input').first().check();
    await button(boris, 'Decide').click();
    await ana.waitForSelector('h1 >> text=3 to decide', { timeout });
    await button(ana, 'Decide').click();
    await refused(ana);
    expect(file('chatferry.mapping.yaml')).toContain('zone: UTC');
    await ana.unrouteAll({ behavior: 'ignoreErrors' });
    await ana.waitForSelector('.decided >> text=by Boris', { timeout });

    // Different decisions at once: one of them is refused, and made again.
    const cards = ['messages.author', 'messages.conversation'] as const;
    for (const [index, page] of [ana, boris].entries()) {
      await openCard(page, cards[index]!);
      await page.locator('.answer input').first().check();
    }
    await Promise.all([ana, boris].map((page) => button(page, 'Decide').click()));
    for (const [index, page] of [ana, boris].entries()) {
      await page.waitForSelector('h1 >> text=/^[12] to decide/', { timeout });
      const row = page.locator(`.rows a[href$="${cards[index]!}"]`);
      if ((await row.textContent())?.includes('decided by')) continue;
      await openCard(page, cards[index]!);
      await page.locator('.answer input').first().check();
      await button(page, 'Decide').click();
    }
    await ana.waitForSelector('h1 >> text=1 to decide', { timeout });
    expect(parse(file('chatferry.mapping.yaml'))).toMatchObject({
      source: { zone: 'UTC', messages: { author: 'from', conversation: expect.anything() } },
    });
    await ana.locator('.rows .row').filter({ hasNotText: 'decided by' }).click();
    await ana.locator('.answer input').first().check();
    await button(ana, 'Decide').click();
    await ana.waitForSelector('h1 >> text=Everything so far is decided', { timeout });

    // A uid.
    await goToStep(ana, 'Rehearse');
    await runBy(ana, 'Plan', 'Planning');
    for (const page of [ana, boris]) {
      await goToStep(page, 'People');
      await page.waitForSelector('.uid input', { timeout });
    }
    const uid = (page: Page) => page.getByLabel('uid of ann');
    // Without the focus: Chromium takes it from her field as soon as he types, and what is left is written.
    await uid(ana).evaluate((input) => {
      Object.assign(input, { value: 'ann-by-ana' });
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await uid(boris).fill('ann-by-boris');
    await uid(boris).press('Enter');
    await boris.waitForSelector('.uid >> text=written', { timeout });
    await expect.poll(() => ana.locator('.uid >> text=from the table').count(), { timeout }).toBe(1);
    await uid(ana).press('Enter');
    await ana.waitForSelector('[role=alert] >> text=it is "ann-by-boris" by now', { timeout });
    expect(file('chatferry.people.csv')).toContain('ann-by-boris');
    await uid(ana).press('Enter');
    await ana.waitForSelector('.uid >> text=written', { timeout });
    expect(file('chatferry.people.csv')).toContain('ann-by-ana');
    const { decisions } = JSON.parse(file('chatferry.decisions.json')) as { decisions: { key: string; by: string }[] };
    expect(decisions.filter(({ key }) => key.startsWith('people.')).map(({ by }) => by)).toEqual(['Boris', 'Ana']);
    await close();
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { button, goToStep, openDesk, runBy } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../../samples/slack/every-feature/export');

describe.skipIf(executablePath === null)('a rehearsal in the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('is planned, sent to the sandbox and verified, and shows a message next to its row of the export', async () => {
    const { page, caught, close } = await openDesk(browser, [slack], { folder: home.make() });
    await page.waitForSelector('.totals-of-export');
    await page.keyboard.press('5');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForSelector('.sum >> text=33 pending');
    await page.getByRole('link', { name: 'Change this for reactions', exact: true }).click();
    await page.waitForSelector('select:focus');
    expect(await page.locator('select:focus').getAttribute('id')).toBe('messages.reactions');
    await page.goBack();
    await page.getByRole('link', { name: 'Change this for calls' }).click();
    await page.waitForSelector('.decision h2 >> text=Should calls be sent, as messages?');
    await page.goBack();
    await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
    await page.waitForSelector('.sum >> text=33 imported');
    await page.getByRole('link', { name: 'Open the chats' }).click();
    await page.waitForSelector('.list .row >> text=general');
    await page.goBack();
    await page.getByRole('link', { name: 'general/2026-03-02.json#/1' }).first().click();
    await page.locator('.marked .details, .details').first().click();
    await page.waitForSelector('.sides pre >> nth=1');
    await page.keyboard.press('Escape');
    expect(await page.locator('.panel').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('location.hash')).toBe('#/rehearse');
    expect(caught).toEqual([]);
    await close();
  });

  test('follows choices that were made by a click, and one that is typed', async () => {
    const folder = home.make();
    const { page, caught, close } = await openDesk(browser, [slack], { folder });
    await page.waitForSelector('.totals-of-export');
    await page.locator('#me').fill('Ana Pereira');
    await goToStep(page, 'Decide');
    await page.getByRole('link', { name: 'All choices' }).click();
    await page.getByLabel('Lines that the platform wrote').selectOption({ label: 'Send them' });
    await page.locator('.choice-row.set', { hasText: 'Lines that the platform wrote' }).waitFor();
    await page.getByLabel('Conversations to leave out, by id or name').fill('random');
    await page.keyboard.press('Tab');
    await page.locator('.choice-row.set', { hasText: 'Conversations to leave out' }).waitFor();
    const mapping = readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8');
    expect(mapping).toMatch(/^ {2}system: keep$/m);
    expect(mapping).toMatch(/^ {2}exclude: \[random\]$/m);
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    await page.locator('#skipped .group', { hasText: 'deleted at the source' }).waitFor();
    expect(await page.locator('#skipped .group', { hasText: 'system message' }).count()).toBe(0);
    expect(caught).toEqual([]);
    await close();
  });

  test('of answers that have changed since says so, and nothing of them is signed or sent before another plan', async () => {
    const { page, caught, close } = await openDesk(browser, [slack], { folder: home.make() });
    await page.waitForSelector('.totals-of-export');
    await goToStep(page, 'Rehearse');
    await page.waitForSelector('text=Nothing is planned yet');
    // Whatever is to be decided comes with the plan.
    await expect.poll(() => page.locator('.notice').count()).toBe(0);
    await runBy(page, 'Plan', 'Planning');
    await runBy(page, 'Rehearse', 'Rehearsing');
    await page.getByRole('link', { name: 'Should calls be sent, as messages?', exact: true }).click();
    const keep = page.locator('code', { hasText: /^messages\.calls: keep$/ });
    await page.locator('.answer').filter({ has: keep }).locator('input').check();
    await page.locator('#me').fill('Ana Pereira');
    await button(page, 'Decide').click();
    await page
      .locator('.rows .row', { hasText: 'Should calls be sent' })
      .locator('text=decided by Ana Pereira')
      .waitFor();
    await goToStep(page, 'Rehearse');
    await page.waitForSelector('text=The answers have changed since this plan: plan again');
    expect(await button(page, 'Rehearse again').count()).toBe(0);
    await page.locator('.steps .is-open', { hasText: 'answers have changed' }).waitFor();
    await goToStep(page, 'Go');
    await page.waitForSelector('text=The answers have changed since this plan');
    expect(await page.locator('form.sign').count()).toBe(0);
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    await page.waitForSelector('text=The plan has changed since the last rehearsal');
    await page.waitForSelector('.sum >> text=34 pending');
    await goToStep(page, 'Go');
    await page.waitForSelector('form.sign');
    expect(caught).toEqual([]);
    await close();
  });
});

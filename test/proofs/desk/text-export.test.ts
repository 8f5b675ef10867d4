import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { button, goToStep, openDesk, runBy } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const whatsapp = join(import.meta.dirname, '../../../samples/whatsapp/android/export');

describe.skipIf(executablePath === null)('a text export in the desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('gets its time zone, and the lines that are left out by default, from the page alone', async () => {
    const folder = home.make();
    const { page, caught, close } = await openDesk(browser, [whatsapp], { folder });
    await page.locator('#me').fill('Boris Test');
    await page.waitForSelector('.totals-of-export');
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');

    await goToStep(page, 'Decide');
    await page.locator('.rows a', { hasText: 'In which time zone' }).click();
    await page.waitForSelector('.decision h2 >> text=In which time zone');
    await page.waitForSelector('.preview >> text=2024-03-15 18:05:00 UTC');
    await page.locator('.answer select').selectOption('Europe/Berlin');
    await page.waitForSelector('.preview >> text=2024-03-15 17:05:00 UTC');
    await button(page, 'Decide').click();
    await page.waitForSelector('[role=status] >> text=chatferry.mapping.yaml');

    await page.locator('.rows a', { hasText: 'Should lines be sent that the platform wrote?' }).click();
    await page.waitForSelector('.preview .outcome >> text=not sent: system message');
    await page.locator('.answer', { hasText: 'Send ' }).locator('input').check();
    // First what becomes of each under the answer; below it, as it is now.
    const outcomes = `[...document.querySelectorAll('.preview .pair')].map((pair) => pair.querySelector('.outcome').textContent)`;
    await expect.poll(() => page.evaluate(outcomes)).toEqual(['sent', 'sent', 'sent']);
    await button(page, 'Decide').click();
    await page.locator('.rows .row', { hasText: 'Should lines be sent' }).locator('text=decided by').waitFor();
    const mapping = readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8');
    expect(mapping).toMatch(/zone: Europe\/Berlin/);
    expect(mapping).toMatch(/system: keep/);

    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    await page.waitForSelector('.sum >> text=21 planned');
    await goToStep(page, 'People');
    await page.waitForSelector('text=Described by the export: 3. Named by messages or conversations alone: 1.');
    expect(caught).toEqual([]);
    await close();
  });
});

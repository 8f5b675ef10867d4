import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { openDesk } from './desk-page.ts';

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
    await page.keyboard.press('4');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForSelector('.figure >> text=33');
    await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
    await page.waitForSelector('.figure.imported >> text=33');
    await page.getByRole('link', { name: 'Open the chats' }).click();
    await page.waitForSelector('.list .row >> text=general');
    await page.goBack();
    await page.getByRole('link', { name: 'Example: general/2026-03-02.json#/1' }).first().click();
    await page.locator('.marked .details, .details').first().click();
    await page.waitForSelector('.sides pre >> nth=1');
    await page.keyboard.press('Escape');
    expect(await page.locator('.panel').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('location.hash')).toBe('#/rehearse');
    expect(caught).toEqual([]);
    await close();
  });
});

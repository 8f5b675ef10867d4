import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, serveSandbox, testKey } from '../../cli/process.ts';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { expectFaultless, openDesk } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../../samples/slack/every-feature/export');

describe.skipIf(executablePath === null)('a history that is fetched in the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('becomes the export, and its key is nowhere', async () => {
    const { url, data } = await serveSandbox(home.make());
    const env = { CHATFERRY_API_KEY: testKey };
    const { code } = await run(['import', slack, '--to', url, '--yes'], { folder: home.make(), env });
    expect(code).toBe(0);
    const folder = home.make();
    const { page, caught, close } = await openDesk(browser, [], { folder }, { bypassCSP: true });
    await page.locator('summary', { hasText: 'Fetch from a provider' }).press('Enter');
    await page.getByLabel('Provider').selectOption('chat-service');
    await page.getByLabel('address').fill(url);
    await page.getByLabel('Key').fill(testKey);
    await expectFaultless(page);
    await page.getByRole('button', { name: 'Fetch' }).press('Enter');
    await page.waitForSelector('.run-line >> text=Fetching: done', { timeout: 60_000 });
    await page.waitForSelector('h1 >> text=Message lists', { timeout: 60_000 });
    const arrived = [...sandboxContents(data).values()].flat().length;
    await page.waitForSelector(`.totals-of-export li:first-child >> text=${arrived}`, { timeout: 60_000 });
    expect(arrived).toBeGreaterThan(20);
    const shown = await page.content();
    const list = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    const printed = await close();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    expect(files.join()).toContain('chatferry-fetched-chat-service');
    expect(JSON.stringify([shown, list, printed, files])).not.toContain(testKey);
    expect(caught).toEqual([]);
  });
});

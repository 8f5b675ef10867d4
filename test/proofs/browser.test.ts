import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatedSandbox } from '../cli/gated-sandbox.ts';
import { start, testKey } from '../cli/in-process.ts';
import { chromiumPath } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const sample = join(import.meta.dirname, '../../samples/slack/every-feature/export');
/** Opens nothing. */
const env = { BROWSER: 'true', CHATFERRY_API_KEY: testKey };

const addressIn = (line: string | undefined) => /http:\S+/.exec(line ?? '')![0];

describe.skipIf(executablePath === null)('an import in the browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  async function open(address: string): Promise<{ page: Page; caught: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const caught: string[] = [];
    page.on('pageerror', (error) => caught.push(error.message));
    page.on('console', (line) => caught.push(line.text()));
    await page.goto(address);
    await page.waitForSelector('.navigation');
    return { page, caught };
  }

  test('into the sandbox ends with its chats, by keyboard alone: found, read, and next to their source rows', async () => {
    const folder = home.make();
    const program = start(['import', sample, '--open', '--yes'], { folder, env });
    const { page, caught } = await open(addressIn(await program.line('The viewer shows it')));
    await page.waitForSelector('.row');
    await page.keyboard.press('/');
    await page.keyboard.type('general');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.locator('.row').press('Enter');
    await page.waitForSelector('.bubble >> text=The release notes are ready');
    await page.locator('.timeline').focus();
    await page.keyboard.press('Home');
    await page.locator('article[aria-posinset="1"] .details').press('Enter');
    await page.waitForSelector('.panel .losses');
    const [row, stored] = await page.locator('.panel .json').allTextContents();
    expect(JSON.parse(row!)).toMatchObject({ type: 'message', user: expect.any(String) });
    expect(JSON.parse(stored!)).toMatchObject({ data: { text: expect.stringContaining('Good morning!') } });
    expect(await page.locator('.panel .losses').textContent()).toContain('reactions');
    await page.goto(`${new URL(page.url()).origin}/viewer#/import`);
    await page.waitForSelector('h1 >> text=33 messages arrived');
    expect(caught).toEqual([]);
    await page.close();
    program.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
  });

  test('to another destination is seen while it waits, and when it has ended', async () => {
    const folder = home.make();
    const { service, gate } = await gatedSandbox(folder);
    const program = start(['import', sample, '--to', service.url, '--open', '--yes'], { folder, env });
    const { page, caught } = await open(addressIn(await program.line('Viewer: ')));
    await gate.held.promise;
    await page.goto(`${new URL(page.url()).origin}/viewer#/import`);
    await page.waitForSelector('h1 >> text=Running: import');
    await page.waitForSelector('.stage.ended >> text=Reading');
    await page.waitForSelector('.stage:not(.ended) >> text=Sending');
    expect(await page.locator('progress').count()).toBe(1);
    gate.isOpen = true;
    program.kill('SIGTERM');
    await program.ended;
    expect(caught.filter((line) => !/ERR_CONNECTION_REFUSED|Failed to load/.test(line))).toEqual([]);
    await page.close();
  });
});

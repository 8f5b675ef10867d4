import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveSandbox, testKey } from '../../cli/process.ts';
import { programs } from '../../fleet/postgres.ts';
import { chromiumPath } from '../../requirements.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { testDatabase } from '../database/postgres-databases.ts';
import { button, chooseDestination, confirmReading, expectFaultless, goToStep, openDesk, runBy } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const secret = 'hush-4711-secret';

const tables = `
  CREATE TABLE people (id int PRIMARY KEY, name text);
  CREATE TABLE rooms (id int PRIMARY KEY, title text);
  CREATE TABLE messages (id int PRIMARY KEY, room_id int REFERENCES rooms, author_id int REFERENCES people, body text, created_at timestamptz);
  INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob');
  INSERT INTO rooms VALUES (1, 'Harbour');
  INSERT INTO messages SELECT n, 1, 1 + n % 2, 'Text ' || n, '2026-03-02T10:00:00Z'::timestamptz + n * interval '1 minute' FROM generate_series(1, 20) n;
  DO $$ BEGIN CREATE ROLE desk_reader LOGIN PASSWORD '${secret}'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO desk_reader;`;

/** What takes a process of its own has so long, in ms. */
const timeout = 60_000;

/** Fills and sends the form of a database. */
async function fillForm(page: Page, address: string): Promise<void> {
  const { hostname, port, pathname } = new URL(address);
  await page.locator('summary', { hasText: 'Connect a database' }).click();
  for (const [label, value] of [
    ['Host', hostname],
    ['Port', port],
    ['Database', pathname.slice(1)],
    ['User', 'desk_reader'],
    ['Password', secret],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Connect' }).click();
}

describe.skipIf(executablePath === null || programs === null)('a database that is chosen in the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('asks for its password, by keyboard, and keeps it nowhere', async () => {
    const database = await testDatabase(tables);
    const { host, pathname } = new URL(database.address);
    const folder = home.make();
    const { page, caught, close } = await openDesk(browser, [], { folder });
    const answers: string[] = [];
    page.on('response', async (response) => answers.push(await response.text().catch(() => '')));
    await page.locator('summary', { hasText: 'Connect a database' }).press('Enter');
    await page.getByLabel('Host').fill(`postgres://desk_reader@${host}${pathname}`);
    await expect.poll(() => page.getByLabel('Database', { exact: true }).inputValue()).toBe(pathname.slice(1));
    await page.getByLabel('User').press('Enter');
    await page.waitForSelector('h2 >> text=The server asks for a password');
    expect(await page.locator('.problem').count()).toBe(0);
    await page.locator('#password').pressSequentially('wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.problem >> text=refused user and password');
    expect(await page.locator('.problem').textContent()).not.toContain('PGPASSWORD');
    await page.locator('#password').pressSequentially(secret);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.parts tbody tr >> text=messages');
    expect(await page.locator('#password').count()).toBe(0);
    const shown = await page.content();
    const list = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    const printed = await close();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    expect(files.length).toBeGreaterThan(0);
    expect(answers.length).toBeGreaterThan(5);
    expect(JSON.stringify([answers, shown, list, printed, files, caught])).not.toContain(secret);
    expect(caught).toEqual([]);
  });

  test('is migrated with the password that is typed into its form, and every message arrives in its order', async () => {
    const database = await testDatabase(tables);
    const { url, data } = await serveSandbox(home.make());
    const key = join(home.make(), 'key');
    writeFileSync(key, testKey, { mode: 0o600 });
    const { page, caught, close } = await openDesk(browser, [], { folder: home.make() });
    await page.locator('#me').fill('Ana Pereira');
    await fillForm(page, database.address);
    await page.waitForSelector('.parts tbody tr >> text=messages');
    await page.waitForSelector('.totals-of-export >> text=20', { timeout });
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    await confirmReading(page);
    await chooseDestination(page, url, key);
    await button(page, 'Start').click({ timeout });
    await runBy(page, 'Start the import', 'Importing');
    await page.waitForSelector('text=All 20 planned messages have arrived and were read back unchanged', { timeout });
    expect([await page.content(), await close()].join()).not.toContain(secret);
    expect(caught).toEqual([]);
    const texts = Array.from({ length: 20 }, (_, index) => `Text ${index + 1}`);
    expect([...sandboxContents(data).values()]).toEqual([texts]);
  });

  test('nothing is wrong with the page that asks for a password, in any colours and widths', async () => {
    const database = await testDatabase(tables);
    const { host, pathname } = new URL(database.address);
    const address = `postgres://desk_reader@${host}${pathname}`;
    const { page, close } = await openDesk(browser, [address], { folder: home.make() }, { bypassCSP: true });
    await page.waitForSelector('#password');
    await expectFaultless(page);
    await close();
  });
});

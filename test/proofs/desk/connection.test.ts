import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs } from '../../fleet/postgres.ts';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { testDatabase } from '../database/postgres-databases.ts';
import { expectFaultless, openDesk } from './desk-page.ts';

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

  test('is read with the password that is typed into its form', async () => {
    const database = await testDatabase(tables);
    const { hostname, port, pathname } = new URL(database.address);
    const { page, caught, close } = await openDesk(browser, [], { folder: home.make() });
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
    await page.waitForSelector('.parts tbody tr >> text=messages');
    expect([await page.content(), await close()].join()).not.toContain(secret);
    expect(caught).toEqual([]);
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

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { FaultySandbox } from '../../../src/sandbox/faults.ts';
import { serveSandbox } from '../../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../../src/sandbox/store.ts';
import { chromiumPath } from '../../requirements.ts';
import { apiKey } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { button, chooseDestination, goToStep, openDesk, runBy } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../../samples/slack/every-feature/export');

/** The rows of one kind in the tables of the report: its counts, then its reasons. */
const read = async (page: Page, kind: string) => {
  const rows = await page
    .locator('#arrivals tbody tr')
    .filter({ has: page.locator(`th:text-is("${kind}")`) })
    .all();
  return await Promise.all(rows.map(async (row) => (await row.locator('th, td').allTextContents()).join(' ')));
};

/** Answers one of the choices about people. */
async function choose(page: Page, question: string, answer: string, text?: string): Promise<void> {
  await goToStep(page, 'People');
  await page.getByRole('link', { name: question }).click();
  await page.locator('.decision h2', { hasText: question }).waitFor();
  if (text === undefined) await page.getByRole('radio', { name: answer }).check();
  else await page.getByRole('textbox', { name: answer }).fill(text);
  await button(page, 'Decide').click();
  await page.locator('.rows .row', { hasText: question }).locator('text=decided by Ana Pereira').waitFor();
}

/** Everyone at a destination, read without Chatferry's code. */
function usersIn(data: string): readonly (readonly [uid: string, email: string | null])[] {
  const db = new Database(data, { readonly: true });
  try {
    return db
      .prepare<[], [string, string | null]>(`SELECT id, entity ->> '$.metadata.address' FROM user ORDER BY 1`)
      .raw()
      .all();
  } finally {
    db.close();
  }
}

describe.skipIf(executablePath === null)('people and groups in the desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('are chosen, imported before the messages and counted in the page, and can be taken back', async () => {
    const data = join(home.make(), 'server.db');
    const store = openSandboxStore(data);
    const service = new FaultySandbox({ store, apiKey, profile: 'spec', clock: systemClock, hasDirectory: true });
    const { url, close: stop } = await serveSandbox(service);
    const key = join(home.make(), 'key');
    writeFileSync(key, apiKey, { mode: 0o600 });
    const { page, caught, close } = await openDesk(browser, [slack], { folder: home.make() });
    await page.locator('#me').fill('Ana Pereira');
    await page.waitForSelector('.totals-of-export');

    await chooseDestination(page, url, key, 'Imported before the messages');
    await page.waitForSelector('.before code >> text=key');
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    await expect
      .poll(() => read(page, 'people'))
      .toEqual(['people 15 3 0 12 0 0 0 12 0 0 0', 'people in no conversation that is sent 3']);
    await choose(page, 'Should everyone in the export be imported', 'Import everyone');
    await choose(page, 'Should e-mail addresses be imported', 'Import them under this name', 'address');
    await choose(page, 'Which role should bots have', 'Give bots this role', 'default');
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    await expect
      .poll(() => read(page, 'people'))
      .toEqual(['people 15 1 0 14 0 0 0 14 0 0 0', 'people in no conversation that is sent 1']);

    await goToStep(page, 'Go');
    await page.locator('.before b', { hasText: '14 people, 6 groups, 14 members, 33 messages' }).waitFor();
    await button(page, 'Start').click();
    await page.waitForSelector('.confirm >> text=14 people, 6 groups, 14 members, 33 messages to');
    await runBy(page, 'Start the import', 'Importing');
    await page.waitForSelector('.verdict >> text=All 33 planned messages have arrived');
    await expect
      .poll(() => read(page, 'people'))
      .toEqual(['people 15 1 0 14 14 0 0 0 0 0 0', 'people in no conversation that is sent 1']);
    expect(await read(page, 'groups')).toEqual(['groups 7 1 0 6 6 0 0 0 0 0 0', 'groups nothing of it is sent 1']);
    const members = await read(page, 'members');
    expect(members[0]).toBe('members 24 10 0 14 14 0 0 0 0 0 0');
    expect(members).toContain('members nothing of the group is sent 1');
    await page.waitForSelector('text=when 14 members joined is assumed');
    const users = usersIn(data);
    expect(users.length).toBe(14);
    expect(users).toContainEqual(['u05hlines1', 'ines@example.com']);

    await runBy(page, 'Show what would be taken back', 'Taking back');
    expect(await page.locator('.item[role=status] b').first().textContent()).toBe(
      'Would be taken back: 7 conversations with 33 messages, 14 people',
    );
    expect(caught).toEqual([]);
    await close();
    await stop(100);
    await service.close();
  });
});

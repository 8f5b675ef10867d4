import Database from 'better-sqlite3';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveSandbox, testKey } from '../../cli/process.ts';
import { chromiumPath } from '../../requirements.ts';
import { makeHelpDeskDatabase } from '../../scenes/help-desk-database.ts';
import { byName, sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { openDesk } from './desk-page.ts';
import { choose, press, tabTo, type } from './keyboard.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();

/** How long a process of its own may take, in ms. */
const timeout = 60_000;

/** Words of each question, and of the answer that the owner gives. */
const answers: readonly (readonly [question: string, answer: string])[] = [
  ['In which time zone', 'Read the times as UTC'],
  ['Who wrote a message', 'else "created_by_id"'],
  ['meant for everybody', 'Leave out the 2 rows'],
  ['Who is a member', 'without a "left_at"'],
];

const step = async (page: Page, number: number, name: string) => {
  await page.keyboard.press(String(number));
  await page.waitForSelector(`.steps [aria-current=step] >> text=${name}`);
};

/** Starts a run with its button, and waits until it has ended well. */
async function start(page: Page, label: string, doing: string): Promise<void> {
  const before = page.locator('.run-end').getByRole('button', { name: 'Close' });
  await before.waitFor({ state: 'detached' });
  await press(page, page.getByRole('button', { name: label, exact: true }));
  await page.waitForSelector(`.run-line >> text=${doing}: done`, { timeout });
}

const openCount = async (page: Page): Promise<number> =>
  Number.parseInt((await page.locator('#main h1').textContent()) ?? '', 10);

/** Opens the card of a question in the list. */
async function openCard(page: Page, question: string): Promise<void> {
  const link = page.locator('.rows a', { hasText: question });
  await press(page, link);
  await page.waitForSelector(`.decision h2 >> text=${question}`);
}

async function decide(page: Page): Promise<void> {
  const open = await openCount(page);
  await press(page, page.getByRole('button', { name: 'Decide', exact: true }));
  await expect.poll(() => page.locator('#main h1').textContent(), { timeout }).not.toContain(`${open} to decide`);
}

const senders = (data: string): readonly string[] => {
  const db = new Database(data, { readonly: true });
  try {
    return db.prepare<[], string>('SELECT sender FROM message ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
};

describe.skipIf(executablePath === null)('the database of a help desk in the desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('is migrated with five decisions by keyboard alone, to messages that have all arrived and were verified', async () => {
    const folder = home.make();
    const { url, data } = await serveSandbox(home.make());
    const { page, caught, close } = await openDesk(browser, [], { folder });

    await page.waitForSelector('h1 >> text=Choose an export');
    await type(page, page.locator('#me'), 'Ana Pereira');
    await tabTo(page, page.locator('#pick-files'));
    await page.locator('#pick-files:focus').setInputFiles(makeHelpDeskDatabase(home.make()));
    await choose(page, page.getByLabel('Another address'));
    await type(page, page.getByLabel('Address', { exact: true }), url);
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });

    await step(page, 3, 'Decide');
    await page.waitForSelector('h1 >> text=5 to decide', { timeout });
    await sayWhatTheTypesMean(page);
    for (const [question, answer] of answers) {
      await openCard(page, question);
      await choose(page, page.locator('.answer', { hasText: answer }).locator('input').first());
      await decide(page);
    }

    await step(page, 5, 'Rehearse');
    await start(page, 'Plan', 'Planning');
    await step(page, 3, 'Decide');
    await openCard(page, 'Is this your data?');
    await start(page, 'Yes, this is my data', 'Planning');
    await page.waitForSelector('h1 >> text=Everything is decided', { timeout });

    await step(page, 6, 'Go');
    await type(page, page.getByLabel('Key', { exact: true }), testKey);
    await press(page, page.getByRole('button', { name: 'Use this key' }));
    await page.waitForSelector('text=Typed in this session; it must be typed again after a restart');
    await press(page, page.getByRole('button', { name: 'Start', exact: true }));
    await page.waitForSelector('button:focus >> text=Not yet');
    await press(page, page.getByRole('button', { name: 'Start the import' }), 'Shift+Tab');
    await page.waitForSelector(
      '.verdict.is-good >> text=All 5 planned messages have arrived and were read back unchanged',
      { timeout },
    );
    expect(caught).toEqual([]);
    await close();

    expect(Object.values(byName(sandboxContents(data)))).toEqual([
      ['It smokes', 'Please unplug it', 'Your ticket is here', 'a < b & done'],
      ['He called about the invoice'],
    ]);
    // The call was noted for the customer.
    expect(senders(data)).toEqual(['3', '2', '1', '3', '3']);
  });
});

/** Chooses a meaning for each value of the column, from lists. */
async function sayWhatTheTypesMean(page: Page): Promise<void> {
  await openCard(page, 'lines of the platform');
  await choose(page, page.locator('#own'));
  for (const value of ['11', '1', '5', '10']) {
    const list = page.getByLabel(`Meaning of ${value} in type_id`);
    await tabTo(page, list);
    await page.keyboard.type('a message');
    expect(await list.inputValue()).toBe('message');
  }
  await decide(page);
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, serveSandbox, testKey } from '../../cli/process.ts';
import { makeZip } from '../../io/make-zip.ts';
import { chromiumPath } from '../../requirements.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { openDesk, sumsIn } from './desk-page.ts';
import { choose, press, tabTo, type } from './keyboard.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../../samples/slack/every-feature/export');

/** What takes a process of its own has so long, in ms. */
const timeout = 60_000;

const zipped = (folder: string): Buffer =>
  makeZip(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => ({ name: relative(folder, path), content: readFileSync(path) })),
  );

/** Whoever wrote a message in a sandbox, read without Chatferry's code. */
function sendersIn(data: string): ReadonlySet<string> {
  const db = new Database(data, { readonly: true });
  try {
    return new Set(db.prepare<[], string>('SELECT sender FROM message').pluck().all());
  } finally {
    db.close();
  }
}

/** Starts a run with its button, and waits until it has ended well. */
async function start(page: Page, label: string, doing: string): Promise<void> {
  // The run before may have been of the same kind; its end goes by itself.
  const before = page.locator('.run-end').getByRole('button', { name: 'Close' });
  await before.waitFor({ state: 'detached' });
  await press(page, page.getByRole('button', { name: label, exact: true }));
  await page.waitForSelector(`.run-line >> text=${doing}: done`, { timeout });
}

const step = async (page: Page, number: number, name: string) => {
  await page.keyboard.press(String(number));
  await page.waitForSelector(`.steps [aria-current=step] >> text=${name}`);
};

describe.skipIf(executablePath === null)('a Slack export in the desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('is migrated from the ZIP to a verified import by keyboard alone, without a terminal', async () => {
    const folder = home.make();
    const { url, data } = await serveSandbox(home.make());
    const zip = join(home.make(), 'harbour.zip');
    writeFileSync(zip, zipped(slack));
    const { page, caught, close } = await openDesk(browser, [], { folder });

    await page.waitForSelector('h1 >> text=Choose an export');
    await type(page, page.locator('#me'), 'Ana Pereira');
    await tabTo(page, page.locator('#pick-files'));
    await page.locator('#pick-files:focus').setInputFiles(zip);
    await page.waitForSelector('h1 >> text=Slack export', { timeout });
    await page.waitForSelector('.totals-of-export >> text=35', { timeout });

    await choose(page, page.getByLabel('Another address'));
    await type(page, page.getByLabel('Address', { exact: true }), url);
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });

    await step(page, 3, 'Decide');
    await start(page, 'Plan', 'Planning');
    // Two to decide, and three kinds of messages that are left out unless it is decided otherwise.
    await page.waitForSelector('h1 >> text=2 to decide', { timeout });
    await expect.poll(() => page.locator('.rows a').count()).toBe(5);
    await decideToSkip(page);
    await acceptTheOther(page);

    await step(page, 5, 'Rehearse');
    await start(page, 'Plan', 'Planning');
    await expect.poll(() => sumsIn(page)).toEqual(['42 read = 26 planned + 16 skipped', '26 planned = 26 pending']);
    await start(page, 'Rehearse', 'Rehearsing');
    await expect.poll(() => sumsIn(page)).toEqual(['42 read = 26 planned + 16 skipped', '26 planned = 26 imported']);
    await readChats(page);

    await step(page, 6, 'Go');
    await press(page, page.getByRole('button', { name: 'Sign off as Ana Pereira' }));
    await page.waitForSelector('.signed >> text=Signed off by Ana Pereira');
    await saveWithoutPeople(page);
    await type(page, page.getByLabel('Key', { exact: true }), testKey);
    await press(page, page.getByRole('button', { name: 'Use this key' }));
    await page.waitForSelector('text=Typed in this session; it must be typed again after a restart');
    expect(await page.content()).not.toContain(testKey);
    await press(page, page.getByRole('button', { name: 'Start', exact: true }));
    await page.waitForSelector('.confirm >> text=The key is sent there for the first time');
    // Enter pressed once more would have answered "Not yet".
    await page.waitForSelector('button:focus >> text=Not yet');
    await press(page, page.getByRole('button', { name: 'Start the import' }), 'Shift+Tab');
    await page.waitForSelector('.run-line >> text=Importing: done', { timeout });
    await page.waitForSelector(
      '.verdict.is-good >> text=All 26 planned messages have arrived and were read back unchanged',
    );
    expect(caught).toEqual([]);
    await close();

    expect(sandboxContents(data)).toEqual(await contentsByTerminal());
    const people = JSON.parse(readFileSync(join(slack, 'users.json'), 'utf8')) as readonly { readonly id: string }[];
    expect([...sendersIn(data)].filter((uid) => !people.some(({ id }) => id.toLowerCase() === uid))).toEqual([]);
  });

  /** What the same export and answer become with the commands alone. */
  async function contentsByTerminal(): Promise<ReadonlyMap<string, readonly string[]>> {
    const folder = home.make();
    writeFileSync(join(folder, 'mapping.yaml'), 'people:\n  unknownAuthors: skip\n');
    const { code, stderr } = await run(['import', slack, '--mapping', 'mapping.yaml', '--yes'], { folder });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return sandboxContents(join(folder, 'chatferry.sandbox.db'));
  }
});

/** Answers the card of authors whom the export does not describe. */
async function decideToSkip(page: Page): Promise<void> {
  for (const key of ['j', 'k', 'Enter']) await page.keyboard.press(key);
  await page.waitForSelector('.decision h2 >> text=people whom no file of the export describes');
  const sets = page.locator('code', { hasText: /^people\.unknownAuthors: skip$/ });
  await choose(page, page.locator('.answer').filter({ has: sets }).locator('input'));
  await expect
    .poll(() => page.locator('.pair > .as-sent:first-child .outcome').allTextContents(), { timeout })
    .toEqual(['not sent: unknown author', 'not sent: unknown author', 'not sent: unknown author']);
  await press(page, page.getByRole('button', { name: 'Decide', exact: true }));
  await page.waitForSelector('.rows >> text=decided by Ana Pereira', { timeout });
}

/** The files without an address stay as they are: nothing is written for that but who decided it. */
async function acceptTheOther(page: Page): Promise<void> {
  await page.waitForSelector('.decision h2 >> text=files that the export has no address for');
  await choose(page, page.locator('.answer input').last());
  await press(page, page.getByRole('button', { name: 'Decide', exact: true }));
  await page.waitForSelector('h1 >> text=Everything is decided', { timeout });
}

/** Opens the chats of the rehearsal, and a message with the row that it was. */
async function readChats(page: Page): Promise<void> {
  await press(page, page.getByRole('link', { name: 'Open the chats' }));
  await page.waitForSelector('.row');
  await page.keyboard.press('/');
  await page.keyboard.type('general');
  await expect.poll(() => page.locator('.row').count()).toBe(1);
  await press(page, page.locator('.row'));
  await page.waitForSelector('.bubble >> text=The release notes are ready');
  await press(page, page.locator('article .details').first());
  await page.waitForSelector('.panel .json');
  const [row, stored] = await page.locator('.panel .json').allTextContents();
  expect(JSON.parse(row!)).toMatchObject({ type: 'message', user: expect.any(String) });
  expect(JSON.parse(stored!)).toMatchObject({ data: { text: expect.any(String) } });
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.panel').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.waitForSelector('h1 >> text=Rehearse');
}

/** The report as one file, in which nobody who wrote is named. */
async function saveWithoutPeople(page: Page): Promise<void> {
  const saved = page.waitForEvent('download');
  await press(page, page.getByRole('link', { name: 'Without personal data' }));
  const html = readFileSync(await (await saved).path(), 'utf8');
  expect(html).toContain('Signed off by');
  const people = JSON.parse(readFileSync(join(slack, 'users.json'), 'utf8')) as readonly SlackUser[];
  const words = people.flatMap(({ id, real_name: name, profile }) => [id, name, profile.email].filter(Boolean));
  expect(words.length).toBeGreaterThan(people.length);
  expect(words.filter((word) => html.includes(word!))).toEqual([]);
}

interface SlackUser {
  readonly id: string;
  readonly real_name?: string | null;
  readonly profile: { readonly email?: string | null };
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveSandbox, testKey } from '../../cli/process.ts';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { button, type DeskPage, goToStep, openDesk, runBy } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const samples = join(import.meta.dirname, '../../../samples');

/** How long a process of its own may take, in ms. */
const timeout = 60_000;

/** A message that was sent or is expected: its text and who wrote it. */
type Line = readonly [author: string, text: string];

/**
 * The messages in a sandbox's data file by conversation, in the order of arrival, read without Chatferry's code. Uids are
 * shown without the hash that stands behind an id with other characters than uids may have.
 */
function arrivedIn(data: string): Record<string, readonly Line[]> {
  const db = new Database(data, { readonly: true });
  try {
    const rows = db
      .prepare<[], { name: string; sender: string; text: string | null }>(
        `SELECT c.name, m.sender, m.data ->> '$.text' AS text FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
      )
      .all();
    return byConversation(
      rows.map(({ name, sender, text }) => [
        name.replace(/^group_/, ''),
        [sender.replace(/-[a-z\d]{8}$/, ''), text ?? ''],
      ]),
    );
  } finally {
    db.close();
  }
}

function byConversation(lines: readonly (readonly [name: string, line: Line])[]): Record<string, readonly Line[]> {
  const sorted = lines.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(
    Map.groupBy(sorted, ([name]) => name)
      .entries()
      .map(([name, of]) => [name, of.map(([, line]) => line)]),
  );
}

interface ExpectedMessage {
  readonly kind: string;
  readonly origin: { readonly conversation: string };
  readonly sortKey: string;
  readonly text: string;
  readonly author: string;
  readonly systemEvent?: string;
  readonly call?: object;
  readonly internal?: string;
  readonly attachments?: readonly { readonly name: string }[];
  readonly isDeleted?: boolean;
}

/** The messages that a sample says it holds, without deleted and internal ones, calls and lines of the platform. */
const messagesOf = (sample: string): readonly ExpectedMessage[] =>
  readFileSync(join(samples, sample, 'expected.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).record as ExpectedMessage | undefined)
    .filter((record) => record?.kind === 'message')
    .map((record) => record!)
    .filter(({ systemEvent, call, internal, isDeleted }) => !(systemEvent ?? call ?? internal ?? isDeleted))
    .toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1));

/** Opens the desk in an empty folder, and makes the folder of a sample its export and the sandbox its destination. */
async function begin(
  browser: Browser,
  sample: string,
  url: string,
  options: BrowserContextOptions = {},
): Promise<DeskPage> {
  const desk = await openDesk(browser, [], { folder: home.make() }, options);
  const { page } = desk;
  await page.waitForSelector('h1 >> text=Choose an export');
  await page.locator('#me').fill('Ana Pereira');
  await page.locator('#pick-folder').setInputFiles(join(samples, sample, 'export'));
  await page.waitForSelector('h1 >> text=Choose an export', { state: 'detached', timeout });
  await page.getByLabel('Another address').check();
  await page.getByLabel('Address', { exact: true }).fill(url);
  await button(page, 'Save').click();
  await button(page, 'Save').waitFor({ state: 'detached' });
  await goToStep(page, 'Decide');
  return desk;
}

/** Answers a card of the list, and waits until the list says by whom. */
async function answer(page: Page, question: string, says: string): Promise<void> {
  const row = page.locator('.rows .row', { hasText: question });
  await row.waitFor({ state: 'attached', timeout });
  // A phone shows either the list or a card.
  if (!(await row.isVisible())) await page.getByText('All decisions').click();
  await row.click();
  await page.locator('.decision[aria-busy="false"] h2', { hasText: question }).waitFor({ timeout });
  await page.locator('.answer', { hasText: says }).locator('input').first().check();
  await button(page, 'Decide').click();
  await row.locator('text=decided by Ana Pereira').waitFor({ state: 'attached', timeout });
}

/** Types the key, sends everything, and waits until it was read back. */
async function importAll(page: Page, count: number): Promise<void> {
  await goToStep(page, 'Go');
  await page.getByLabel('Key', { exact: true }).fill(testKey);
  await button(page, 'Use this key').click();
  await page.waitForSelector('text=Typed in this session');
  await button(page, 'Start').click({ timeout });
  await page.waitForSelector('.confirm >> text=The key is sent there for the first time');
  await runBy(page, 'Start the import', 'Importing');
  const verdict = `All ${count} planned messages have arrived and were read back unchanged`;
  await page.waitForSelector(`.verdict.is-good >> text=${verdict}`, { timeout });
}

/** Everything that a sandbox has stored. */
const bytesIn = (data: string): string =>
  readdirSync(dirname(data))
    .map((name) => readFileSync(join(dirname(data), name), 'latin1'))
    .join('');

describe.skipIf(executablePath === null)('a whole migration in the browser alone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('takes the conversations of an Intercom export along, and leaves the private note of an agent out', async () => {
    const sample = 'intercom/answers';
    const { url, data } = await serveSandbox(home.make());
    const { page, caught, close } = await begin(browser, sample, url);
    await runBy(page, 'Plan', 'Planning');
    await answer(page, 'May everyone in a conversation read its internal messages?', 'Leave 1 message out');
    await answer(page, 'By which ids does your app know these people?', 'Keep the ids of the export');
    await answer(page, 'files whose address will stop working', 'as they are');
    await page.waitForSelector('h1 >> text=Everything is decided', { timeout });
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    const expected = messagesOf(sample);
    await importAll(page, expected.length);
    expect(caught).toEqual([]);
    await close();

    expect(arrivedIn(data)).toEqual(
      byConversation(
        expected.map(({ origin, author, text }) => [origin.conversation, [author.replace(':', '-'), text]]),
      ),
    );
    expect(bytesIn(data)).toContain('From nine');
    expect(bytesIn(data)).not.toContain('She never pays');
  });

  test('goes through a Telegram export on a phone, and every message arrives in its order', async () => {
    const sample = 'telegram/supergroup';
    const { url, data } = await serveSandbox(home.make());
    const { page, caught, close } = await begin(browser, sample, url, { viewport: { width: 390, height: 800 } });
    await runBy(page, 'Plan', 'Planning');
    await answer(page, 'Where can files be had whose address is no web address?', 'without the files');
    await answer(page, 'messages that are only a file', 'Name the files in the texts');
    await answer(page, 'files that the export has no address for', 'without the files');
    await page.waitForSelector('h1 >> text=Everything is decided', { state: 'attached', timeout });
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    const expected = messagesOf(sample);
    await importAll(page, expected.length);
    expect(caught).toEqual([]);
    await close();
    expect(arrivedIn(data)).toEqual(
      byConversation(
        expected.map(({ origin, author, text, attachments = [] }) => [
          origin.conversation,
          [author, text || attachments.map(({ name }) => `📎 ${name}`).join('\n')],
        ]),
      ),
    );
  });

  test('takes three CSV tables to messages, once three questions are answered and the reading is confirmed', async () => {
    const sample = 'csv/mapping-three-tables';
    const { url, data } = await serveSandbox(home.make());
    const { page, caught, close } = await begin(browser, sample, url);
    await answer(page, 'Who may see which conversation?', '"open" is for everybody');
    await answer(page, 'Are the texts plain words', 'Send the texts as they are');
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    await goToStep(page, 'Decide');
    await page.locator('.rows a', { hasText: 'Is this your data?' }).click();
    await runBy(page, 'Yes, this is my data', 'Planning');
    await answer(page, 'Did people write the HTML tags', 'Show the tags');
    await page.waitForSelector('h1 >> text=Everything is decided', { timeout });
    await goToStep(page, 'Rehearse');
    await runBy(page, 'Plan', 'Planning');
    const expected = messagesOf(sample);
    await importAll(page, expected.length);
    expect(caught).toEqual([]);
    await close();
    expect(arrivedIn(data)).toEqual(
      byConversation(expected.map(({ origin, author, text }) => [origin.conversation, [author, text]])),
    );
  });
});

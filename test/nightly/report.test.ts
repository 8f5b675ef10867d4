import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseOf, openStore, type Store } from '../../src/store/open.ts';
import { createMessageIndexes } from '../../src/store/base/message-indexes.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { writeReportFiles } from '../../src/report/report-files.ts';
import { readTotals } from '../../src/commands/check.ts';
import { chromiumPath } from '../requirements.ts';

const messages = 1_000_000;
const problems = 100_000;
const conversations = 50_000;
const people = 5_000;
const pageBytesMax = 3_000_000;

const executablePath = chromiumPath();

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatferry-large-report-'));
  path = join(folder, 'chatferry.db');
  const store = openStore(path, { command: 'plan', nowMs: 0 });
  try {
    fill(store);
  } finally {
    store.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a report on 1,000,000 messages and 100,000 problems is written whole, and its page opens', async ({ task }) => {
  const directory = join(folder, 'report');
  const started = performance.now();
  const totals = readTotals({ store: path, clock: systemClock }, 'report');
  await writeReportFiles(directory, totals, { store: path, formats: ['html', 'json', 'csv', 'markdown'] });
  const writtenMs = performance.now() - started;
  const page = join(directory, 'report.html');
  const bytes = statSync(page).size;
  const figures = { writtenMs: Math.round(writtenMs), pageBytes: bytes };
  task.meta.figures = figures;
  expect(totals.report.totals).toMatchObject({ read: messages, planned: messages - 1_000, invalid: 1_000 });
  expect(totals.report.conversationCount).toBe(conversations);
  expect(lineCount(join(directory, 'conversations.csv'))).toBe(1 + conversations);
  expect(lineCount(join(directory, 'problems.csv'))).toBe(1 + problems + 1_000);
  expect(bytes).toBeLessThan(pageBytesMax);
  if (executablePath === null) return;
  task.meta.figures = { ...figures, openedMs: Math.round(await opening(page)) };
});

/** How long it takes until the page is drawn, its script has run and everything is laid out, in ms. The start of the browser is not counted. */
async function opening(page: string): Promise<number> {
  const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage();
    const started = performance.now();
    await tab.goto(pathToFileURL(page).href);
    await tab.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
    return performance.now() - started;
  } finally {
    await browser.close();
  }
}

/** Ends of rows: no cell of this store holds one. */
const lineCount = (file: string): number => readFileSync(file, 'utf8').split('\r\n').length - 1;

/** Fills the store as a plan does, but directly: reading and mapping as much takes a minute. */
function fill(store: Store): void {
  const db = databaseOf(store);
  const series = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  db.exec('BEGIN');
  db.exec(`
    INSERT INTO source_input (id, path) VALUES (1, '/export');
    INSERT INTO source_file (id, input, path, role, fingerprint, size_bytes) VALUES (1, 1, 'messages.json', 'rows', 'f', 1);
    INSERT INTO person (id, source_id, uid, name, details, record, is_placeholder)
      ${series(people)} SELECT i, 'U' || i, 'u' || i, 'Person ' || i, '{}', '{}', 0 FROM n;
    INSERT INTO conversation (id, source_id, type, name, receiver_type, guid, details, record, is_placeholder)
      ${series(conversations)} SELECT i, 'C' || i, 'public', 'Conversation ' || i, 'group', 'c' || i, '{}', '{}', 0 FROM n;
    INSERT INTO message (seq, muid, conversation, sender, origin_id, sent_at, sort_key, record_digest, verdict, reason, detail, facts, file, place, payload)
      ${series(messages)} SELECT i, printf('m1%025d', i), 1 + i % ${conversations}, 1 + i % ${people}, i, 1262304000000 + i * 400000, i, 'd',
        iif(i % 1000 = 0, 'invalid', 'planned'), iif(i % 1000 = 0, 'no-content', NULL), iif(i % 1000 = 0, 'neither text nor file', NULL),
        iif(i % 5 = 0, '{"reactions":2}', NULL), 1, i, '{"data":{"text":"Message number ' || i || '"}}' FROM n;
    INSERT INTO problem (file, code, reason, place)
      ${series(problems)} SELECT 1, iif(i % 3 = 0, 'attachment-expires', iif(i % 3 = 1, 'text-long', 'code-' || i % 500)), '=HYPERLINK(' || i || ')', 'messages.json:' || i FROM n;`);
  createMessageIndexes(db);
  db.exec('COMMIT');
}

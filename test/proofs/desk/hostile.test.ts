import { request as httpRequest } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDesk as openServer } from '../../cli/desk-scene.ts';
import { start } from '../../cli/process.ts';
import { hasCorpora, hostileTexts } from '../../report/hostile.ts';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { button, confirmReading, openDesk, runBy, widthOf } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();

/** What takes a process of its own has so long, in ms. */
const timeout = 60_000;

const short: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(2)>',
  "'-alert(3)-'",
  'javascript:alert(4)',
  '</script><script>alert(5)</script>',
  '{{constructor.constructor("alert(6)")()}}',
  '\u202Egnp.tla',
];

const texts: readonly string[] = [...short, ...(hasCorpora ? hostileTexts(2_000) : [])].filter(
  (text) => text.trim() !== '' && !text.includes('\0'),
);

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A database of chats in which every name that its owner chose is an attack, and every text of theirs. */
function writeHostile(path: string): void {
  const db = new Database(path);
  db.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
    CREATE TABLE rooms (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms, user_id INTEGER REFERENCES users,
      body TEXT, created_at TEXT, ${quoted(short[0]!)} TEXT)`);
  for (const name of short)
    db.exec(
      `CREATE TABLE ${quoted(name)} (id INTEGER PRIMARY KEY, ${quoted(name)} TEXT, user_id INTEGER REFERENCES users)`,
    );
  const user = db.prepare('INSERT INTO users (name, email) VALUES (?, ?)');
  const room = db.prepare('INSERT INTO rooms (title) VALUES (?)');
  for (const name of short) {
    user.run(name, `${name}@example.com`);
    room.run(name);
  }
  const message = db.prepare(
    `INSERT INTO messages (room_id, user_id, body, created_at, ${quoted(short[0]!)}) VALUES (?, ?, ?, ?, ?)`,
  );
  for (const [index, text] of texts.entries()) {
    const at = new Date(Date.UTC(2026, 2, 2, 10, index)).toISOString();
    message.run((index % short.length) + 1, (index % short.length) + 1, text, at, text);
  }
  db.close();
}

/** Shows a view, and waits until nothing of it is awaited any more. */
async function show(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await expect.poll(() => page.evaluate(isSettled), { timeout }).toBe(true);
}

const isSettled = `document.querySelector('#main') !== null && !document.querySelector('#main [aria-busy="true"]') &&
  ![...document.querySelectorAll('#main .empty')].some(({ textContent }) => textContent.endsWith('…'))`;

/** Elements that no text of an export may become, and attributes that would run. */
const foreign = `document.querySelectorAll('main :is(script, iframe, object, embed, base, meta, link, style, video, audio, math), main img:not([src^="data:"]), [onerror], [onload], [style], [href^="javascript"]').length`;

describe.skipIf(executablePath === null)('a hostile export in the desk', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('does nothing to any step, whatever its texts, people, tables, columns and files are called', async () => {
    const folder = home.make();
    const file = join(home.make(), '"><img src=x onerror=alert(7)>.sqlite');
    writeHostile(file);
    const { page, caught, close } = await openDesk(
      browser,
      [file],
      { folder },
      { viewport: { width: 390, height: 800 } },
    );
    const isUnharmed = async () =>
      expect([page.url(), await page.evaluate(foreign), await widthOf(page), caught]).toEqual([page.url(), 0, 390, []]);
    await page.locator('#me').fill(short[0]!);
    await page.waitForSelector('.steps .is-done >> text=Source', { state: 'attached', timeout });
    await isUnharmed();
    await show(page, '#/tables');
    await page.waitForSelector('.rows .row', { timeout });
    for (const name of ['messages', ...short]) {
      await show(page, `#/tables/${encodeURIComponent(name)}`);
      expect(await page.locator('.decision h2').textContent()).toBe(name);
      await isUnharmed();
    }
    await answerAll(page);
    await isUnharmed();
    await show(page, '#/rehearse');
    await runBy(page, 'Plan', 'Planning');
    await confirmReading(page);
    await show(page, '#/rehearse');
    await runBy(page, 'Rehearse', 'Rehearsing');
    await isUnharmed();
    for (const hash of ['#/decide', '#/map', '#/go', '#/chats', '#/people', '#/groups', '#/search/alert']) {
      await show(page, hash);
      await isUnharmed();
    }
    await show(page, '#/map');
    const shown = await page.locator('#main').textContent();
    for (const name of short) expect(shown).toContain(name);
    await show(page, '#/go');
    await page.getByLabel('Note').fill(short[1]!);
    await page.locator('.sign button').click();
    await page.waitForSelector('.signed', { timeout });
    await isUnharmed();
    await page.evaluate(`location.hash = '#/chats'`);
    for (let index = 0; index < short.length; index++) {
      await page.locator('.list .row').nth(index).click();
      await page.waitForSelector('.bubble');
      await isUnharmed();
      await page.evaluate(`location.hash = '#/chats'`);
    }
    expect(readdirSync(folder).filter((name) => !/^(chatferry[.-]|state$)/.test(name))).toEqual([]);
    await close();
  });
});

/** Takes the first answer of every question, until none is left. */
async function answerAll(page: Page): Promise<void> {
  for (;;) {
    await show(page, '#/decide');
    const open = await page.locator('.rows .row', { hasNotText: 'decided by' }).count();
    if (open === 0) return;
    await page.locator('.rows .row', { hasNotText: 'decided by' }).first().click();
    await page.locator('.answer input').first().check();
    await button(page, 'Decide').click();
    await expect
      .poll(() => page.locator('.rows .row', { hasNotText: 'decided by' }).count(), { timeout })
      .toBeLessThan(open);
  }
}

describe('the server of a desk', () => {
  /** A request with headers that no browser lets a page choose. */
  const raw = (origin: string, path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      const asking = httpRequest(origin + path, { method, headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      });
      asking.on('error', reject);
      asking.end(method === 'GET' ? undefined : '{"kind":"plan"}');
    });

  test('answers no other name of this machine, no other page and no second use of its link', async () => {
    const folder = home.make();
    const { origin, entrance, request, send } = await openServer(['--no-open'], folder, (args, where) =>
      start(args, { folder: where.folder }),
    );
    const { host } = new URL(origin);
    expect((await request('/desk/data/state')).status).toBe(200);
    const path = entrance.slice(origin.length);
    expect((await fetch(entrance, { redirect: 'manual' })).status).toBe(403);
    for (const name of ['evil.example', `evil.example:${new URL(origin).port}`, `${host}.evil.example`, ''])
      for (const asked of [path, '/desk', '/desk/data/state'])
        expect([name, asked, await raw(origin, asked, { host: name })]).toEqual([
          name,
          asked,
          expect.toSatisfy((status: number) => status >= 400 && status < 500),
        ]);
    for (const site of ['cross-site', 'same-site'])
      expect((await request('/desk/data/state', { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'text/plain' },
      { 'x-chatferry': '' },
    ])
      expect([headers, (await send('run', '{"kind":"plan"}', headers)).status]).toEqual([headers, 403]);
    expect(readdirSync(folder).filter((name) => name.startsWith('chatferry'))).toEqual([]);
  });
});

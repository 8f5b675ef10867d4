import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openViewer, type OpenViewer } from '../../src/cli/operate/viewer.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/app.ts';
import { type SandboxServer, serveViewer } from '../../src/sandbox/serve.ts';
import { hasCorpora, hostileTexts } from '../report/hostile.ts';
import { chromiumPath } from '../requirements.ts';
import { catchAll } from '../scenes/caught-page.ts';

const executablePath = chromiumPath();
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const longCount = 100_000;
const groupCount = 10_000;
const firstAt = 1_500_000_000;

function message(index: number, receiver: string, data: object, name = receiver) {
  return {
    muid: `m-${receiver}-${index}`,
    sender: index % 3 === 0 ? 'ann' : 'bob',
    receiverType: 'group',
    receiver,
    sentAt: firstAt + index * 600,
    data,
    receiverGroupDetails: { guid: receiver, name },
  };
}

/** A conversation of 100,000, another 10,000 of one, and one in which every text is an attack. */
function* messages() {
  for (let index = 0; index < groupCount; index++)
    yield message(0, `g${index}`, { text: `Hello ${index}` }, `Room ${index}`);
  for (let index = 0; index < longCount; index++) {
    const text = `Line **${index}** of the harbour${index % 7 === 0 ? ', with more words that go on to a second row of the bubble'.repeat(3) : ''}`;
    yield message(index, 'long', { text: index === 777 ? `${text} albatross` : text }, 'The long one');
  }
  const texts = hasCorpora ? hostileTexts(2_000) : ['<img src=x onerror=alert(1)>'];
  for (const [index, text] of texts.filter((one) => one.trim() !== '').entries()) {
    const attachments = [{ url: text, name: text, extension: text, mimeType: text, size: text }];
    const metadata = {
      chatferry: {
        v: 1,
        key: text,
        reactions: [{ emoji: text, count: 1, by: [text] }],
        files: [{ name: text, why: text }],
      },
    };
    yield message(index, 'hostile', { text, attachments, metadata }, text.slice(0, 90));
  }
}

describe.skipIf(executablePath === null)('the viewer in a browser', () => {
  let browser: Browser;
  let folder: string;
  let sandbox: Sandbox;
  let viewer: OpenViewer;
  let server: SandboxServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chatferry-viewer-'));
    const data = join(folder, 'sandbox.db');
    const store = openSandboxStore(data, { synchronous: 'NORMAL' });
    sandbox = createSandbox({
      store,
      apiKey: 'key',
      profile: 'spec',
      limits: { itemsMax: 1_000 },
      seed: 'demo',
      clock: systemClock,
    });
    for (const batch of batches(messages(), 1_000)) {
      const body = JSON.stringify({ messages: Object.fromEntries(batch.map((one) => [one.muid, one])) });
      const { status } = sandbox.handle({
        method: 'POST',
        path: '/v3/data_import/messages',
        headers: { apikey: 'key' },
        body,
      });
      expect(status).toBe(200);
    }
    viewer = await openViewer({ data });
    server = await serveViewer(viewer.page);
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await server.close(100);
    viewer.close();
    sandbox.close();
    await rm(folder, { recursive: true });
  });

  /** The page, with what no page of ours does. */
  async function open(
    options: BrowserContextOptions = {},
    hash = '',
  ): Promise<{ page: Page; caught: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
    const caught = catchAll(page, `${server.url}/viewer`);
    await page.goto(`${server.url}${viewer.page.entrance}${hash}`);
    await page.waitForSelector('.navigation');
    return { page, caught };
  }

  const first = (page: Page) => page.locator('.timeline article').first();
  const chat = '#/c/group_long';

  test('the list finds a conversation among 10,000', async () => {
    const { page, caught } = await open();
    await page.waitForSelector('.row');
    await page.keyboard.press('/');
    await page.keyboard.type('Room 9876');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.locator('.row').press('Enter');
    await page.waitForSelector('.bubble >> text=Hello 9876');
    expect(caught).toEqual([]);
    await page.close();
  });

  test('the first of 100,000 messages is a key away, and so is the last', async () => {
    const { page, caught } = await open({}, chat);
    await page.waitForSelector('.bubble >> text=Line 99999');
    await page.locator('.timeline').focus();
    await page.keyboard.press('Home');
    await page.waitForSelector('.edge');
    expect(await first(page).getAttribute('aria-posinset')).toBe('1');
    await page.keyboard.press('End');
    await page.waitForSelector('.bubble >> text=Line 99999');
    expect(caught).toEqual([]);
    await page.close();
  });

  test('scrolling loads further pages row by row without a gap, and keeps few of them', async () => {
    const { page } = await open({}, chat);
    await page.waitForSelector('.bubble >> text=Line 99999');
    for (let turn = 0; turn < 40; turn++) {
      await page.locator('.timeline').evaluate((element) => element.scrollBy(0, -1_500));
      await page.waitForTimeout(30);
    }
    await expect.poll(async () => Number(await first(page).getAttribute('aria-posinset'))).toBeLessThan(99_700);
    const positions = await page
      .locator('.timeline article')
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-posinset'))));
    expect(positions).toEqual(positions.map((_, index) => positions[0]! + index));
    expect(positions.length).toBeLessThanOrEqual(240);
    await page.close();
  });

  test('a jump to a date, a link to a message and a search lead to the message', async () => {
    const { page, caught } = await open({}, chat);
    await page.waitForSelector('.timeline article');
    const day = new Date((firstAt + 50_000 * 600) * 1_000).toISOString().slice(0, 10);
    await page.locator('input[type=date]').fill(day);
    await page.waitForSelector('article.marked');
    const found = Number(/\d+/.exec((await page.locator('article.marked .bubble').textContent())!)![0]);
    expect(Math.abs(found - 50_000)).toBeLessThan(300);
    await page.goto(`${server.url}/viewer#/m/m-long-1234`);
    await page.waitForSelector('article.marked >> text=Line 1234');
    await page.goto(`${server.url}/viewer#/search/albatross`);
    await page.waitForSelector('.hits a');
    await page.locator('.hits a').first().press('Enter');
    await page.waitForSelector('article.marked >> text=albatross');
    for (const [words, wanted] of [
      ['m-long-4321', 'article.marked >> text=Line 4321'],
      ['albatross', '.hits a'],
    ] as const) {
      await page.goto(`${server.url}/viewer#/search/`);
      await page.locator('#find').fill(words);
      await page.locator('#find').press('Enter');
      await page.waitForSelector(wanted);
    }
    expect(caught).toEqual([]);
    await page.close();
  });

  test('the groups lead to their messages by keyboard alone', async () => {
    const { page, caught } = await open({ viewport: { width: 360, height: 740 } }, '#/groups');
    await page.waitForSelector('.group');
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await expect.poll(() => page.locator('.group').count()).toBeGreaterThan(50);
    await page.keyboard.press('/');
    await page.keyboard.type('the long');
    await expect.poll(() => page.locator('.group').count()).toBe(1);
    expect(await page.locator('.group').textContent()).toContain('Public · 2 members');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.bubble >> text=Line 99999');
    expect(caught).toEqual([]);
    await page.close();
  });

  test('it shows the chats as one user sees them, and the JSON of a message', async () => {
    const { page, caught } = await open({}, '#/c/group_long?as=bob');
    await page.waitForSelector('.message.own');
    await page.locator('.details').first().press('Enter');
    await page.waitForSelector('.panel .json >> text=conversationId');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.panel').count()).toBe(0);
    expect(caught).toEqual([]);
    await page.close();
  });

  test('any place in 100,000 messages is a move of the slider away', async () => {
    const { page, caught } = await open({}, chat);
    await page.waitForSelector('.bubble >> text=Line 99999');
    for (const position of [50_000, 10, 99_000]) {
      await page.locator('input[type=range]').fill(String(position));
      await page.waitForSelector(`article[aria-posinset="${position + 1}"]`);
    }
    expect(caught).toEqual([]);
    await page.close();
  });

  test('no text runs, asks for anything or breaks the layout', async () => {
    const { page, caught } = await open({ viewport: { width: 360, height: 740 } }, '#/c/group_hostile');
    await page.waitForSelector('.timeline article');
    await page.locator('.timeline').focus();
    await page.keyboard.press('Home');
    await page.waitForSelector('.edge');
    for (let last = ''; ; ) {
      expect(
        await page.evaluate(`[document.documentElement.scrollWidth, document.querySelector('.timeline').scrollWidth]`),
      ).toEqual([360, expect.toSatisfy((width: number) => width <= 360)]);
      await page.locator('.timeline').evaluate((element) => element.scrollBy(0, 3_000));
      await page.waitForTimeout(60);
      const now =
        (await page.locator('.timeline article').last().getAttribute('data-id')) +
        (await page.locator('.timeline').evaluate((element) => `${element.scrollTop}`));
      if (now === last) break;
      last = now;
    }
    await page.goto(`${server.url}/viewer#/people`);
    await page.waitForSelector('.people li');
    expect(caught).toEqual([]);
    await page.close();
  });

  const screens = [
    { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  ] as const;
  test.each(screens)('axe finds nothing with %j', async (screen) => {
    const { page } = await open({ ...screen, bypassCSP: true });
    const found: unknown[] = [];
    for (const hash of [
      '#/',
      '#/c/group_team',
      '#/c/ann_user_helper',
      '#/c/ann_user_bob?as=ann',
      '#/search/line',
      '#/people',
      '#/groups',
      '#/import',
    ]) {
      await page.goto(`${server.url}/viewer${hash}`);
      await page.waitForSelector('.row:visible, .bubble:visible, .hits a, .people li, .empty:visible');
      await page.waitForTimeout(200);
      if (hash === '#/c/group_team') {
        await page.locator('.details').first().click();
        await page.waitForSelector('.panel .json');
      }
      await page.evaluate(axe);
      found.push(...(await page.evaluate<unknown[]>(runAxe)).map((one) => [hash, one]));
    }
    expect(found).toEqual([]);
    await page.close();
  });
});

const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))]))`;

function* batches<T>(rows: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const row of rows) {
    if (batch.push(row) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

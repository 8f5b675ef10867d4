import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openViewer, type OpenViewer } from '../../src/cli/operate/viewer.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/app.ts';
import { type SandboxServer, serveViewer } from '../../src/sandbox/serve.ts';
import { chromiumPath } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { storeEveryKind } from './viewer-kinds-messages.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))]))`;

/** Tall enough for all of them at once. */
const height = 6_000;

describe.skipIf(executablePath === null)('a message in the viewer', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let viewer: OpenViewer;
  let server: SandboxServer;

  beforeAll(async () => {
    const data = join(home.make(), 'sandbox.db');
    const store = openSandboxStore(data);
    viewer = await openViewer({ data });
    server = await serveViewer(viewer.page);
    storeEveryKind(store, server.url);
    sandbox = createSandbox({ store, apiKey: 'key', profile: 'spec', seed: 'demo', clock: systemClock });
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await server.close(100);
    viewer.close();
    sandbox.close();
  });

  async function open(conversation: string, width = 1280, more = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height }, timezoneId: 'UTC', locale: 'en-GB', ...more });
    await page.goto(`${server.url}${viewer.page.entrance}#/c/${conversation}`);
    await page.waitForSelector('.timeline article');
    return page;
  }

  /** The message at a place of its conversation, from 1. */
  const at = (page: Page, position: number) => page.locator(`article[aria-posinset="${position}"]`);

  test('has its Markdown, its mentions and its tags', async () => {
    const page = await open('group_kinds');
    const plan = at(page, 1);
    for (const role of ['list', 'blockquote', 'table', 'code', 'strong', 'emphasis'] as const)
      expect([role, await plan.getByRole(role).first().isVisible()]).toEqual([role, true]);
    expect(await plan.getByRole('link', { name: 'link' }).getAttribute('href')).toBe('https://example.com/');
    expect(await at(page, 2).locator('.mention').allTextContents()).toEqual(['@Ann Arbor', '@all']);
    expect(await at(page, 2).textContent()).toContain('#urgent');
    await page.close();
  });

  test('shows its files by type, and pictures without requests to other hosts', async () => {
    const asked: string[] = [];
    const page = await browser.newPage({ viewport: { width: 1280, height } });
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.goto(`${server.url}${viewer.page.entrance}#/c/group_kinds`);
    await page.getByRole('img', { name: 'broken.png, which is broken' }).waitFor();
    const item = (name: string) => page.getByRole('listitem', { name });
    expect(await item('Image pier.png').textContent()).toContain('files.example.com');
    expect(await item('Image pier.png').textContent()).toContain('not loaded: nothing leaves this machine');
    expect(await page.getByRole('img', { name: 'pier.png, not loaded' }).isVisible()).toBe(true);
    expect(
      await item('Image dot.png')
        .locator('img')
        .evaluate((image) => 'naturalWidth' in image && image.naturalWidth),
    ).toBe(1);
    expect(await item('Image dot.png').textContent()).not.toContain('not loaded');
    for (const name of ['Video tour.mp4', 'Audio idea.ogg', 'File minutes.pdf', 'File notes.txt'])
      expect([name, await item(name).textContent()]).toEqual([name, expect.stringContaining('47 KiB')]);
    expect(await item('Missing file lost.zip').textContent()).toContain('the export does not have it');
    expect([...new Set(asked)].filter((origin) => origin !== 'null')).toEqual([server.url]);
    await page.close();
  });

  test('has a picture of its own origin as it is', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height } });
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGM4w8DwHwAEQwGQJ7k2zgAAAABJRU5ErkJggg==',
      'base64',
    );
    await page.route('**/broken.png', (route) => route.fulfill({ contentType: 'image/png', body: pixel }));
    await page.goto(`${server.url}${viewer.page.entrance}#/c/group_kinds`);
    await page.getByRole('img', { name: 'broken.png' }).waitFor();
    await expect
      .poll(() =>
        page
          .getByRole('img', { name: 'broken.png' })
          .evaluate((image) => 'naturalWidth' in image && image.naturalWidth),
      )
      .toBe(1);
    await page.close();
  });

  test('shows every element of a form, with the selected values', async () => {
    const page = await open('group_kinds');
    const form = page.getByRole('group', { name: 'Lunch on Friday' });
    expect(await form.getByLabel('Your name').getAttribute('placeholder')).toBe('As on the badge');
    expect(await form.getByLabel('Wishes (optional)').inputValue()).toBe('No nuts');
    expect(await form.getByLabel('Starter').inputValue()).toBe('Salad');
    const course = form.getByRole('group', { name: 'Main course' });
    expect(await course.getByRole('radio', { name: 'Soup' }).isChecked()).toBe(true);
    expect(await course.getByRole('radio', { name: 'Salad' }).isChecked()).toBe(false);
    const extras = form.getByRole('group', { name: 'Extras (optional)' });
    expect(await extras.getByRole('checkbox', { name: 'Bread' }).isChecked()).toBe(true);
    expect(await extras.getByRole('checkbox', { name: 'Oil' }).isChecked()).toBe(false);
    expect(await form.getByLabel('When').getAttribute('placeholder')).toBe('yyyy-MM-dd');
    expect(await form.getByText('from 2025-06-01 to 2025-06-30, Europe/Berlin').isVisible()).toBe(true);
    expect(await form.getByRole('button', { name: 'See the menu' }).isDisabled()).toBe(true);
    expect(await form.getByRole('button', { name: 'Order' }).isDisabled()).toBe(true);
    expect(await form.textContent()).toContain('calls https://example.com/orders');
    await page.close();
  });

  test('has elements that only the hosted service knows', async () => {
    const page = await open('group_kinds');
    const form = page.getByRole('group', { name: 'Where to sit' });
    expect(await form.getByText('Tell us by Thursday').isVisible()).toBe(true);
    const seat = form.getByRole('group', { name: 'Seat' });
    expect(await seat.getByRole('radio', { name: 'Outside' }).isChecked()).toBe(false);
    await page.close();
  });

  test('is shown as a card, a place, a poll or an unknown kind, and is labelled so', async () => {
    const page = await open('group_kinds');
    const card = page.getByRole('group', { name: 'A new pier' });
    expect(await card.getByRole('img', { name: 'Picture of A new pier, not loaded' }).isVisible()).toBe(true);
    expect(await card.getByRole('button', { name: 'Visit' }).isDisabled()).toBe(true);
    expect(await page.getByRole('group', { name: 'Meet us' }).textContent()).toContain('duration60');
    expect(await at(page, 14).textContent()).toContain('42.28, -83.74');
    expect(await at(page, 15).textContent()).toMatch(/Which day\?.*poll.*Monday/s);
    await page.close();
  });

  test('shows that it was edited, pinned, deleted or truncated, or has no author', async () => {
    const page = await open('group_kinds');
    expect(await at(page, 21).textContent()).toMatch(/It is on Friday.*edited.*pinned/s);
    expect(await at(page, 22).textContent()).toContain('This message was deleted');
    expect(await at(page, 22).textContent()).not.toContain('Gone from the export');
    expect(await at(page, 27).textContent()).toContain('text cut to the service’s limit');
    expect(await at(page, 28).locator('.line').textContent()).toContain('Ann Arbor set the topic');
    await page.close();
  });

  test('has its thread, its quote and its reactions', async () => {
    const page = await open('group_kinds');
    expect(await at(page, 24).getByRole('button', { name: 'Bob Bay A thread begins' }).isVisible()).toBe(true);
    expect(await at(page, 24).textContent()).toContain('also sent to the conversation');
    expect(await at(page, 25).getByRole('button', { name: 'Ann Arbor It is on Friday' }).isVisible()).toBe(true);
    expect(await at(page, 26).locator('.reaction').textContent()).toBe('🎉 2');
    await expect.poll(() => at(page, 23).getByRole('button', { name: '1 reply' }).count()).toBe(1);
    await at(page, 23).getByRole('button', { name: '1 reply' }).click();
    await page.getByRole('complementary', { name: 'Thread' }).getByText('And is answered').waitFor();
    await page.goto(`${server.url}/viewer#/c/ann_user_bob`);
    const given = page.getByRole('list', { name: 'Reactions' });
    await given.first().waitFor();
    expect(await given.allTextContents()).toEqual(['👍 1', '🎉 1📦 1']);
    await page.close();
  });

  test('shows calls and member changes as sentences', async () => {
    const page = await open('ann_user_bob');
    expect(await page.locator('.line').getByText('Bob Bay started an audio call').isVisible()).toBe(true);
    expect(await page.locator('.line').getByText('The audio call of Bob Bay is going on').isVisible()).toBe(true);
    await page.goto(`${server.url}/viewer#/c/group_kinds`);
    for (const sentence of [
      'Bob Bay edited a message',
      'Ann Arbor added Bob Bay',
      'Ann Arbor removed Bob Bay',
      'Ann Arbor banned Bob Bay',
      'Ann Arbor changed what Bob Bay may do',
    ])
      await page.locator('.line').getByText(sentence).waitFor();
    await page.close();
  });

  const screens = [
    [1280, 'light'],
    [1280, 'dark'],
    [360, 'light'],
    [360, 'dark'],
  ] as const;
  test.each(screens)(
    'of any kind fits a page of %i pixels, and axe finds no fault in %s',
    async (width, colorScheme) => {
      const page = await open('group_kinds', width, { colorScheme, bypassCSP: true });
      await page.getByRole('img', { name: 'broken.png, which is broken' }).waitFor();
      await page.evaluate(axe);
      expect(await page.evaluate(runAxe)).toEqual([]);
      expect(
        await page.evaluate(`[document.documentElement.scrollWidth, ...[...document.querySelectorAll('.timeline, .bubble, .card, .file')]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth).filter((beyond) => beyond > 1)]`),
      ).toEqual([width]);
      await page.close();
    },
  );
});

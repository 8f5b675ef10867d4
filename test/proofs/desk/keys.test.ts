import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../requirements.ts';
import { type MadeDesk, type MadeState, serveMadeDesk } from '../../scenes/made-desk.ts';

const executablePath = chromiumPath();

describe.skipIf(executablePath === null)('the page of the desk', () => {
  let browser: Browser;
  const desks: MadeDesk[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await Promise.all(desks.splice(0).map((desk) => desk.close()));
  });

  async function open(state: MadeState, view: string) {
    const desk = await serveMadeDesk(state);
    desks.push(desk);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${desk.entrance()}#/${view}`);
    await page.waitForSelector('#main h1');
    return { page, desk };
  }

  const hash = (page: Page) => page.evaluate<string>('decodeURIComponent(location.hash)');
  const press = async (page: Page, ...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  test('has a key for each step, and writes numbers into fields', async () => {
    const { page } = await open('usual', 'source');
    const seen: string[] = [];
    for (const key of ['2', '3', '4', '5', '6', '1']) {
      await press(page, key);
      seen.push(await hash(page));
    }
    expect(seen).toEqual(['#/conversations', '#/decide', '#/map', '#/rehearse', '#/go', '#/source']);
    await page.locator('#me').focus();
    await press(page, '3');
    expect([await hash(page), await page.locator('#me').inputValue()]).toEqual(['#/source', '3']);
  });

  test('is where it was after it is loaded again, with the name of its user', async () => {
    const { page } = await open('usual', 'decide/author-not-described');
    await page.locator('#me').fill('Ann');
    await page.reload();
    await page.waitForSelector('h2 >> text=people whom no file of the export describes');
    expect(await page.locator('#me').inputValue()).toBe('Ann');
  });

  test('takes a decision by keyboard alone, and shows beforehand what messages become', async () => {
    const { page, desk } = await open('usual', 'decide');
    await page.waitForSelector('.rows a');
    await press(page, 'k', 'Enter');
    await page.waitForSelector('h2 >> text=people whom no file of the export describes');
    await page.locator('input[type="radio"]').first().focus();
    await page.waitForSelector('.as-sent.sent');
    await press(page, 'ArrowDown');
    await page.waitForSelector('.as-sent.skipped.differs-outcome >> text=not sent: left out by a decision');
    await press(page, 'Enter');
    // Nothing is written without a name.
    await page.waitForFunction(`document.activeElement.id === 'me'`);
    await page.waitForSelector('text=Type your name first: each decision keeps it');
    expect(desk.sent).toEqual([]);
    await page.keyboard.type('Ann');
    await page.locator('button.main').focus();
    await press(page, 'Enter');
    await page.waitForSelector('text=Written to chatferry.mapping.yaml');
    const body = { card: 'author-not-described', answers: [1], by: 'Ann', version: '1' };
    expect(desk.sent).toEqual([{ route: 'POST answer', body }]);
    expect(await hash(page)).toBe('#/decide');
  });

  test('has the first answer of a question at most six presses of Tab away, and nothing on the way that only scrolls', async () => {
    const { page } = await open('usual', 'decide');
    await page.waitForSelector('.answer');
    const reached: string[] = [];
    while (reached.at(-1) !== 'answer' && reached.length < 7) {
      await press(page, 'Tab');
      // The link that skips the bars is taken.
      if (reached.length === 0) await press(page, 'Enter');
      reached.push(await page.evaluate<string>('document.activeElement.name || document.activeElement.className'));
    }
    expect([reached.at(-1), reached.length <= 6]).toEqual(['answer', true]);
    const panes = await page.evaluate(
      `[...document.querySelectorAll('#main *')].filter((one) => one.tabIndex >= 0 && !one.matches('a, button, input, select, textarea, summary')).length`,
    );
    const scrolling = await page.evaluate(
      `[...document.querySelectorAll('#main *')].filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY) && !one.matches('textarea, select')).map((one) => one.className)`,
    );
    expect([panes, scrolling]).toEqual([0, []]);
  });

  test('accepts all proposals at once after a look at each, with the name of the person', async () => {
    const { page, desk } = await open('usual', 'decide');
    await page.locator('#me').fill('Ann');
    const next = page.getByRole('link', { name: 'Look at the next proposal' });
    const accept = page.getByRole('button', { name: 'Accept the 3 proposals' });
    await page.waitForSelector('.answer');
    for (const left of [2, 1]) {
      await page.waitForSelector(`text=${left} of 3 proposals to look at`);
      expect(await accept.count()).toBe(0);
      await next.click();
    }
    await accept.click();
    await expect.poll(() => desk.sent.length).toBe(3);
    for (const { route, body } of desk.sent)
      expect([route, body]).toEqual(['POST answer', expect.objectContaining({ answers: [0], by: 'Ann' })]);
  });

  test('goes back with Escape, and to the search with /', async () => {
    const { page } = await open('usual', 'tables/chat_message');
    await press(page, 'Escape');
    expect(await hash(page)).toBe('#/tables');
    await press(page, '/');
    await page.keyboard.type('perm');
    await expect.poll(() => page.locator('.rows a').count()).toBe(1);
    await press(page, 'Escape');
    expect(await hash(page)).toBe('#/decide');
  });

  test('writes a uid when its field is left, and merges people only if two are chosen', async () => {
    const { page, desk } = await open('usual', 'map');
    await page.locator('#me').fill('Ann');
    await page.getByLabel('uid of Zoë Çelik').fill('zoe.celik');
    await press(page, 'Tab');
    await page.waitForSelector('text=written');
    const merge = page.getByRole('button', { name: 'They are one person' });
    const boxes = page.locator('.group-of input');
    await boxes.first().check();
    expect([await boxes.nth(1).isChecked(), await merge.isDisabled()]).toEqual([false, true]);
    await boxes.nth(1).check();
    await merge.click();
    await expect.poll(() => desk.sent.length).toBe(2);
    expect(desk.sent).toEqual([
      { route: 'POST person', body: { id: 'U3', uid: 'zoe.celik', seen: 'zoe', by: 'Ann', version: '1' } },
      { route: 'POST merge', body: { ids: ['U1', 'U5'], by: 'Ann', version: '1' } },
    ]);
  });

  test('says that the files changed meanwhile', async () => {
    const { page } = await open('usual', 'go');
    await page.locator('#me').fill('Ann');
    await page.route('**/desk/data/sign-off', (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'DESK_CHANGED', message: 'x', hint: null } } }),
    );
    await page.getByRole('button', { name: 'Sign off' }).click();
    await page.waitForSelector('[role="alert"] >> text=The files changed meanwhile');
  });

  test('asks before it sends anything to a destination', async () => {
    const { page, desk } = await open('usual', 'go');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForSelector('text=1,031 messages to https://2651f1a5c9');
    // The button under the keys is the harmless one.
    await press(page, 'Enter');
    expect(desk.sent).toEqual([]);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Start the import' }).click();
    await expect.poll(() => desk.sent).toEqual([{ route: 'POST run', body: { kind: 'import', version: '1' } }]);
  });
});

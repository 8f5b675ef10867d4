import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeZip } from '../../io/make-zip.ts';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { expectFaultless, openDesk, screens, violationsIn, widthOf } from './desk-page.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../../samples/slack/every-feature/export');

/** Drops files and folders of the disk, as a file manager does. */
async function drop(page: Page, paths: readonly string[]): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const box = (await page.locator('.drop').boundingBox())!;
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: box.x + 20, y: box.y + 20, data });
}

/** The files of a folder with their content, by path. */
const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'base64')]),
  );

const zipped = (folder: string): Buffer =>
  makeZip(
    Object.entries(filesIn(folder)).map(([name, content]) => ({ name, content: Buffer.from(content, 'base64') })),
  );

describe.skipIf(executablePath === null)('an export that is chosen in the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test('a ZIP that is picked by keyboard is copied, recognised and counted, and can be deleted again', async () => {
    const folder = home.make();
    const zip = join(home.make(), 'acme.zip');
    writeFileSync(zip, zipped(slack));
    const { page, caught, close } = await openDesk(browser, [], { folder });
    await page.waitForSelector('h1 >> text=Choose an export');
    await page.locator('#pick-files').setInputFiles(zip);
    await page.waitForSelector('h1 >> text=Slack export');
    await page.waitForSelector('.totals-of-export >> text=35');
    expect(readFileSync(join(folder, 'chatferry-desk.files/acme.zip')).equals(readFileSync(zip))).toBe(true);
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).toContain('export: chatferry-desk.files/acme.zip\n');
    expect(await page.locator('#main').textContent()).toContain('./chatferry-desk.files: 1 file');
    await page.locator('button >> text=Delete the copies').press('Enter');
    await page.locator('.confirm button.main').press('Enter');
    await page.waitForSelector('h1 >> text=Choose an export');
    expect(existsSync(join(folder, 'chatferry-desk.files'))).toBe(false);
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).not.toMatch(/^export:/m);
    expect(caught).toEqual([]);
    await close();
  });

  test('a folder that is dropped is copied with all that is in it, and nothing in it is a setting', async () => {
    const [folder, dropped] = [home.make(), join(home.make(), 'acme')];
    cpSync(slack, dropped, { recursive: true });
    writeFileSync(join(dropped, 'chatferry.yaml'), 'source: irc\nstore: ./stolen.db\n');
    writeFileSync(join(dropped, 'chatferry.mapping.yaml'), 'messages: [');
    const { page, caught, close } = await openDesk(browser, [], { folder });
    await page.waitForSelector('.drop');
    await drop(page, [dropped]);
    await page.waitForSelector('h1 >> text=Slack export');
    await page.waitForSelector('.totals-of-export >> text=35');
    expect(filesIn(join(folder, 'chatferry-desk.files/acme'))).toEqual(filesIn(dropped));
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).toContain('export: chatferry-desk.files/acme\n');
    expect(existsSync(join(folder, 'stolen.db'))).toBe(false);
    expect(caught).toEqual([]);
    await close();
  });

  test('names do nothing in the page, and nothing outside of the folder of copies', async () => {
    const [folder, dropped] = [home.make(), join(home.make(), '<img src=x onerror=alert(1)>')];
    const names = ['"><svg onload=alert(2)>.log', "'-alert(3)-'.log", '\u202Egnp.log', 'a&b #1?%2e%2e.log'];
    mkdirSync(dropped);
    for (const name of names) writeFileSync(join(dropped, name), '[18:30] <ann> Hi\n[18:31] <bob> Hello\n');
    const { page, caught, close } = await openDesk(browser, ['--source', 'irc'], { folder }, screens[1]);
    await page.waitForSelector('.drop');
    await drop(page, [dropped]);
    await page.waitForSelector('.parts tbody tr');
    const shown = await page.locator('#main').textContent();
    for (const name of names) expect(shown).toContain(name);
    expect(Object.keys(filesIn(join(folder, 'chatferry-desk.files'))).length).toBe(names.length);
    expect(await page.locator('#main :is(img, svg:not(.icon))').count()).toBe(0);
    expect([await widthOf(page), caught]).toEqual([screens[1].viewport.width, []]);
    await close();
  });

  test('a name that leads elsewhere is refused in words, and nothing becomes the export', async () => {
    const [folder, dropped] = [home.make(), home.make()];
    writeFileSync(join(dropped, 'a\\..\\..\\b.log'), 'x');
    const { page, close } = await openDesk(browser, [], { folder });
    await page.waitForSelector('.drop');
    await drop(page, [join(dropped, 'a\\..\\..\\b.log')]);
    await page.waitForSelector('.problem >> text=has a backslash');
    expect(existsSync(join(folder, 'chatferry.yaml'))).toBe(false);
    expect(await page.locator('h1').textContent()).toBe('Choose an export');
    await close();
  });

  test('a copy that was interrupted by a reload goes on with the same file', async () => {
    const [folder, dropped] = [home.make(), home.make()];
    const zip = join(dropped, 'acme.zip');
    writeFileSync(zip, Buffer.concat([Buffer.alloc(9_000_000, 'x'), zipped(slack)]));
    const { page, close } = await openDesk(browser, [], { folder });
    await page.waitForSelector('.drop');
    let slices = 0;
    const interrupted = Promise.withResolvers<void>();
    await page.route('**/desk/data/upload?*', async (route) => {
      slices += 1;
      if (slices === 3) interrupted.resolve();
      if (slices === 3) await route.abort();
      else await route.continue();
    });
    await page.locator('#pick-files').setInputFiles(zip);
    await interrupted.promise;
    await page.waitForSelector('.problem');
    await page.reload();
    await page.waitForSelector('#copies');
    expect(await page.locator('#main').textContent()).toContain('whose copying was interrupted');
    await page.locator('#pick-files').setInputFiles(zip);
    await expect.poll(() => existsSync(join(folder, 'chatferry-desk.files/acme.zip'))).toBe(true);
    expect(readFileSync(join(folder, 'chatferry-desk.files/acme.zip')).equals(readFileSync(zip))).toBe(true);
    // The first part of the file was asked about, not sent to be written again.
    expect(slices).toBe(5);
    await close();
  });

  test('a file that nothing recognises is read as the source that the user names, which the terminal then knows too', async () => {
    const [folder, dropped] = [home.make(), home.make()];
    writeFileSync(join(dropped, 'one.json'), '{"at":"2026-03-02T10:00:00Z","by":"ann","said":"Hi"}');
    const { page, caught, close } = await openDesk(browser, [], { folder }, { ...screens[1], bypassCSP: true });
    await page.locator('#pick-files').setInputFiles(join(dropped, 'one.json'));
    await page.waitForSelector('.problem >> text=no source recognises it');
    expect(await violationsIn(page)).toEqual([]);
    await page.getByLabel('Source', { exact: true }).selectOption('json');
    expect(await page.locator('.terminal code').first().textContent()).toMatch(
      /chatferry init --source json .*one\.json$/,
    );
    await page.getByRole('button', { name: 'Read it' }).press('Enter');
    await page.waitForSelector('h2 >> text=To decide before anything is counted');
    expect(await page.locator('#main').textContent()).toContain('read as you chose');
    expect([await widthOf(page), await violationsIn(page)]).toEqual([screens[1].viewport.width, []]);
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).toContain('source: json\n');
    expect(caught).toEqual([]);
    await close();
  });

  test('a sample is tried, after the way to an export of another platform was read', async () => {
    const folder = home.make();
    const { page, caught, close } = await openDesk(browser, [], { folder });
    await page.getByLabel('Find a platform').fill('telegram');
    await expect.poll(() => page.locator('.tiles a').count()).toBe(1);
    await page.locator('.tiles a').press('Enter');
    await page.waitForSelector('.prose >> text=Machine-readable JSON');
    await page.getByRole('link', { name: 'Choose the files' }).press('Enter');
    await page.getByRole('button', { name: 'Try a sample' }).press('Enter');
    await page.waitForSelector('.totals-of-export >> text=35');
    expect(filesIn(join(folder, 'chatferry-desk.files/slack-sample'))).toEqual(filesIn(slack));
    expect(caught).toEqual([]);
    await close();
  });

  test('nothing is wrong with the page that asks for an export, in any colours and widths', async () => {
    const { page, close } = await openDesk(browser, [], { folder: home.make() }, { bypassCSP: true });
    await page.waitForSelector('.drop');
    await expectFaultless(page);
    await close();
  });
});

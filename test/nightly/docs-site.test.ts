import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../repository/tracked-files.ts';
import { chromiumPath } from '../requirements.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const executablePath = chromiumPath();
const home = temporaryFolder();
const base = '/some/folder/';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** A host without rules of its own: each file at its path, below a folder. */
async function serve(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const path = pathname.startsWith(base) ? pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html') : 'outside';
    const bytes = await readFile(join(folder, path)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(executablePath === null)('the site of the documentation, in a folder of any host', () => {
  let browser: Browser;
  let server: Server;
  let address: string;
  beforeAll(async () => {
    const folder = home.make();
    // A dead link stops it.
    const program = join(root, 'node_modules/vitepress/bin/vitepress.js');
    const env = { ...process.env, DOCS_BASE: base };
    execFileSync(process.execPath, [program, 'build', 'docs', '--outDir', folder], { cwd: root, env, stdio: 'pipe' });
    server = await serve(folder);
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  /** A page of the browser, and what went wrong in it: errors, missing files, requests to other hosts. */
  async function open(context: BrowserContext) {
    const page = await context.newPage();
    const caught: string[] = [];
    page.on('pageerror', (error) => caught.push(error.message));
    page.on(
      'response',
      (response) => response.status() >= 400 && caught.push(`${response.status()} ${response.url()}`),
    );
    await page.route('**/*', (route) => {
      if (
        route
          .request()
          .url()
          .startsWith(address + base)
      )
        return route.continue();
      caught.push(route.request().url());
      return route.abort();
    });
    return { page, caught };
  }

  test.each([
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
  ] as const)(
    'asks no other host for anything, and is no wider than $width px ($colorScheme)',
    async ({ width, colorScheme }) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const { page, caught } = await open(context);
      for (const path of [
        '',
        'tutorials/slack.html',
        'reference/options/',
        'understand/fidelity/workplaces.html',
        'design.html',
      ]) {
        await page.goto(address + base + path, { waitUntil: 'networkidle' });
        expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth), path).toBe(width);
        if (path === 'design.html') continue;
        const isDark = await page.locator('html').evaluate(({ classList }) => classList.contains('dark'));
        expect(isDark).toBe(colorScheme === 'dark');
      }
      expect(caught).toEqual([]);
      await context.close();
    },
  );

  test('finds a page by words, without a network', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const { page, caught } = await open(context);
    await page.goto(address + base, { waitUntil: 'networkidle' });
    await page.keyboard.press('Control+k');
    await page.fill('.VPLocalSearchBox input', 'what unconfirmed means');
    const first = page.locator('.VPLocalSearchBox .result').first();
    await expect.poll(() => first.getAttribute('href')).toContain('understand/delivery.html');
    expect(caught).toEqual([]);
    await context.close();
  });
});

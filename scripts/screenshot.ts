/**
 * Draws docs/viewer.png, the picture of the viewer in the documentation: `npm run screenshot`. Needs chromium and a font with emoji.
 *
 * It imports the Slack sample into a new sandbox and shows a message beside the row of the export that it was made of. Times are UTC.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { openViewer } from '../src/cli/operate/viewer.ts';
import { importExport } from '../src/commands/import.ts';
import { loadMapping } from '../src/mapping/load-mapping.ts';
import { serveViewer } from '../src/sandbox/serve.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const folder = mkdtempSync(join(tmpdir(), 'chatferry-screenshot-'));
try {
  await importExport({
    store: join(folder, 'chatferry.db'),
    from: [`${root}samples/slack/every-feature/export`],
    mapping: await loadMapping(undefined),
    allowMappingChange: false,
  });
  const viewer = await openViewer({ data: join(folder, 'chatferry.sandbox.db') });
  const server = await serveViewer(viewer.page);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({
    viewport: { width: 1360, height: 800 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    deviceScaleFactor: 1,
  });
  await page.goto(`${server.url}${viewer.page.entrance}#/c/group_c05general`);
  await page.waitForSelector('.timeline article');
  await page.locator('.bar button').first().click();
  await page.waitForSelector('.edge');
  await page.locator('.details').first().click();
  await page.waitForSelector('.losses');
  await page.screenshot({ path: `${root}docs/viewer.png` });
  await browser.close();
  await server.close(100);
  viewer.close();
} finally {
  rmSync(folder, { recursive: true });
}

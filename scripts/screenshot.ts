/**
 * Draws docs/first-run.png, the picture of the README: a terminal after the README's first command, and the viewer next to it.
 * `npm run screenshot`. Needs chromium and a font with emoji.
 *
 * It imports the Slack sample into a new sandbox and shows a message beside the row of the export from which it was made. Times are UTC.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { openViewer } from '../src/cli/operate/viewer.ts';
import { importExport } from '../src/commands/import.ts';
import { escapeHtml } from '../src/lib/text/html.ts';
import { loadMapping } from '../src/mapping/load-mapping.ts';
import { renderSummary } from '../src/report/terminal.ts';
import { serveViewer } from '../src/sandbox/serve.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const command = 'npm ci && npx chatferry import samples/slack/every-feature/export';

/** Size of the viewer's window in CSS pixels. */
const viewer = { width: 1340, height: 880 };

const folder = mkdtempSync(join(tmpdir(), 'chatferry-screenshot-'));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const { report } = await importExport({
    store: join(folder, 'chatferry.db'),
    from: [`${root}samples/slack/every-feature/export`],
    mapping: await loadMapping(undefined),
    allowMappingChange: false,
  });
  const summary = renderSummary(report, { columns: 88, color: false, reportPath: 'chatferry.report/report.html' });
  await drawPicture(browser, summary, await viewerPicture(browser));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function viewerPicture(chrome: Browser): Promise<Buffer> {
  const opened = await openViewer({ data: join(folder, 'chatferry.sandbox.db') });
  const server = await serveViewer(opened.page);
  const page = await chrome.newPage({ viewport: viewer, timezoneId: 'UTC', locale: 'en-GB', deviceScaleFactor: 1 });
  await page.goto(`${server.url}${opened.page.entrance}#/c/group_c05general`);
  await page.waitForSelector('.timeline article');
  await page.locator('.bar button').first().click();
  await page.waitForSelector('.edge');
  await page.locator('.details').first().click();
  await page.waitForSelector('.losses');
  const picture = await page.screenshot();
  await server.close(100);
  opened.close();
  return picture;
}

async function drawPicture(chrome: Browser, summary: string, picture: Buffer): Promise<void> {
  const page = await chrome.newPage({ viewport: { width: 2000, height: 850 }, deviceScaleFactor: 1 });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; display: flex; gap: 24px; padding: 32px; background: #e8ebef; box-sizing: border-box; width: 2000px; }
    pre { margin: 0; padding: 22px; width: 760px; box-sizing: border-box; background: #14181d; color: #dfe5ea; border-radius: 10px;
      font: 13.2px/1.5 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
    pre b { color: #7fd1b9; font-weight: normal; }
    img { width: 1152px; height: auto; border-radius: 10px; box-shadow: 0 2px 14px #0003; }
    </style><pre><b>$ ${escapeHtml(command)}</b>\n${escapeHtml(summary)}<b>$ </b></pre><img src="data:image/png;base64,${picture.toString('base64')}">`);
  await page.waitForFunction('[...document.images].every((image) => image.complete)');
  await page.screenshot({ path: `${root}docs/first-run.png`, fullPage: true });
}

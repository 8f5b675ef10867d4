/**
 * Draws docs/first-run.png, the picture of the README: a terminal after the README's first command, and the desk next to it; and the desk
 * alone, at three steps, docs/desk*.png. `npm run screenshot`. Needs chromium and a font with emoji.
 *
 * It imports the Slack sample into a sandbox, and opens the desk on the same sample. Times are UTC.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { importExport } from '../src/commands/move.ts';
import { escapeHtml } from '../src/lib/text/html.ts';
import { loadMapping } from '../src/mapping/load.ts';
import { renderSummary } from '../src/report/terminal.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const command = 'npm ci && npx chatferry import samples/slack/every-feature/export';

/** Size of the desk's window in CSS pixels. */
const viewport = { width: 1280, height: 960 };

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
  await drawPicture(browser, summary, await deskPictures(browser));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Three steps of the desk: where it begins, a decision with the messages under an answer, and conversations. */
async function deskPictures(chrome: Browser): Promise<Buffer> {
  const home = join(folder, 'harbour');
  cpSync(`${root}samples/slack/every-feature/export`, join(home, 'slack-export'), { recursive: true });
  const desk = spawn(process.execPath, [`${root}bin/chatferry.mjs`, 'desk', '--no-open', 'slack-export'], {
    cwd: home,
    env: { ...process.env, CHATFERRY_STATE_DIR: join(folder, 'state') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(desk.stdout), 'line')) as [string];
    const page = await chrome.newPage({ viewport, timezoneId: 'UTC', locale: 'en-GB', deviceScaleFactor: 1 });
    const show = async (hash: string, shown: string) => {
      await page.goto(`${page.url().replace(/#.*/, '')}${hash}`);
      await page.locator(shown).first().waitFor();
      await page.locator('.run-end').waitFor({ state: 'detached' });
      await page.evaluate(`document.querySelector('.folder').textContent = '~/harbour'`);
    };
    await page.goto(/http:\S+/.exec(line)![0]);
    await page.getByLabel('You are').fill('Ana Diaz');
    await show('#/source/another', '.drop');
    await page.screenshot({ path: `${root}docs/desk-start.png` });
    await show('#/conversations', '.conversations tbody tr');
    await page.screenshot({ path: `${root}docs/desk-conversations.png` });
    await page.goto(`${page.url().replace(/#.*/, '')}#/decide`);
    await page.getByRole('button', { name: 'Plan' }).first().click();
    await show('#/decide', '.rows .row');
    await page.getByRole('radio', { name: /^Leave 7 messages out/ }).check();
    await page.locator('.preview[aria-busy=false]').waitFor();
    return await page.screenshot({ path: `${root}docs/desk.png` });
  } finally {
    desk.kill('SIGTERM');
  }
}

async function drawPicture(chrome: Browser, summary: string, picture: Buffer): Promise<void> {
  const page = await chrome.newPage({ viewport: { width: 2000, height: 1000 }, deviceScaleFactor: 1 });
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

/** How long people wait for the sandbox's viewer over 1,000,000 messages, as a browser sees it: `npm run bench -- --viewer`. Needs chromium. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { openViewer } from '../src/cli/operate/viewer.ts';
import { serveViewer } from '../src/sandbox/serve.ts';
import { chromiumPath } from '../test/requirements.ts';
import { importedStore } from './imported-store.ts';
import { median } from './median.ts';
import { formatTable } from './table.ts';

const times = 5;
const limitMs = 20_000;
const [firstViewMs, interactionMs] = [1000, 100];

/** An action in the page, and the condition that holds once its result is shown. Both are JavaScript of the page. */
interface Step {
  readonly name: string;
  readonly act: string;
  readonly isShown: string;
  /** Where it begins. */
  readonly from?: string;
}

const find = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
const typed = (selector: string, text: string) =>
  `(() => { const field = ${find(selector)}; field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event('input', { bubbles: true })); })()`;
/** Messages are numbered from 1 in their conversation. */
const isAt = (position: string) => `${find(`article[aria-posinset="${position}"]`)}`;

function steps(total: number): readonly Step[] {
  const list = `[...document.querySelectorAll('.row')]`;
  const slider = (position: number) => typed('input[type=range]', String(position));
  const chat = 'chat';
  return [
    { name: 'open a conversation', from: 'list', act: `${list}[1].click()`, isShown: find('.timeline article') },
    {
      name: 'to the first message',
      from: chat,
      act: `${find('[aria-label="First message"]')}.click()`,
      isShown: isAt('1'),
    },
    {
      name: 'to the middle',
      from: chat,
      act: slider(Math.floor(total / 2)),
      isShown: isAt(String(Math.floor(total / 2) + 1)),
    },
    {
      name: 'find a conversation',
      from: 'list',
      act: typed('#find', '999'),
      isShown: `${list}.length < 20 && ${list}.length > 0`,
    },
    {
      name: 'the JSON of a message',
      from: chat,
      act: `${find('.details')}.click()`,
      isShown: find('.panel .json'),
    },
    { name: 'people', from: 'list', act: `location.hash = '#/people'`, isShown: find('.people li') },
    { name: 'groups', from: 'list', act: `location.hash = '#/groups'`, isShown: find('.group') },
    { name: 'the first hits of a search', from: 'list', act: `location.hash = '#/search/5'`, isShown: find('.hits a') },
  ];
}

/** Acts, and waits frame by frame until it shows. @returns ms */
const timed = (page: Page, { name, act, isShown }: Step): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const started = performance.now();
    ${act};
    while (!(${isShown})) {
      if (performance.now() - started > ${limitMs}) throw new Error('Nothing came of "${name}"');
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - started;
  })()`);

export async function viewerTable(messageCount = 1_000_000): Promise<string> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('Cannot measure the viewer: chromium is not on the PATH');
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  const made = await importedStore(folder, messageCount);
  const data = join(folder, 'chatferry.sandbox.db');
  renameSync(made.data, data);
  const viewer = await openViewer({ data });
  const server = await serveViewer(viewer.page);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const show = async (hash: string, selector: string) => {
      await page.goto('about:blank');
      await page.goto(`${server.url}/viewer${hash}`);
      await page.waitForSelector(selector);
      await page.waitForTimeout(200);
    };
    const started = performance.now();
    await page.goto(server.url + viewer.page.entrance);
    await page.waitForSelector('.row');
    const rows = [['first view, from nothing', (performance.now() - started).toFixed(0), String(firstViewMs)]];
    await page.locator('.row').nth(1).click();
    await page.waitForSelector('.timeline article');
    const chat = await page.evaluate<string>('location.hash');
    const total = Number(await page.locator('.timeline article').last().getAttribute('aria-posinset'));
    for (const step of steps(total)) {
      const took: number[] = [];
      for (let time = 0; time < times; time++) {
        await show(step.from === 'list' ? '#/' : chat, step.from === 'list' ? '.row' : '.timeline article');
        took.push(await timed(page, step));
      }
      rows.push([step.name, median(took).toFixed(0), String(interactionMs)]);
    }
    return formatTable([`${messageCount.toLocaleString('en-US')} messages`, 'ms', 'wanted'], rows);
  } finally {
    await browser.close();
    await server.close(100);
    viewer.close();
    rmSync(folder, { recursive: true });
  }
}

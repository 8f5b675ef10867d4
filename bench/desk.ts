/**
 * How long people wait for the desk over a database of 1,000,000 messages, 10,000 conversations, 100,000 people and 500 tables:
 * `npm run bench -- --desk`. As a browser sees it; needs chromium. The database is planned before anything is measured.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../test/requirements.ts';
import { type DatabaseSize, makeLargeDatabase } from '../test/scenes/large-database.ts';
import { median } from './median.ts';
import { program } from './program.ts';
import { formatTable } from './table.ts';

const times = 5;
const limitMs = 60_000;
const [firstViewMs, interactionMs, sampleMs] = [1000, 100, 1000];

/** An action in the page, and the condition that holds once its result is shown. All are JavaScript of the page. */
interface Step {
  readonly name: string;
  readonly wanted: number;
  /** Address where it begins, and what is there. */
  readonly from: string;
  readonly isReady: string;
  /** Done before the time is taken. */
  readonly prepare?: string;
  readonly act: string;
  readonly isShown: string;
}

const find = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
const has = (selector: string, text: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`;
const typed = (selector: string, text: string, event = 'input') =>
  `(() => { const field = ${find(selector)}; field.value = ${text}; field.dispatchEvent(new Event('${event}', { bubbles: true })); })()`;
const go = (hash: string) => `location.hash = ${JSON.stringify(hash)}`;

/** A question with two answers, which the mapping answers. */
const card = '#/decide/q%3Amessages.kind';
const otherAnswer = `${find('.answer:not(.chosen) input[type=radio]')}.click()`;
const preview = `${find('.preview[aria-busy=false] .pair')}`;
/** A preview that was read once is there at once. */
const previewsKnown = `window.previews === undefined ? (window.previews = performance.now(), false) : performance.now() - window.previews > 3000 && ${preview}`;
const people = find('.map li');
const conversation = find('.conversations tbody tr');

function steps(): readonly Step[] {
  const source = { from: '#/source', isReady: find('.parts tbody tr'), wanted: interactionMs };
  const onCard = { from: card, isReady: preview };
  const onTables = { from: '#/tables', isReady: find('.pane-list a.row'), wanted: interactionMs };
  const onConversations = { from: '#/conversations', isReady: conversation, wanted: interactionMs };
  const onPeople = { from: '#/map', isReady: `${people} && ${find('.group-of')}`, wanted: interactionMs };
  return [
    { ...source, name: 'Decide', act: go('#/decide'), isShown: find('.pane-list a.row') },
    { ...source, name: 'Tables: the graph', act: go('#/tables'), isShown: find('svg a') },
    { ...source, name: 'People: the first page', act: go('#/map'), isShown: people },
    { ...source, name: 'People who may be one', act: go('#/map'), isShown: find('.group-of') },
    { ...source, name: 'Rehearse', act: go('#/rehearse'), isShown: find('section[aria-label=Plan]') },
    { ...source, name: 'Conversations: the first page', act: go('#/conversations'), isShown: conversation },
    { ...source, name: 'Go', act: go('#/go'), isShown: find('.step-go h1') },
    {
      ...{ ...onConversations, name: 'find a conversation' },
      act: typed('#find', `'room 777'`),
      isShown: `${conversation} && [...document.querySelectorAll('.conversations tbody th')].every(({ textContent }) => textContent.includes('777'))`,
    },
    {
      ...{ ...onConversations, name: 'sort conversations by name' },
      act: `window.first = ${conversation}.textContent; ${find('.conversations th.name button')}.click()`,
      isShown: `${conversation} && ${conversation}.textContent !== window.first`,
    },
    {
      ...{ ...onConversations, name: 'untick a conversation' },
      prepare: `window.tick = [...document.querySelectorAll('.conversations tbody input')].find(({ checked }) => checked)`,
      act: `window.row = window.tick.closest('tr').querySelector('th').textContent; window.tick.click()`,
      isShown: `[...document.querySelectorAll('.conversations tr.left-out')].some(({ textContent }) => textContent.includes(window.row))`,
    },
    {
      ...{ ...onPeople, name: 'Source', act: go('#/source'), isShown: find('.parts tbody tr') },
    },
    {
      ...{ name: 'open a card', from: '#/decide', isReady: find('.pane-list a.row'), wanted: interactionMs },
      act: go(card),
      isShown: `${has('.decision h2', 'of the platform')} && ${find('.answers')}`,
    },
    {
      ...{ ...onCard, name: 'choose another answer', wanted: interactionMs, isReady: previewsKnown },
      act: `window.other = ${find('.answer:not(.chosen) input[type=radio]')}; window.other.click()`,
      isShown: `window.other.closest('.answer').classList.contains('chosen') && ${preview}`,
    },
    {
      ...{ ...onCard, name: 'decide', wanted: sampleMs, prepare: otherAnswer },
      act: `${find('.decide-bar button[type=submit]')}.click()`,
      isShown: has('[role=status]', 'Written to'),
    },
    {
      ...{ ...onCard, name: 'decide, and its rows are read anew', wanted: sampleMs, prepare: otherAnswer },
      act: `window.old = ${find('.preview')}; ${find('.decide-bar button[type=submit]')}.click()`,
      isShown: `${find('.preview')} !== window.old && ${has('[role=status]', 'Written to')} && ${preview}`,
    },
    { ...onTables, name: 'open a table', act: go('#/tables/chat_room'), isShown: find('.decision table') },
    {
      ...{ ...onTables, name: 'find a table' },
      act: typed('#find', `'lead_44'`),
      isShown: `document.querySelectorAll('.pane-list a.row').length < 20`,
    },
    {
      ...{ ...onPeople, name: 'find a person' },
      act: typed('#find', `'user777'`),
      isShown: `${people} && [...document.querySelectorAll('.map li')].every(({ textContent }) => textContent.includes('user777'))`,
    },
    {
      ...{ ...onPeople, name: 'people of the same name' },
      act: typed('section[aria-labelledby=duplicates] select', `'name'`, 'change'),
      isShown: has('.group-of legend', 'the same name'),
    },
    {
      ...{ ...onPeople, name: 'set a uid' },
      prepare: typed('.map input', `'person-' + String(performance.now()).replace('.', '-')`),
      act: `${find('.map form')}.requestSubmit()`,
      isShown: has('.map form', 'written'),
    },
  ];
}

const until = (condition: string, name: string) => `
  {
    const began = performance.now();
    while (!(${condition})) {
      if (performance.now() - began > ${limitMs}) throw new Error(${JSON.stringify(`Nothing came of "${name}"`)});
      await new Promise(requestAnimationFrame);
    }
  }`;

/** Acts, and waits frame by frame until it shows. @returns ms */
const timed = (page: Page, { name, isReady, prepare = '', act, isShown }: Step): Promise<number> =>
  page.evaluate<number>(`(async () => {
    ${until(isReady, `${name}, before`)}
    ${prepare};
    await new Promise((resolve) => setTimeout(resolve, 500));
    const started = performance.now();
    ${act};
    ${until(isShown, name)}
    return performance.now() - started;
  })()`);

const answers = [
  'source.zone=UTC',
  'source.messages.reply=parent_id',
  'source.messages.kind={ from: message_type, values: { T: message, S: system }, otherwise: message }',
];

/** A database with its plan. */
function plannedFolder(size: DatabaseSize): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  makeLargeDatabase(join(folder, 'app.sqlite'), size);
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [resolve(program), ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  run('init', 'app.sqlite', '--yes', '--quiet', ...answers.flatMap((answer) => ['--set', answer]));
  run('plan', '--quiet');
  return folder;
}

interface StartedDesk {
  readonly process: ChildProcess;
  readonly entrance: string;
}

async function startDesk(folder: string): Promise<StartedDesk> {
  const started = spawn(process.execPath, [resolve(program), 'desk', '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: started.stdout })) {
    const entrance = /^Desk: (http:\S+)/.exec(line)?.[1];
    if (entrance !== undefined) return { process: started, entrance };
  }
  throw new Error('The desk has ended');
}

/** The first view of a desk that has just started, in a browser that has just started. @returns ms */
async function firstView(page: Page, entrance: string): Promise<number> {
  const started = performance.now();
  await page.goto(entrance);
  await page.waitForSelector('.steps a');
  return performance.now() - started;
}

async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(`localStorage.setItem('chatferry.by', 'Ana')`);
  return page;
}

/** The step as it begins in a page that was just loaded. */
async function measured(page: Page, origin: string, step: Step): Promise<readonly number[]> {
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    await page.goto('about:blank');
    await page.goto(`${origin}/desk${step.from}`);
    took.push(await timed(page, step));
  }
  return took;
}

/** Each time of each row, in ms. */
export async function deskTimes(
  size: DatabaseSize,
): Promise<readonly { readonly name: string; readonly took: readonly number[]; readonly wanted: number }[]> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('Cannot measure the desk: chromium is not on the PATH');
  const folder = plannedFolder(size);
  const desk = await startDesk(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await newPage(browser);
    const view = await firstView(page, desk.entrance);
    const { origin } = new URL(desk.entrance);
    // The tables are looked at, and everything is counted: neither is done again.
    await page.goto(`${origin}/desk${card}`);
    await page.waitForSelector('.preview[aria-busy=false] .pair', { timeout: 60_000 });
    await page.goto(`${origin}/desk#/source`);
    await page.waitForSelector('.parts tbody tr', { timeout: 600_000 });
    await page.locator('section.run.on').waitFor({ state: 'detached', timeout: 600_000 });
    const rows = [{ name: 'first view, from nothing', took: [view], wanted: firstViewMs }];
    for (const step of steps())
      rows.push({ name: step.name, took: [...(await measured(page, origin, step))], wanted: step.wanted });
    return rows;
  } finally {
    await browser.close();
    desk.process.kill('SIGTERM');
    if (desk.process.exitCode === null) await once(desk.process, 'exit');
    rmSync(folder, { recursive: true });
  }
}

/** With 10,000 conversations. */
export const largeSize: DatabaseSize = { messages: 1_000_000, people: 100_000, tables: 500 };

export async function deskTable(size = largeSize): Promise<string> {
  const rows = await deskTimes(size);
  const { messages, people: persons, tables } = size;
  const of = [`${count(messages)} messages`, `${count(persons)} people`, `${count(tables)} tables`].join(', ');
  return formatTable(
    [of, 'ms', 'best', 'wanted'],
    rows.map(({ name, took, wanted }) => [
      ...[name, median(took).toFixed(0), Math.min(...took).toFixed(0), String(wanted)],
    ]),
  );
}

const count = (number: number): string => number.toLocaleString('en-US');

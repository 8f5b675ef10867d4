import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { start } from '../../cli/process.ts';
import { catchAll } from '../../scenes/caught-page.ts';

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const runAxe = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))]))`;

/** Colours and widths in which every page is looked at. */
export const screens = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
] as const;

export interface DeskPage {
  readonly page: Page;
  /** What no page of ours does: dialogs, errors, lines in the console, requests elsewhere. */
  readonly caught: readonly string[];
  /** The same desk in another browser. */
  another(): Promise<Page>;
  /** Ends the program, and expects that it ends well. @returns All that it printed. */
  close(): Promise<string>;
}

interface DeskPlace {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The desk in a process of its own, and its page with the first step. */
export async function openDesk(
  browser: Browser,
  args: readonly string[],
  place: DeskPlace,
  options: BrowserContextOptions = {},
): Promise<DeskPage> {
  const program = start(['desk', '--no-open', ...args], place);
  const address = /http:\S+/.exec((await program.line('Desk: ')) ?? '')![0];
  const page = await browser.newPage(options);
  const caught = catchAll(page, `${new URL(address).origin}/desk`);
  await page.goto(`${address}#/source`);
  const another = async () => {
    const other = await (await browser.newContext(options)).newPage();
    await other.goto(`${/http:\S+/.exec((await program.line('Desk for another browser')) ?? '')![0]}#/source`);
    return other;
  };
  const close = async () => {
    await page.close();
    program.kill('SIGTERM');
    const { code, stdout, stderr } = await program.ended;
    expect([code, stderr]).toEqual([0, '']);
    return stdout + stderr;
  };
  return { page, caught, another, close };
}

export const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

/** Violations that axe finds in a page that was opened with `bypassCSP`. */
export async function violationsIn(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return await page.evaluate(runAxe);
}

/** Expects that nothing is wrong with a page that was opened with `bypassCSP`, in any colours and widths. */
export async function expectFaultless(page: Page): Promise<void> {
  for (const { colorScheme, viewport } of screens) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    expect([colorScheme, await widthOf(page)]).toEqual([colorScheme, viewport.width]);
    expect([colorScheme, await violationsIn(page)]).toEqual([colorScheme, []]);
  }
}

/** How long a run may take in a proof, in ms. */
const runTimeoutMs = 60_000;

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The two sums of a report, as they are read; terms of none are left out. */
export const sumsIn = async (page: Page): Promise<readonly string[]> =>
  (await page.locator('#main .sum').allTextContents()).map((text) =>
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ \+ 0 \w+/g, '')
      .replace(/= 0 \w+ \+ /, '= ')
      .trim(),
  );

/** Goes to a step by its link. */
export const goToStep = (page: Page, name: string) => page.locator('.steps a', { hasText: name }).click();

/** Chooses a destination by its address in the first step, and its key in the last one, which is shown then. */
export async function chooseDestination(page: Page, url: string, keyFile: string, people?: string): Promise<void> {
  await goToStep(page, 'Source');
  await page.getByLabel('Another address').check();
  await page.getByLabel('Address', { exact: true }).fill(url);
  if (people !== undefined) await page.getByLabel('People and groups').selectOption(people);
  await button(page, 'Save').click();
  await button(page, 'Save').waitFor({ state: 'detached' });
  await goToStep(page, 'Go');
  await page.locator('summary', { hasText: 'Use a file' }).click();
  await page.getByLabel('Path of the key file').fill(keyFile);
  await button(page, 'Save').click();
}

/** Says in the step Decide that the picture of the last plan is right, and waits until it is planned so. */
export async function confirmReading(page: Page): Promise<void> {
  await page.goto(`${page.url().replace(/#.*/, '')}#/decide/reading`);
  await page.waitForSelector('.decision h2 >> text=Is this your data?', { timeout: runTimeoutMs });
  await runBy(page, 'Yes, this is my data', 'Planning');
}

/** Presses a button that starts a run, and waits until it is done. @param doing As the page calls it: `Planning`. */
export async function runBy(page: Page, name: string, doing: string): Promise<void> {
  // The run before may have been of the same kind, or end only now: its end stands in the place of the button.
  const before = page.locator('.run-end').getByRole('button', { name: 'Close' });
  await page.addLocatorHandler(before, () => before.click());
  await button(page, name).click();
  await page.removeLocatorHandler(before);
  await page.waitForSelector(`.run-line >> text=${doing}: done`, { timeout: runTimeoutMs });
}

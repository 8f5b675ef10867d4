import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../requirements.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escapeHtml } from '../../src/lib/text/html.ts';
import { renderHtml } from '../../src/report/html.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { dryRun, emptyReport, finishedImport, hugeImport, oneOfEach, troubledImport } from '../report/fixture.ts';
import { fillStrings, hasCorpora, hostileTexts } from '../report/hostile.ts';

const executablePath = chromiumPath();
const timeout = 120_000;
/** UTF-16 units of a text that the report shows. */
const shownMax = 1_000;

describe.skipIf(executablePath === null)('the report in a browser', () => {
  let browser: Browser;
  let directory: string;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    directory = await mkdtemp(join(tmpdir(), 'chatferry-page-'));
  });
  afterAll(async () => {
    await browser.close();
    await rm(directory, { recursive: true });
  });

  describe.skipIf(!hasCorpora)('with hostile text in every field', () => {
    test('the report runs nothing, asks for nothing, breaks no policy, and shows the text', { timeout }, async () => {
      expect(await tryAll((page) => page)).toEqual([]);
    });

    test('the report does so without its content security policy too', { timeout }, async () => {
      expect(await tryAll(withoutPolicy)).toEqual([]);
    });

    test('the traps of these tests close on a page that does not escape', async () => {
      const unescaped = (page: string) => page.replace('<main', '<img src=x onerror=alert(1)><main');
      expect(await tryOne((page) => withoutPolicy(unescaped(page)))).toEqual(
        expect.arrayContaining([
          'dialog 1',
          expect.stringMatching(/^request file:.*\/x$/),
          expect.stringMatching('element <img'),
        ]),
      );
      expect(await tryOne(unescaped)).toEqual(expect.arrayContaining(['violation img-src']));
    });
  });

  type Change = (page: string) => string;

  /** One page per text, two tabs at a time. Says what was caught. */
  async function tryAll(change: Change): Promise<readonly string[]> {
    const texts = hostileTexts(shownMax);
    const half = Math.ceil(texts.length / 2);
    const caught = await Promise.all([tryTexts(texts.slice(0, half), change), tryTexts(texts.slice(half), change)]);
    return caught.flat();
  }

  const tryOne = (change: Change) => tryTexts(['harmless'], change);

  async function tryTexts(texts: readonly string[], change: Change): Promise<readonly string[]> {
    const path = join(directory, `${randomUUID()}.html`);
    const { page, caught } = await trappedTab(path);
    for (const text of texts) {
      await writeFile(path, change(renderHtml(fillStrings(oneOfEach(), text))));
      await page.goto(pathToFileURL(path).href);
      const { head, elements, violations, shown } = await page.evaluate(inspectPage);
      if (!heads.includes(head)) caught.push(`head ${head}`);
      caught.push(...elements.map((element) => `element ${element}`), ...violations.map((name) => `violation ${name}`));
      if (!normalised(shown).includes(normalised(shownForm(text)))) caught.push(`not shown: ${text}`);
    }
    await page.close();
    return caught;
  }

  /** A tab that notes dialogs, requests for anything but the page at `path`, and errors. */
  async function trappedTab(path: string): Promise<{ page: Page; caught: string[] }> {
    const page = await browser.newPage();
    const caught: string[] = [];
    page.on('dialog', (dialog) => {
      caught.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(path).href) caught.push(`request ${request.url()}`);
    });
    page.on('pageerror', (error) => caught.push(`error ${error.message}`));
    page.on('console', (message) => caught.push(`console ${message.text()}`));
    await page.addInitScript(noteViolations);
    return { page, caught };
  }

  const cases = {
    finished: finishedImport(),
    dry: dryRun(),
    troubled: troubledImport(),
    empty: emptyReport(),
    huge: hugeImport(),
  };

  test.each(Object.entries(cases))('the report fits on a screen of 360 pixels: %s', async (name, data) => {
    const page = await openReport(data, name, { viewport: { width: 360, height: 740 } });
    await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.close();
  });

  test.each(['light', 'dark'] as const)('the report has enough contrast in the %s scheme', async (colorScheme) => {
    const page = await openReport(troubledImport(), 'contrast', { colorScheme });
    const ratios = await page.evaluate<[string, number][]>(measureContrast);
    expect(ratios.length).toBeGreaterThan(100);
    expect(ratios.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
    await page.close();
  });

  test('every control of the report can be reached with the keyboard and shows that it has the focus', async () => {
    const page = await openReport(troubledImport(), 'keyboard', {});
    const wanted = await page.evaluate<number>(countControls);
    const reached = new Set<string>();
    for (let step = 0; step < wanted; step++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate<string>(focusedElement));
    }
    expect(reached.size).toBe(wanted);
    expect([...reached].filter((name) => name.endsWith('none'))).toEqual([]);
    await page.close();
  });

  describe('with its script', () => {
    const texts = (selector: string) =>
      `[...document.querySelectorAll('${selector}')].filter((e) => e.checkVisibility()).map((e) => e.textContent)`;
    const names = texts('#conversations .wide tbody th > bdi');

    test('a click on a heading sorts by it, a second one the other way round', async () => {
      const page = await openReport(finishedImport(), 'sorted', {});
      await page.click('#conversations summary');
      const button = page.locator('.wide th button', { hasText: 'Read' });
      await button.click();
      expect((await page.evaluate<string[]>(names))[0]).toBe('general');
      await button.press('Enter');
      expect((await page.evaluate<string[]>(names))[0]).toBe('release-2017');
      expect(await page.locator('.wide th[aria-sort=ascending]').textContent()).toBe('Read');
      await page.locator('.wide th button', { hasText: 'Conversation, id' }).click();
      expect((await page.evaluate<string[]>(names)).slice(0, 3)).toEqual(['announcements', 'design', 'engineering']);
      await page.close();
    });

    test('a field shows the rows that hold all its words, and says how many', async () => {
      const page = await openReport(hugeImport(), 'filtered', {});
      await page.click('#conversations summary');
      await page.fill('#conversations input', 'Project-4 never');
      const shown = await page.evaluate<string[]>(names);
      expect(shown.length).toBeGreaterThan(5);
      expect(shown.every((name) => /project-4.*never/.test(name))).toBe(true);
      expect(await page.locator('#conversations output').textContent()).toBe(`${shown.length} of 500`);
      await page.close();
    });

    test('every place is shown on paper, and folded again afterwards', async () => {
      const page = await openReport(hugeImport(), 'paper', {});
      const open = `document.querySelectorAll('.groups details[open]').length`;
      const before = await page.evaluate<number>(open);
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      expect(await page.evaluate<number>(open)).toBe(await page.locator('.groups details').count());
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
      expect(await page.evaluate<number>(open)).toBe(before);
      await page.close();
    });

    test('without scripts the report has all its text and no control that does nothing', async () => {
      const page = await openReport(hugeImport(), 'scriptless', { javaScriptEnabled: false });
      expect(await page.locator('button, input').count()).toBe(0);
      expect(await page.locator('table.wide tbody tr').count()).toBeGreaterThan(500);
      await page.close();
    });
  });

  async function openReport(data: ReportData, name: string, options: BrowserContextOptions): Promise<Page> {
    const page = await browser.newPage(options);
    const path = join(directory, `${name}.html`);
    await writeFile(path, renderHtml(data));
    await page.goto(pathToFileURL(path).href);
    return page;
  }
});

/** Elements in the head of a report, with and without its policy. */
const heads = ['meta meta meta meta meta title style', 'meta meta meta meta title style'];

interface Seen {
  readonly head: string;
  readonly elements: readonly string[];
  readonly violations: readonly string[];
  readonly shown: string;
}

// The functions below run in the browser. They are strings, since this project is not typed for one.

/** Elements and attributes that the report never makes, policy violations, and all text. */
const inspectPage = `(() => {
  const known = new Set(${JSON.stringify('title a header p b h1 span bdi code br nav ul li main section h2 h3 svg rect text line defs pattern table caption thead tbody tr th td i div details summary dl dt dd footer small script button label input output'.split(' '))});
  const isKnown = (element) => known.has(element.localName)
    && element.getAttributeNames().every((name) => !/^on|^style$|^src|^xlink|^formaction$/.test(name))
    && (!element.hasAttribute('href') || element.getAttribute('href').startsWith('#'));
  return {
    head: [...document.head.children].map((element) => element.localName).join(' '),
    elements: [...document.body.querySelectorAll('*')].filter((element) => !isKnown(element)).map((element) => element.outerHTML.slice(0, 200)),
    violations: window.violations,
    shown: document.body.textContent,
  };
})()` as unknown as () => Seen;

/** The contrast of each piece of text with the ground behind it (WCAG 2). */
const measureContrast = `(() => {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => { const v = part / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) { const colour = getComputedStyle(at).backgroundColor; if (colour !== 'rgba(0, 0, 0, 0)') return colour; }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('body *')].filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && element.localName !== 'title').map((element) => {
    const style = getComputedStyle(element);
    const [a, b] = [luminance(element instanceof SVGElement ? style.fill : style.color), luminance(ground(element))];
    return [element.outerHTML.slice(0, 80), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
})()` as unknown as () => [string, number][];

/** Links, folds, buttons, fields and scrolling tables that are not folded away. */
const countControls = `[...document.querySelectorAll('a, summary, button, input, [tabindex]')].filter((element) => element.checkVisibility({ contentVisibilityAuto: true })).length`;

const focusedElement = `(() => {
  const element = document.activeElement;
  const index = [...document.querySelectorAll('*')].indexOf(element);
  return index + ' ' + element.localName + ' ' + getComputedStyle(element).outlineStyle;
})()`;

const noteViolations = `window.violations = [];
  addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective));`;

/** How the page shows a text: cut to 1,000 characters, invisible ones named. */
const shownForm = (text: string): string => resolve(escapeHtml(text.slice(0, shownMax)));

const normalised = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The page with nothing but its escaping to protect it. */
const withoutPolicy = (page: string): string => page.replace(/<meta http-equiv[^>]*>/, '');

function resolve(markup: string): string {
  const characters: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&#96;': '`',
    '&amp;': '&',
  };
  return markup.replace(/&(?:lt|gt|quot|#39|#96|amp);/g, (entity) => characters[entity] ?? entity);
}

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { dryRun, emptyReport, finishedImport, hugeImport, oneOfEach, troubledImport } from './fixture.ts';
import { mapStrings } from './hostile.ts';

const cases = {
  finished: finishedImport(),
  dry: dryRun(),
  troubled: troubledImport(),
  empty: emptyReport(),
  huge: hugeImport(),
};
const pages = Object.entries(cases).map(([name, data]) => ({ name, page: renderHtml(data) }));

describe('renderHtml()', () => {
  test.each(pages)('renderHtml() allows its own stylesheet by hash and nothing else: $name', ({ page }) => {
    const css = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(css).digest('base64');
    const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
    expect(page.replaceAll('&#39;', "'")).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  });

  test.each(pages)('renderHtml() names no address to fetch from and holds no script: $name', ({ page }) => {
    expect(page).not.toMatch(/<(?:script|img|iframe|link|object|embed|form|base)\b/);
    expect(page).not.toMatch(/\s(?:src|srcset|style|on\w+)=/);
    expect(page.match(/href="(?!#)/g)).toBeNull();
    expect(page).not.toMatch(/url\((?!#hatch\))|@import/);
  });

  test.each(pages)('renderHtml() uses each id once and links only to ids that exist: $name', ({ page }) => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const used = [...page.matchAll(/(?:href="#|aria-labelledby=")([^"]+)"/g)].map(([, id]) => id);
    expect(used.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(pages)('renderHtml() gives every table a caption and every heading cell a scope: $name', ({ page }) => {
    expect(page.match(/<caption/g)?.length ?? 0).toBe(page.match(/<table/g)?.length ?? 0);
    expect(page).not.toMatch(/<th(?! scope="(?:col|row)")[\s>]/);
  });

  test('renderHtml() shows the sums with thousands separators', () => {
    const text = textOf(renderHtml(cases.huge));
    expect(text).toContain('12,482,110 read = 11,276,747 planned + 1,204,551 skipped + 812 rejected');
    expect(text).toContain(
      '11,276,747 planned = 11,274,112 imported + 2,600 present + 35 refused + 0 pending + 0 in doubt',
    );
    expect(text).toContain('Both sums balance.');
  });

  test('renderHtml() shows every text that it is given', () => {
    let count = 0;
    const data = mapStrings(oneOfEach(), () => `text-${++count}-`);
    const page = textOf(renderHtml(data));
    expect(count).toBeGreaterThan(50);
    for (let number = 1; number <= count; number++) expect(page).toContain(`text-${number}-`);
  });

  test('renderHtml() admits sums that do not balance', () => {
    const { books } = finishedImport();
    expect(textOf(renderHtml(finishedImport({ books: { ...books, imported: 1 } })))).toContain(
      'The sums do not balance.',
    );
  });

  test('renderHtml() draws 25 conversations and lists those it was given', () => {
    const text = textOf(renderHtml(cases.huge));
    expect(text).toContain('The 25 largest of 3,210');
    expect(text).toContain('The 500 with most messages; the checkpoint store has all 3,210.');
    expect(text).toContain('project-499');
  });

  test('renderHtml() says in words where there is nothing to show', () => {
    const text = textOf(renderHtml(cases.empty));
    for (const words of [
      'Nothing was read',
      'The service refused nothing.',
      'Nothing is lost',
      'there is nothing to draw',
      'Nothing was read back',
      'Nothing is waiting to be sent.',
      'No row was left out.',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('renderHtml() draws the same page from the same data', () => {
    expect(renderHtml(hugeImport())).toBe(renderHtml(hugeImport()));
  });

  test('renderHtml() cuts very long texts and says so', () => {
    const detail = 'x'.repeat(2_000_000);
    const data = finishedImport({
      rejected: [{ code: 'too-long', explanation: '', count: 1, examples: [{ location: 'a', detail }] }],
    });
    const page = renderHtml(data);
    expect(page.length).toBeLessThan(100_000);
    expect(page).toContain('… (cut, 2000000 characters)');
  });
});

/** Text of the page, white space collapsed; close enough to what a reader sees. */
function textOf(page: string): string {
  const body = page.slice(page.indexOf('<body>')).replace(/<title>[^<]*<\/title>/g, '');
  return body.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
}

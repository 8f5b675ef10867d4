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
  test.each(pages)('renderHtml() allows its own stylesheet and script by hash and nothing else: $name', ({ page }) => {
    const hashOf = (tag: string) => {
      const text = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(page)?.[1] ?? '';
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    const policy = `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; base-uri 'none'; form-action 'none'`;
    expect(page.replaceAll('&#39;', "'")).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  });

  test.each(pages)('renderHtml() names no address to fetch from and holds one script: $name', ({ page }) => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<(?:img|iframe|link|object|embed|form|base)\b/);
    expect(markupOf(page)).not.toMatch(/\s(?:src|srcset|style|on\w+)=/);
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

  test('renderHtml() shows the totals with thousands separators', () => {
    const text = textOf(renderHtml(cases.huge));
    expect(text).toContain('12,482,110 read = 11,276,747 planned + 1,204,551 skipped + 812 invalid');
    expect(text).toContain(
      '11,276,747 planned = 11,274,112 imported + 2,600 existing + 35 failed + 0 pending + 0 unconfirmed',
    );
    expect(text).toContain('All rows are accounted for.');
  });

  test('renderHtml() shows every text that it is given', () => {
    let count = 0;
    const mapped = mapStrings(oneOfEach(), () => `text-${++count}-`);
    // A finding that needs a decision is shown as the decision.
    const problems = mapped.problems.filter(({ severity }) => severity !== 'decision');
    const data = { ...mapped, problems };
    const page = textOf(renderHtml(data));
    expect(count).toBeGreaterThan(50);
    const known = JSON.stringify(data);
    for (let number = 1; number <= count; number++)
      if (known.includes(`text-${number}-`)) expect(page).toContain(`text-${number}-`);
  });

  test('renderHtml() answers five questions on its first screen, including what is changed or lost', () => {
    const text = textOf(renderHtml(dryRun()));
    const labels = ['will arrive', 'left out', 'kinds changed or lost', 'needs your decision', 'to send'];
    const places = labels.map((label) => text.indexOf(label));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(text).toContain('3 kinds changed or lost 512 reactions, 187 thread structure and 1 more: result of each');
    expect(textOf(renderHtml({ ...dryRun(), losses: [] }))).toContain(
      '0 kinds changed or lost The service can hold all that was read.',
    );
  });

  test('renderHtml() shows of a decision the options, what happens without one, and the messages that are affected', () => {
    expect(textOf(renderHtml(dryRun()))).toMatch(
      /60 messages What should become of files whose address will stop working\? .*Copy the files to permanent storage ?Send no files at all If you do nothing the addresses stop working\. .*To do outside Ask the old system for addresses that do not expire/,
    );
  });

  test('renderHtml() says how to see an example in the viewer, and has no link that only a running viewer could open', () => {
    const losses = [
      { name: 'pins', count: 1, what: 'pinned', becomes: 'nothing', group: 'missed' as const, example: 'a.json#/4' },
    ];
    const sandbox = { name: 'sandbox ./chatferry.sandbox.db', profile: 'spec' };
    const page = renderHtml({ ...finishedImport(), losses, destination: sandbox, store: 'slack.db' });
    expect(page).not.toContain('href="http://127.0.0.1');
    const hint = 'run chatferry sandbox --open --data slack.sandbox.db and search for its location';
    const textOf = (html: string) => html.replaceAll(/<[^<>]*>/g, '');
    expect(textOf(page)).toContain(hint);
    expect(textOf(renderHtml({ ...finishedImport(), losses }))).not.toContain('sandbox --open');
  });

  test('renderHtml() admits totals that do not add up', () => {
    const { totals } = finishedImport();
    expect(textOf(renderHtml(finishedImport({ totals: { ...totals, imported: 1 } })))).toContain(
      'The totals do not add up.',
    );
  });

  test('renderHtml() draws 25 conversations and lists those it was given', () => {
    const text = textOf(renderHtml(cases.huge));
    expect(text).toContain('The 25 largest of 3,210');
    expect(text).toContain('The 500 with most messages; conversations.csv has all 3,210.');
    expect(text).toContain('project-499');
  });

  test('renderHtml() answers at the top what arrives, what does not, what needs a decision, and how long it takes', () => {
    const text = textOf(renderHtml(cases.dry));
    expect(text).toContain('1,031 will arrive 74.4% of the rows read, 8 conversations, 18 people');
    expect(text).toContain('354 left out 351 by a rule of the mapping, 3 invalid, 0 failed');
    expect(text).toContain('1 needs your decision the largest about 60 messages');
    expect(text).toContain('21 s to send 21 requests, 402 KiB; begun now, done 2026-11-21 12:00 UTC');
  });

  test('renderHtml() shows what to do about every finding, and sorts it by what it asks of the reader', () => {
    const text = textOf(renderHtml(cases.finished));
    const [, decide, know] = /Needs your decision(.*)Notes(.*)Not migrated/.exec(text) ?? [];
    expect(decide).toContain('60 messages What should become of files whose address will stop working?');
    expect(decide).toContain('Copy the files to permanent storage');
    expect(know).toContain('1 Files that are not part of the format unknown-file');
  });

  test('renderHtml() says when the store outgrows its disk', () => {
    const { forecast } = cases.dry;
    const page = renderHtml({ ...cases.dry, forecast: { ...forecast, freeBytes: 1_000 } });
    expect(textOf(page)).toContain('1,000 bytes: too little for the store to grow');
  });

  test('renderHtml() shows 100 kinds of finding and counts the rest, since codes may be anything', () => {
    const [group] = cases.troubled.failed;
    const refused = Array.from({ length: 20_000 }, (_, index) => ({ ...group!, code: `ERR_${index}` }));
    const page = renderHtml({ ...cases.troubled, failed: refused });
    expect(textOf(page)).toContain('And 19,900 kinds more: problems.csv has them all.');
    expect(page.length).toBeLessThan(500_000);
    const alone = textOf(renderHtml({ ...cases.troubled, failed: refused, anonymous: true }));
    expect(alone).toContain('And 19,900 kinds more.');
    expect(alone).not.toContain('problems.csv');
  });

  test('renderHtml() states in words that there is nothing to show', () => {
    const text = textOf(renderHtml(cases.empty));
    for (const words of [
      'Nothing was read',
      'No message failed.',
      'Nothing is lost',
      'there is nothing to draw',
      'Nothing was read back',
      'Nothing is waiting to be sent.',
      'Nothing needs your decision.',
      'No planned message has a file with an address.',
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
      invalid: [
        {
          code: 'too-long',
          severity: 'blocks',
          title: 'x',
          explanation: '',
          remedy: '',
          count: 1,
          examples: [{ location: 'a', detail }],
        },
      ],
    });
    const page = renderHtml(data);
    expect(page.length).toBeLessThan(100_000);
    expect(page).toContain('… (cut, 2,000,000 characters)');
  });
});

/** Text of the page, white space collapsed; close enough to what a reader sees. */
function textOf(page: string): string {
  const body = page.slice(page.indexOf('<body')).replace(/<title>[^<]*<\/title>/g, '');
  return markupOf(body)
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}

/** Without our own stylesheet and script. */
const markupOf = (page: string): string => page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');

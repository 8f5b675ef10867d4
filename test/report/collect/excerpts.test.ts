import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { excerptRow } from '../../../src/rows/excerpt-text.ts';
import { writeReportFiles } from '../../../src/report/report-files.ts';
import type { ReportData } from '../../../src/report/report-data.ts';
import { type CleanExport, cleanExport, nowMs, writeExport } from '../../mapping/checks/clean-export.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

/** The report of a plan as its files have it. @param between What happens before it is written. */
async function reportOf(
  change: (made: CleanExport) => void,
  between: (at: { path: string; store: string }) => void = () => {},
) {
  const folder = home.make();
  const made = cleanExport();
  change(made);
  const path = writeExport(join(folder, 'export'), made);
  const request = await sessionRequest(folder, {
    from: [path],
    clock: { now: () => nowMs, monotonic: () => 0, uptime: () => 0, sleep: async () => {} },
  });
  const outcome = await planExport(request);
  between({ path, store: request.store });
  const directory = join(folder, 'report');
  await writeReportFiles(directory, outcome, { store: request.store, formats: ['html', 'json'] });
  const page = readFileSync(join(directory, 'report.html'), 'utf8');
  const data = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as ReportData;
  return {
    page,
    excerpts: [...data.invalid, ...data.problems].map(({ code, examples }) => [code, examples[0]?.excerpt]),
  };
}

const blank = (made: CleanExport) => {
  made.second.text = ' ';
  made.second.custom = { note: '<img src=x onerror=alert(1)>', password: 'hunter2' };
};

describe('a place in a report', () => {
  it('has the beginning of its row, shown as text', async () => {
    const { page, excerpts } = await reportOf(blank);
    expect(excerpts).toEqual([['blank-text', expect.stringMatching(/^\{"kind":"message",.*"text":" "/)]]);
    expect(page).toMatch(
      /<th scope="row" class="of-place"><code><bdi>export\.ndjson:7<\/bdi><\/code><\/th><td class="of-text">.*<br><code><bdi>\{&quot;kind&quot;:&quot;message&quot;/,
    );
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('<img');
    expect(page).not.toContain('hunter2');
  });

  it('has no row if the export changed since it was read, or content was purged', async () => {
    const changed = await reportOf(blank, ({ path }) => appendFileSync(path, '\n'));
    const forgotten = await reportOf(blank, ({ store: path }) => {
      const store = openStore(path, { command: 'purge', nowMs });
      store.facts.write('contentPurged', 'yes');
      store.close();
    });
    for (const { page, excerpts } of [changed, forgotten]) {
      expect(excerpts).toEqual([['blank-text', undefined]]);
      expect(page).not.toContain('class="excerpt"');
    }
  });

  it('has no link if the finding is that few people should read the row', async () => {
    const { excerpts } = await reportOf((made) => {
      made.first.text = '<b>whisper</b>';
      made.first.custom = { isPrivate: true, is_private: true, ephemeral: true, isInternal: true, is_ephemeral: true };
      made.second.attachments = [{ name: 'a.png', url: 'https://files.example.com/a.png?token=s3cr3t' }];
    });
    const codes = excerpts.map(([code]) => code);
    expect(codes).toEqual(expect.arrayContaining(['attachment-token', 'private-note']));
    for (const [code, excerpt] of excerpts) expect(excerpt, code).toBeUndefined();
  });
});

describe('excerptRow()', () => {
  it('shortens texts, keeps the host of addresses, and shows nothing that looks like a secret', () => {
    const row = {
      id: 7,
      text: 'word '.repeat(100),
      url: 'https://ada:pw@files.example.com/T1/secret-path?token=abc',
      said: 'mail ada@example.com, key xoxb-12-abcdef',
      apiKey: 'k3y',
      nested: { Authorization: 'Bearer abc' },
    };
    expect(excerptRow(JSON.stringify(row))).toBe(
      `{"id":7,"text":"${'word '.repeat(8)}…","url":"https://files.example.com/…","said":"mail …@…, key …","apiKey":"…","nested":{"Authorization":"…"}}`,
    );
  });

  it('bounds a line of another kind, and shows none of bytes that are no text', () => {
    const line = `1,ada@example.com,"${'x'.repeat(5_000)}",password=hunter2,xoxp-1-2,https:\\/\\/ada:pw@h.example\\/p?token=abc`;
    expect(excerptRow(line)).toBe(`1,…@…,"${'x'.repeat(40)}…",password=…,…,https:\\/\\/h.example/…`);
    expect(excerptRow('a, '.repeat(1_000)).length).toBeLessThanOrEqual(201);
    expect(excerptRow(JSON.stringify(Array.from({ length: 500 }, () => 'abc'))).length).toBeLessThanOrEqual(401);
    expect([excerptRow(''), excerptRow('a\0b\0')]).toEqual(['', '']);
  });
});

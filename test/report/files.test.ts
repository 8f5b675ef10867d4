import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { MediaData } from '../../src/report/report-data.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderSummary } from '../../src/report/terminal.ts';
import { filesCsv } from '../../src/report/report-files.ts';
import type { ListedMedia } from '../../src/store/media.ts';
import { finishedImport, halfCopied } from './fixture.ts';

const withFiles = (changes: Partial<MediaData> = {}, command = 'import') =>
  finishedImport({ command, media: { ...halfCopied, ...changes } });
const pageOf = (changes?: Partial<MediaData>) =>
  renderHtml(withFiles(changes))
    .replaceAll(/<(?:style|script)>[\s\S]*?<\/(?:style|script)>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const summaryOf = (changes?: Partial<MediaData>, command?: string) =>
  renderSummary(withFiles(changes, command), { columns: 120, color: false });

const whole: Partial<MediaData> = {
  ...{ files: 49, missing: 0, refused: 0, waiting: 0, waitingMessages: 0, notInExport: 0, faults: [], faultCount: 0 },
  left: {
    ...{ files: 0, bytes: 0, unsized: 0, bandwidth: null, ms: null },
    expiring: { expired: 0, day: 0, week: 0, later: 0, firstAtMs: null },
  },
};

describe('the files of a report', () => {
  test('have a page section with the total, what is left, their hosts, and what could not be copied', () => {
    const page = pageOf();
    expect(page).toContain('71 files = 40 copied + 9 shared + 3 missing + 1 refused + 18 waiting');
    expect(page).toContain('All files are accounted for.');
    expect(page).toContain('16 files, 30 MiB, and 2 of unknown size; about 30 s at 1 MiB a second');
    expect(page).toContain('1 expired already, 4 within a day, 2 within a week; the next 2026-11-21 12:00 UTC');
    expect(page).toContain('files.example.org 44 36 80 MiB, and 2 of unknown size');
    expect(page).toContain('And 22 more hosts with fewer files.');
    expect(page).toContain('And 2 more files: files.csv has them all.');
    expect(page).toContain('so they are not among your decisions: attachment-needs-login .');
  });

  test('have no section if none are to be copied', () => {
    expect(renderHtml(finishedImport())).not.toContain('id="files"');
    expect(renderMarkdown(finishedImport())).not.toContain('## Files');
    expect(renderSummary(finishedImport(), { columns: 120, color: false })).not.toMatch(/^Files/m);
  });

  test('admit a total that does not add up', () => {
    expect(pageOf({ copied: 41 })).toContain('The total does not add up.');
  });

  test('are a few lines on the terminal, and one of a status', () => {
    expect(summaryOf()).toContain(
      `Files       71 = 40 copied + 9 shared + 3 missing + 1 refused + 18 waiting  70 MiB at s3://files/harbour at https://s3.…
To copy     16 files, 30 MiB, and 2 of unknown size; about 30 s at 1 MiB a second
Expiring    1 expired already, 4 within a day, 2 within a week; the next 2026-11-21 12:00 UTC
Waiting     14 messages for their files
Nowhere     2 files that the export only names: deleted, hidden, or left out of it; outside the sum
  missing  general/2016-05-03.json#/2  plan.pdf (files.example.org): its host says that it is gone (404)
  refused  lunch/2016-05-03.json#/7  film.mov (in the export): more than 5 GiB
  and 2 more in the report
`,
    );
    expect(summaryOf(whole)).toContain('Files       49 = 40 copied + 9 shared  70 MiB at');
    expect(summaryOf({}, 'status')).not.toContain('To copy');
  });

  test('appear in Markdown with their total', () => {
    const text = renderMarkdown(withFiles());
    expect(text).toContain('- Where files stay: `s3://files/harbour at https://s3.example.org`');
    expect(text).toContain('**71** files = ');
    expect(text).toMatch(/`plan\.pdf` \| `files\.example\.org` \| missing \|/);
    expect(text).toContain('And 2 more files: files.csv has them all.');
  });

  test('are listed one a line, with nothing that a spreadsheet would run', () => {
    const row: ListedMedia = {
      ...{ state: 'failed', reason: 'its host does not answer', name: '=cmd()', host: '', bytes: null, type: '' },
      ...{ expiresAtMs: Date.UTC(2026, 0, 2), sha256: '', key: '', address: '', uses: 3, location: 'a.json#/1' },
    };
    const lists = { conversations: () => [], problems: () => [], files: () => [row] };
    expect(parse([...filesCsv(lists)].join(''), { bom: true })).toEqual([
      'state reason name host bytes type expiresAt sha256 key address uses location'.split(' '),
      ['failed', row.reason, "'=cmd()", 'export', '', '', '2026-01-02T00:00:00.000Z', '', '', '', '3', 'a.json#/1'],
    ]);
  });
});

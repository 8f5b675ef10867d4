import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { renderJson } from '../../src/report/report-files.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { renderSummary } from '../../src/report/terminal.ts';
import { judgeReport } from '../../src/report/verdict.ts';
import { finishedImport } from './fixture.ts';

const place = 'general/<b>2024</b>.json#/1';

const drift: Partial<ReportData> = {
  drift: {
    kinds: { edited: 1_200, deleted: 2 },
    noticed: { edited: 3 },
    changes: [
      { kind: 'edited', policy: 'send', count: 1_200, examples: [{ location: place, detail: 'message m1a' }] },
      { kind: 'deleted', policy: 'ignore', count: 2, examples: [] },
    ],
  },
  followUps: { planned: 1_200, imported: 1_199, existing: 0, failed: 1, pending: 0, unconfirmed: 0 },
};

const summary = (changes: Partial<ReportData>) =>
  renderSummary(finishedImport(changes), { columns: 120, color: false });

describe('a report of a source that changed', () => {
  it('says so in two lines of the summary, not counted in the totals', () => {
    expect(summary(drift)).toContain(
      [
        'Drift       1,202: 1,200 edited, 2 deleted; 3 noticed by the latest plan  changed at the source after it was sent',
        'Follow-ups  1,200: 1,199 imported, 1 failed  messages that say what changed',
      ].join('\n'),
    );
  });

  it('says it on the page, in Markdown and in JSON, with hostile places as text', () => {
    const data = finishedImport(drift);
    const html = renderHtml(data);
    expect(html).toContain('Changes after sending');
    expect(html).toContain('general/&lt;b&gt;2024&lt;/b&gt;.json#/1');
    expect(html).not.toContain('<b>2024');
    expect(renderMarkdown(data)).toContain('| edited | 1,200 |');
    expect(JSON.parse(renderJson(data))).toMatchObject(drift);
  });

  it('says nothing where nothing changed', () => {
    for (const text of [summary({}), renderHtml(finishedImport()), renderMarkdown(finishedImport())])
      expect(text).not.toMatch(/Drift|Follow-ups|changed after/);
  });

  it('says that everything was read back unchanged, follow-ups included', () => {
    const verify = { same: 1_031 + 1_200, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 };
    expect(judgeReport(finishedImport({ ...drift, verify })).sentence).toMatch(/arrived and were read back unchanged/);
  });
});

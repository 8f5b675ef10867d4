import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { type ArrivalTotals, type ReportData, reportDataSchema } from '../../src/report/report-data.ts';
import { withoutPeople } from '../../src/report/without-people.ts';
import { renderSummary } from '../../src/report/terminal.ts';
import { importExitCode, judgeReport } from '../../src/report/verdict.ts';
import { finishedImport, totals } from './fixture.ts';

const hostile = '<img src=x onerror=alert(1)>\u001b[31m\nERR';
const look = { columns: 100, color: false };
const outside = { withdrawn: 0, changed: 0, leaving: 0, staying: 0, left: 0, assumed: 0 };

const people = (changes: Partial<ArrivalTotals>): ReportData =>
  finishedImport({
    totals: totals({ read: 5, planned: 5, imported: 5 }),
    verify: null,
    arrivals: {
      kinds: { people: { ...totals({ read: 12, skipped: 1, invalid: 1, planned: 10 }), ...outside, ...changes } },
      skipped: [{ kind: 'people', reason: 'left out by the mapping', count: 1 }],
      invalid: [{ kind: 'people', reason: 'nothing describes the person', count: 1 }],
      failed: [{ kind: 'people', code: hostile, count: 1, explanation: '', detail: hostile }],
    },
  });

describe('a report with people and groups', () => {
  it('fits its schema', () => {
    expect(reportDataSchema.safeParse(people({ imported: 10 })).success).toBe(true);
  });

  it.each([
    [{ imported: 10 }, 0, 'good'],
    [{ imported: 9, existing: 1 }, 0, 'good'],
    [{ imported: 9, failed: 1 }, 3, 'bad'],
    [{ imported: 9, pending: 1 }, 5, 'notice'],
    [{ imported: 9, unconfirmed: 1 }, 5, 'notice'],
  ])('ends and sounds as they arrived: %j', (changes, exit, tone) => {
    const report = people(changes);
    expect([importExitCode(report), judgeReport(report).tone]).toEqual([exit, tone]);
  });

  it('says that an error of Chatferry is behind sums that do not hold', () => {
    expect(judgeReport(people({ imported: 9 })).sentence).toContain('do not add up');
    expect(judgeReport(people({ imported: 10, read: 13 })).sentence).toContain('do not add up');
  });

  it('shows counts, reasons and words of the service as plain text everywhere', () => {
    const report = people({ imported: 6, failed: 1, existing: 3, withdrawn: 2 });
    const result = '6 imported, 3 existing, 1 failed, 2 not in the plan any more';
    const reasons = 'not planned 2 of 12: left out by the mapping 1, nothing describes the person 1';
    const summary = renderSummary(report, { ...look, columns: 200 });
    expect(summary).toContain(`  people   10  ${result}; ${reasons}\n`);
    expect(summary).toContain('  3 existed before: left as they are; whether they differ cannot be seen\n');
    expect(summary).not.toContain('\u001b');
    expect(renderMarkdown(report)).toContain('| people | 12 | 1 | 1 | 10 | 6 | 3 | 1 | 0 | 0 | 2 | 0 |');
    expect(renderMarkdown(report)).toContain('| people | nothing describes the person | 1 |');
    expect(renderMarkdown(report)).not.toContain('\u001b');
    expect(renderHtml(report)).toContain('id="arrivals"');
    expect(renderHtml(report)).not.toContain('<img');
    expect(JSON.stringify(withoutPeople(report).arrivals!.failed[0]!.detail)).not.toContain('img');
  });

  it('has neither block nor section where the destination does not import people', () => {
    const { arrivals: _, ...report } = people({});
    expect(renderSummary(report, look)).not.toContain('People and groups');
    expect(renderHtml(report)).not.toContain('id="arrivals"');
  });
});

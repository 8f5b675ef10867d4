import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { type ReportData, reportDataSchema } from '../../src/report/report-data.ts';
import { renderSummary } from '../../src/report/terminal.ts';
import { judgeReport, importExitCode } from '../../src/report/verdict.ts';
import { totals, finishedImport } from './fixture.ts';

const none = { planned: 0, done: 0, existing: 0, failed: 0, pending: 0, unconfirmed: 0, withdrawn: 0 };
const hostile = '<img src=x onerror=alert(1)>\u001b[31m\nERR';

const withActions = (actions: ReportData['actions']): ReportData =>
  finishedImport({
    totals: totals({ read: 5, planned: 5, imported: 5 }),
    verify: null,
    ...(actions && { actions }),
  });

const reactions = (changes: Partial<typeof none>): ReportData =>
  withActions({
    kinds: { reactions: { ...none, planned: 10, ...changes } },
    failed: [{ kind: 'reactions', code: hostile, count: 1, explanation: '', detail: hostile }],
    forecast: { requests: 3, minutes: 2 },
  });

describe('a report with actions', () => {
  it('fits its schema', () => {
    expect(reportDataSchema.safeParse(reactions({ done: 10 })).success).toBe(true);
  });

  it('shows text of the service as plain text everywhere', () => {
    const report = reactions({ done: 6, failed: 1, pending: 3 });
    const look = { columns: 100, color: false };
    expect(renderHtml(report)).not.toContain('<img');
    expect(renderHtml(report)).toContain('&lt;img');
    expect(renderSummary(report, look)).not.toContain('\u001b');
    expect(renderSummary(report, look)).toMatch(/reactions +10 {2}6 done, 1 failed, 3 pending/);
    expect(renderMarkdown(report)).toContain('| reactions | 10 | 6 | 0 | 1 | 3 | 0 | 0 |');
  });

  it('warns while actions are pending, and omits actions if there are none', () => {
    const look = { columns: 100, color: false };
    expect(renderSummary(reactions({ done: 7, pending: 3 }), look)).toContain('people may be notified');
    expect(renderSummary(reactions({ done: 10 }), look)).not.toContain('notified');
    expect(renderSummary(withActions(undefined), look)).not.toContain('Actions');
    expect(renderHtml(withActions(undefined))).not.toContain('id="actions"');
  });

  it.each([
    [{ done: 10 }, 0, 'good'],
    [{ done: 9, existing: 1 }, 0, 'good'],
    [{ done: 9, failed: 1 }, 3, 'notice'],
    [{ done: 9, pending: 1 }, 5, 'notice'],
    [{ done: 9, unconfirmed: 1 }, 5, 'notice'],
  ])('ends and sounds as its actions do: %j', (changes, exit, tone) => {
    const report = reactions(changes);
    expect([importExitCode(report), judgeReport(report).tone]).toEqual([exit, tone]);
  });
});

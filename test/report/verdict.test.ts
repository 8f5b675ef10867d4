import { describe, expect, test } from 'vitest';
import { planExitCode, judgeReport } from '../../src/report/verdict.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { totals, dryRun, emptyReport, finishedImport, troubledImport } from './fixture.ts';

const sentence = (changes: Partial<ReportData>) => judgeReport(finishedImport({ verify: null, ...changes })).sentence;

describe('judgeReport()', () => {
  test('judgeReport() is good only where everything planned has arrived and nothing is invalid', () => {
    const clean = totals({ read: 1_234, planned: 1_234, imported: 1_200, existing: 34 });
    expect(judgeReport(finishedImport({ totals: clean, verify: null }))).toEqual({
      tone: 'good',
      sentence: 'All 1,234 planned messages have arrived',
    });
    expect(judgeReport(finishedImport()).tone).toBe('notice');
  });

  test('judgeReport() reports what was read back', () => {
    expect(judgeReport(finishedImport()).sentence).toBe(
      'All 1,031 planned messages have arrived and were read back unchanged; 3 rows of the export could not be used (no-content)',
    );
  });

  test('judgeReport() counts the messages that did not arrive in each state', () => {
    const planned = { read: 100, planned: 100 };
    expect(sentence({ totals: totals({ ...planned, imported: 88, failed: 12 }) })).toBe(
      '12 messages failed: the service refused them; 88 of 100 have arrived',
    );
    expect(sentence({ totals: totals({ ...planned, imported: 99, unconfirmed: 1 }) })).toBe(
      '1 message is unconfirmed until the next run; 99 of 100 have arrived',
    );
    expect(sentence({ totals: totals({ ...planned, imported: 60, pending: 40 }) })).toBe(
      '40 of 100 planned messages still to be sent',
    );
  });

  test('judgeReport() of a dry run says that nothing was sent', () => {
    expect(judgeReport(dryRun()).sentence).toBe(
      'Dry run, nothing was sent: 1,031 messages are ready to go; 3 rows could not be used (no-content)',
    );
  });

  test('judgeReport() says why rows could not be used and messages were refused', () => {
    const counts = { read: 100, invalid: 12, planned: 88 };
    const group = (title: string, count: number, inShort?: string) => ({
      ...finishedImport().invalid[0]!,
      ...{ title, count, inShort },
    });
    const old = [group('Messages older than …', 12, 'older than the 183 days the service keeps')];
    expect(sentence({ totals: totals({ ...counts, imported: 88 }), invalid: old })).toBe(
      'All 88 planned messages have arrived; 12 rows of the export could not be used (older than the 183 days the service keeps)',
    );
    const several = [
      group('', 9, 'blank messages'),
      group('', 2, 'rows that are not JSON'),
      group('', 1, 'too many tags'),
    ];
    expect(judgeReport({ ...dryRun(), invalid: several }).sentence).toMatch(
      / \(blank messages: 9, rows that are not JSON: 2, 1 other reason\)$/,
    );
    const refused = [group('ERR_UID_NOT_FOUND', 8)];
    expect(sentence({ totals: totals({ ...counts, imported: 80, failed: 8 }), invalid: old, failed: refused })).toBe(
      '8 messages failed: the service refused them (ERR_UID_NOT_FOUND); 80 of 88 have arrived; 12 rows could not be used (older than the 183 days the service keeps)',
    );
    expect(sentence({ totals: totals({ read: 12, invalid: 12 }), invalid: old })).toBe(
      'Nothing to send: no message is planned of 12 rows read; 12 rows could not be used (older than the 183 days the service keeps)',
    );
    const long = [group('x'.repeat(10_000), 12)];
    expect(sentence({ totals: totals({ ...counts, imported: 88 }), invalid: long }).length).toBeLessThan(200);
  });

  test('judgeReport() puts differences before anything else that went wrong', () => {
    expect(judgeReport(troubledImport()).sentence).toBe(
      'Reading back found differences: 3 missing, 2 different, 1 duplicated',
    );
    expect(judgeReport({ ...troubledImport(), verify: null }).sentence).toBe(
      'The run stopped before its end: 712 of 1,031 planned messages have arrived so far',
    );
  });

  test('judgeReport() does not call what others wrote a difference', () => {
    const verify = { same: 0, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 9 };
    expect(judgeReport(finishedImport({ verify })).tone).not.toBe('bad');
  });

  test('judgeReport() and the exit code report an export of another format, of which nothing is read', () => {
    const ignored = [{ reason: 'Not part of the format', count: 1, example: 'notes.txt' }];
    const report = { ...emptyReport(), files: { shared: 0, rows: 0, skipped: 0, unknown: 1 }, ignored };
    expect(judgeReport(report).sentence).toContain('no file of this export has messages in a form that');
    expect(judgeReport(report).sentence).toContain('("notes.txt": Not part of the format)');
    const isEmpty = { ...emptyReport(), files: { shared: 0, rows: 1, skipped: 0, unknown: 1 } };
    expect([planExitCode(report), planExitCode(isEmpty)]).toEqual([4, 0]);
    const chat = { code: 'unread-chat', severity: 'decision', count: 1, examples: [] } as unknown;
    expect(planExitCode({ ...isEmpty, problems: [chat as ReportData['problems'][number]] })).toBe(4);
  });

  test('judgeReport() reports an export without messages, and one with nothing planned', () => {
    const files = { shared: 0, rows: 1, skipped: 0, unknown: 0 };
    expect(judgeReport({ ...emptyReport(), files }).sentence).toBe(
      'Nothing was read: the files of messages in this export have no message',
    );
    expect(sentence({ totals: totals({ read: 5, skipped: 5 }) })).toBe(
      'Nothing to send: no message is planned of 5 rows read',
    );
  });

  test('judgeReport() admits totals that do not add up', () => {
    expect(sentence({ totals: totals({ read: 5, planned: 4, imported: 4 }) })).toMatch('do not add up');
  });
});

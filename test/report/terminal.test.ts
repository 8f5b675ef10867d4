import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/lib/text/plain-text.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { renderSummary } from '../../src/report/terminal.ts';
import { dryRun, emptyReport, finishedImport, hugeImport, troubledImport } from './fixture.ts';
import { fillStrings } from './hostile.ts';

const plain = { columns: 100, color: false };

describe('renderSummary()', () => {
  test('renderSummary() fits 24 lines, names the report and says what to do next', () => {
    const options = {
      ...plain,
      reportPath: 'chatferry.report/report.html',
      next: ['chatferry verify', 'chatferry undo'],
    };
    expect(
      renderSummary(finishedImport(), options),
    ).toBe(`! All 1,031 planned messages have arrived and were read back unchanged; 3 rows of the export could not be used (no-content)

Read        1,385  messages of slack workspace T061A2UFL (workspace-2016.zip, workspace-2017.zip)
  skipped     351  system-message 340, deleted-at-source 11
  invalid       3
Planned     1,031  in 8 conversations
  imported  1,019
  existing     12
  failed        0
Duplicates     12  seen again, not counted

Invalid
  3  no-content  The message has neither text nor a file. Nothing can be sent for it.
     engineering/2016-03-01.json#/0

Needs your decision
  What should become of files whose address will stop working?  60 messages
Not migrated
  512  reactions  A list in the message’s metadata
  187  thread structure  The root’s id in the metadata
    9  pins  Nothing

Verify    1,031 same, 0 missing, 4 foreign
Requests  21 import, 16 read, 1 repeated, 2 put off by the service, 3 min 20 s
Report    chatferry.report/report.html
Next      chatferry verify
          chatferry undo
`);
  });

  test.each([finishedImport(), dryRun(), troubledImport(), hugeImport(), emptyReport()])(
    'renderSummary() shows every term that is not zero, so that the totals add up',
    (data) => {
      const shown = (label: string) =>
        Number(
          new RegExp(`^ *${label} +([\\d,]+)`, 'm').exec(renderSummary(data, plain))?.[1]?.replaceAll(',', '') ?? 0,
        );
      const sum = (labels: readonly string[]) => labels.reduce((total, label) => total + shown(label), 0);
      expect(shown('Read')).toBe(sum(['Planned', 'skipped', 'invalid']));
      expect(shown('Planned')).toBe(sum(['imported', 'existing', 'failed', 'pending', 'unconfirmed']));
    },
  );

  test.each([60, 80, 100])('renderSummary() wraps what to do instead of cutting it, in %d columns', (columns) => {
    const remedy = `Pass ${'what it needs and '.repeat(12)}nothing else.`;
    const [group] = hugeImport().invalid;
    const text = renderSummary({ ...finishedImport(), invalid: [{ ...group!, remedy }] }, { ...plain, columns });
    const start = text.indexOf('→');
    const said = text.slice(start, text.indexOf('\n\n', start));
    expect(said.replaceAll(/\s+/g, ' ')).toBe(`→ ${remedy}`);
    expect(Math.max(...said.split('\n').map(displayWidth))).toBeLessThanOrEqual(columns);
  });

  test('renderSummary() says neither "Stopped" nor a code twice', () => {
    const stopped = { code: 'ERR_A', message: 'Stopped: ERR_A: its words', hint: null };
    expect(renderSummary({ ...troubledImport(), stopped }, plain)).toContain('  Stopped: ERR_A: its words\n');
  });

  test('renderSummary() says why a run stopped', () => {
    expect(renderSummary(troubledImport(), plain)).toContain(
      '  Stopped: The service does not accept the API key any more (AUTH_ERR_APIKEY_NOT_FOUND)\n  Set CHATFERRY_API_KEY and run the same command again\n',
    );
  });

  test('renderSummary() gives the forecast of a dry run', () => {
    expect(renderSummary(dryRun(), plain)).toMatch(/^ {2}pending +1,031 {2}21 requests, 402 KiB, about 21 s$/m);
  });

  test('renderSummary() lists five kinds, most first, and counts the rest', () => {
    const text = renderSummary(hugeImport(), plain);
    expect(text.match(/reject-code/g)).toHaveLength(5);
    expect(text).toContain('  and 7 more in the report');
  });

  test('renderSummary() keeps notes within the columns', () => {
    const long = finishedImport({
      exports: ['x'.repeat(500)],
      skipped: [],
      losses: [{ name: '山'.repeat(90), count: 1, what: '', becomes: '山'.repeat(90), group: 'missed' }],
    });
    const [, ...lines] = renderSummary(long, { ...plain, columns: 90 }).split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(90);
  });

  test('renderSummary() repeats the findings of the plan only after a plan and an import', () => {
    expect(renderSummary({ ...finishedImport(), command: 'plan' }, plain)).toContain('Notes');
    expect(renderSummary(finishedImport(), plain)).toMatch(/Needs your decision[\s\S]*Not migrated/);
    expect(renderSummary({ ...finishedImport(), command: 'verify' }, plain)).not.toMatch(
      /Needs your decision|Notes|Not migrated/,
    );
  });

  test('renderSummary() shows the duration at a usual rate if the destination’s own is unknown', () => {
    const faster = [{ ratePerMinute: 60, minutes: 65 }];
    const report = dryRun();
    const forecast = { ...report.forecast, ratePerMinute: null, minutes: null, endAtMs: null, faster };
    expect(renderSummary({ ...report, forecast }, plain)).toContain('; at 60 requests a minute 1 h 5 min\n');
  });

  test('renderSummary() uses colours only if asked to', () => {
    expect(renderSummary(finishedImport(), { ...plain, color: true })).toContain('\u001b[');
    expect(renderSummary(finishedImport(), plain)).not.toContain('\u001b');
  });

  test('renderSummary() lets nothing from outside move the cursor, add a line or reorder text', () => {
    const text = '\u001b[2J\u001b]8;;http://x\u0007link\u001b]8;;\u0007\r\nforged\u2028\u202etxt';
    const hostile: ReportData = { ...fillStrings(troubledImport(), text), command: 'import' };
    const usual = renderSummary({ ...fillStrings(troubledImport(), 'text'), command: 'import' }, plain);
    const summary = renderSummary(hostile, { ...plain, reportPath: text, next: [text] });
    expect(summary).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028]/);
    expect(summary.split('\n').length).toBe(usual.split('\n').length + 2);
  });
});

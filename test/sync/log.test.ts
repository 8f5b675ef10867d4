import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { logSchema } from '../../src/sync/shared-settings.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { Secret } from '../../src/lib/secret.ts';
import { logFields, openLog, type SyncLog } from '../../src/sync/serve/log.ts';
import { anyText } from '../arbitrary-text.ts';
import { manualClock } from '../delivery/manual-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { failedResult, jobResult, startMs } from './job-result.ts';

const temporary = temporaryFolder();

/** Returns the lines of a log file after the given calls. */
async function linesOf(tell: (log: SyncLog) => void, given: object = {}, secrets: readonly Secret[] = []) {
  const file = join(mkdtempSync(join(temporary.path, 'log-')), 'sync.log');
  const log = openLog(logSchema.parse({ file, ...given }), { clock: manualClock(startMs), processId: 'p7', secrets });
  tell(log);
  const text = readFileSync(file, 'utf8');
  await log.close!();
  const lines = text.split('\n').slice(0, -1);
  return { file, text, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const tellAll = (log: SyncLog) => {
  log.started!(['support', 'sales']);
  log.scheduled!('support', startMs + 60_000);
  log.runStarted!('support', { number: 12, startedAtMs: startMs, cause: 'made-up' });
  log.runProgress!('support', 12, { stage: 'Sending', done: 5 });
  log.runEnded!(jobResult());
  log.stopping!('SIGTERM');
};

describe('openLog()', () => {
  it('writes an object a line, each with time, level and process, those of a run with its id', async () => {
    const { lines } = await linesOf(tellAll, { level: 'debug' });
    expect(lines.map(({ level, msg, run }) => [level, msg, run])).toEqual([
      ['info', 'sync started', undefined],
      ['debug', 'next run', undefined],
      ['info', 'run started', 'support-12'],
      ['debug', 'progress', 'support-12'],
      ['info', 'run ended', 'support-12'],
      ['info', 'stopping', undefined],
    ]);
    for (const line of lines) expect(line).toMatchObject({ time: '2026-11-21T12:00:00.000Z', sync: 'p7' });
    expect(lines[1]).toMatchObject({ job: 'support', next: '2026-11-21T12:01:00.000Z' });
    expect(lines[4]).toMatchObject({ job: 'support', exit: 0, durationMs: 4500, added: { imported: 10 } });
  });

  it.each([
    [jobResult(), 'info', 'done'],
    [jobResult({ exit: 3 }), 'warn', 'some-failed'],
    [jobResult({ exit: 143 }), 'warn', 'interrupted'],
    [failedResult(), 'error', 'needs-person'],
    [jobResult({ exit: 5 }), 'error', 'failed'],
  ])('reports how a run went: %#', async (result, level, outcome) => {
    const { lines } = await linesOf((log) => log.runEnded!(result));
    expect(lines).toMatchObject([{ level, outcome, exit: result.exit, stopped: result.stopped }]);
  });

  it('omits entries below its level', async () => {
    const { lines } = await linesOf(tellAll, { level: 'warn' });
    expect(lines).toEqual([]);
  });

  it('keeps the filter of a reading back to itself: it may name people', async () => {
    const verify = { same: 1, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0, only: 'from:ann' };
    const { text, lines } = await linesOf((log) => log.runEnded!(jobResult({ verify })));
    expect(text).not.toContain('ann');
    expect(lines[0]!.verify).toEqual({ same: 1, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 });
  });

  it('keeps its file to its owner', async () => {
    const { file } = await linesOf(tellAll);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('names a file that cannot be opened', () => {
    const file = join(temporary.path, 'none', 'sync.log');
    const open = () => openLog(logSchema.parse({ file }), { clock: manualClock(), processId: 'p', secrets: [] });
    expect(open).toThrow(UsageError);
    expect(open).toThrow(/sync\.log": ENOENT/);
  });

  it('writes no secret in any field, and no truncated line', async () => {
    const key = fc.string({ unit: fc.constantFrom(...'abcXYZ019+/=%"\\ -_ä'), minLength: 8, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(key, anyText, anyText, async (value, before, after) => {
        // White space that is trimmed from the ends of a key is trimmed from the text as well.
        const secret = value.trim().replaceAll(/\s+/g, ' ').padEnd(8, '#');
        const hostile = `${before}${secret}${after}`;
        const { lines } = await linesOf(
          (log) => {
            log.runEnded!(failedResult({ stopped: { code: 'X', message: hostile, hint: hostile }, report: hostile }));
            log.runProgress!('support', 12, { [hostile]: { deep: [hostile, { [hostile]: hostile }] } });
            log.warn('a fixed text', { url: encodeURIComponent(secret), json: JSON.stringify({ apikey: secret }) });
          },
          { level: 'debug' },
          [new Secret(secret)],
        );
        expect(lines).toHaveLength(3);
        expect(JSON.stringify(stringsIn(lines))).not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
      { numRuns: 100 },
    );
  });
});

/** Every text in a value, names of members among them. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
}

describe('logFields()', () => {
  it('keeps numbers, truth values and short lines of text', () => {
    expect(logFields({ a: 1, b: true, c: null, d: 'x\n\u001b[31my', e: 12n, f: ['z', undefined] }, [])).toEqual({
      a: 1,
      b: true,
      c: null,
      d: 'x y',
      e: '12',
      f: ['z', undefined],
    });
  });

  it('omits errors, functions and deeply nested values, and shortens very long ones', () => {
    const endless: Record<string, unknown> = { name: 'x'.repeat(2_000) };
    endless.self = endless;
    const fields = logFields({ error: new Error('private'), call: () => 1, endless, many: Array(5_000).fill(1) }, []);
    expect(JSON.stringify(fields).length).toBeLessThan(5_000);
    expect(fields).not.toHaveProperty('error.message');
    expect((fields.many as unknown[]).length).toBe(100);
  });

  it('finds a secret that invisible characters hid', () => {
    expect(logFields({ text: 'the k3y-\u200ethat-opens' }, [new Secret('k3y-that-opens')])).toEqual({
      text: 'the [redacted]',
    });
  });
});

it.runIf(process.platform === 'linux')('a log on a full disk holds one megabyte, and drops later lines', () => {
  const opening = vi.spyOn(pino, 'destination');
  const clock = manualClock(startMs);
  const log = openLog(logSchema.parse({ file: '/dev/full' }), { clock, processId: 'p7', secrets: [] });
  let heldLines = 0;
  let droppedLines = 0;
  opening.mock.results[0]!.value.on('drop', () => droppedLines++);
  opening.mockRestore();
  while (droppedLines < 10 && heldLines < 10_000) {
    log.runEnded!(jobResult());
    heldLines++;
  }
  expect(droppedLines).toBe(10);
  expect(heldLines).toBeGreaterThan(1000);
});

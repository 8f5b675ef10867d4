import { type Logger, pino } from 'pino';
import type { Clock } from '../../lib/flow/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { redact, type Secret } from '../../lib/secret.ts';
import { verifyCountsSchema } from '../../model/totals.ts';
import type { LogOptions } from '../shared-settings.ts';
import { type JobResult, type SyncListener, toOutcome, runIdOf, type RunOutcome } from '../job-result.ts';

export interface LogDeps {
  readonly clock: Clock;
  /** Id of this process: appears on every line as `sync`. */
  readonly processId: string;
  /** Standard error, if it is not the process's own. */
  readonly stderr?: NodeJS.WritableStream & { readonly fd?: number };
  /** Secrets whose values never reach the log, wherever they occur. */
  readonly secrets: readonly Secret[];
}

/** The structured log: a JSON object a line, of counts and reasons, never content. Lines of a run carry its `job` and `run`. */
export interface SyncLog extends SyncListener {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Lines are written at once: what a killed process has said is there. @throws UsageError if the file cannot be opened. */
export function openLog(options: LogOptions, { clock, processId, secrets, stderr }: LogDeps): SyncLog {
  const isOwn = options.file === undefined && stderr !== undefined && stderr.fd === undefined;
  const file = isOwn ? undefined : openDestination(options.file);
  const logger = pino(
    {
      level: options.level,
      base: { sync: processId },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }), log: (fields) => logFields(fields, secrets) },
    },
    file ?? stderr!,
  );
  return {
    ...eventLines(logger),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    close: async () => file?.end(),
  };
}

/** Characters that are held while nothing can be written: a thousand lines or more. Further lines are dropped. */
const heldMax = 1_048_576;

function openDestination(file: string | undefined) {
  try {
    const destination = pino.destination({
      dest: file ?? 2,
      sync: true,
      append: true,
      mode: 0o600,
      maxLength: heldMax,
    });
    // A full disk or a reader that went away is no reason to stop. Unwritten lines follow when they can be written, as
    // far as they are held.
    destination.on('error', () => {});
    return destination;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageError(`Cannot open the log "${file}": ${code}`, { hint: 'Set sync.log.file', cause });
  }
}

const eventLines = (logger: Logger): SyncListener => ({
  started: (jobs) => logger.info({ jobs, pid: process.pid }, 'sync started'),
  scheduled: (job, atMs) => logger.debug({ job, next: isoTime(atMs) }, 'next run'),
  runStarted: (job, { number, cause }) => logger.info({ job, run: runIdOf({ job, number }), cause }, 'run started'),
  runProgress: (job, number, line) => logger.debug({ job, run: runIdOf({ job, number }), progress: line }, 'progress'),
  runEnded: (result) => logger[levels[toOutcome(result)]](runEndFields(result), 'run ended'),
  stopping: (cause) => logger.info({ cause }, 'stopping'),
});

const levels: Readonly<Record<RunOutcome, 'info' | 'warn' | 'error'>> = {
  done: 'info',
  'some-failed': 'warn',
  interrupted: 'warn',
  'needs-person': 'error',
  failed: 'error',
};

const isoTime = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** Returns counts and reasons of a run. For read-back, only the counts: its filter may name people. */
export function runEndFields(result: JobResult) {
  const { job, startedAtMs, endedAtMs, exit, isChanged, added, remaining, requests, verify, stopped, notes, report } =
    result;
  return {
    job,
    run: runIdOf(result),
    outcome: toOutcome(result),
    exit,
    durationMs: endedAtMs - startedAtMs,
    isChanged,
    added,
    remaining,
    requests,
    verify: verify && verifyCountsSchema.parse(verify),
    stopped,
    notes,
    report,
  };
}

/** More says nothing that a person reads in a log. */
const textColumnsMax = 500;
/** Maximum nesting of objects, and maximum number of members in one. */
const depthMax = 5;
const membersMax = 100;

/**
 * Returns the parts of a field that may be written: numbers, booleans, and text of one short line without secrets or
 * control characters, at most 5 levels deep and 100 members wide. Anything else (functions, errors, deeper values) is
 * left out.
 */
export const logFields = (
  fields: Readonly<Record<string, unknown>>,
  secrets: readonly Secret[],
): Record<string, unknown> => (redactField(fields, secrets, depthMax) ?? {}) as Record<string, unknown>;

function redactField(value: unknown, secrets: readonly Secret[], depth: number): unknown {
  if (typeof value === 'string') return redactedText(value, secrets);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'bigint') return redactedText(String(value), secrets);
  if (typeof value !== 'object' || depth === 0 || value instanceof Error) return undefined;
  if (Array.isArray(value)) return value.slice(0, membersMax).map((one) => redactField(one, secrets, depth - 1));
  const members = Object.entries(value).slice(0, membersMax);
  return Object.fromEntries(
    members.map(([name, one]) => [redactedText(name, secrets), redactField(one, secrets, depth - 1)]),
  );
}

/** Redacts twice: removing the characters between the two may join the parts of a secret. */
const redactedText = (text: string, secrets: readonly Secret[]): string =>
  truncate(redact(oneLine(redact(text, secrets)), secrets), textColumnsMax);

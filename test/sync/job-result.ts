import type { JobResult } from '../../src/sync/job-result.ts';

export const startMs = Date.parse('2026-11-21T12:00:00Z');

/** A run that found a grown export and sent ten messages, unless `changes` says otherwise. */
export function jobResult({ added, ...changes }: Omit<Partial<JobResult>, 'added'> & Added = {}): JobResult {
  return {
    job: 'support',
    number: 12,
    startedAtMs: startMs,
    endedAtMs: startMs + 4_500,
    exit: 0,
    isChanged: true,
    added: {
      read: 12,
      skipped: 2,
      invalid: 0,
      imported: 10,
      existing: 0,
      failed: 0,
      late: 0,
      drift: {},
      arrivals: {},
      actions: {},
      ...added,
    },
    remaining: { pending: 0, unconfirmed: 0 },
    requests: { import: 1, list: 3, retried: 0, rateLimited: 0 },
    verify: null,
    stopped: null,
    notes: [],
    report: null,
    ...changes,
  };
}

interface Added {
  readonly added?: Partial<JobResult['added']>;
}

/** A run that could not go on. */
export const failedResult = (changes: Parameters<typeof jobResult>[0] = {}): JobResult =>
  jobResult({
    exit: 8,
    stopped: { code: 'AUTH_ERR_NO_ACCESS', message: 'The service refuses the key', hint: 'chatferry doctor' },
    added: { imported: 0 },
    remaining: { pending: 10, unconfirmed: 0 },
    ...changes,
  });

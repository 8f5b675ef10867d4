import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../lib/files/make-folder.ts';
import { replaceFileSync } from '../lib/files/atomic-file.ts';
import { sha256Base32 } from '../lib/hash.ts';
import type { Secret } from '../lib/secret.ts';
import { version } from '../lib/version.ts';
import { verifyCountsSchema } from '../model/books.ts';
import { type NoticeReason, noticeReasons } from './config/webhook.ts';
import type { JobResult } from './events.ts';
import { logFields } from './log.ts';
import { failuresAfter, isSuccess, outcomeOf, runIdOf } from './outcome.ts';

const count = z.int().nonnegative();
const counts = z.record(z.string(), count);

/** What is posted to the webhook. Fields may be added, never taken away or given another meaning. */
export const noticeSchema = z.strictObject({
  id: z.string().describe('Of this notice: the same however often it is delivered'),
  type: z.literal('chatferry.run'),
  reasons: z.array(z.enum(noticeReasons)).min(1).describe('Why it was sent'),
  job: z.string(),
  run: z.string().describe('As logs call it: support-12'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  exit: z.int().describe('Exit code of the run'),
  outcome: z.enum(['done', 'some-failed', 'interrupted', 'failed']),
  failuresInARow: count.describe('Failed runs up to this one; 0 after one that finished'),
  isChanged: z.boolean().describe('Whether the export differed from the last one that was read'),
  brought: z
    .strictObject({
      read: count,
      skipped: count,
      rejected: count,
      imported: count,
      present: count,
      refused: count,
      late: count,
      drift: counts,
      actions: counts,
    })
    .describe('Messages, changes and actions of this run'),
  left: z.strictObject({ pending: count, inDoubt: count }),
  requests: z.strictObject({ import: count, list: count, retried: count, rateLimited: count }),
  verify: z.strictObject(verifyCountsSchema.shape).nullable(),
  stopped: z
    .strictObject({ code: z.string(), message: z.string(), hint: z.string().nullable() })
    .nullable()
    .describe('Why the run ended before its end'),
  report: z.string().nullable().describe('Folder of the report, on the machine of the run'),
  version: z.string().describe('Of Chatferry'),
});
export type Notice = z.infer<typeof noticeSchema>;

/** What a notice says beside its run. */
export interface NoticeContext {
  readonly on: readonly NoticeReason[];
  /** Failed runs up to the one before. */
  readonly failuresBefore: number;
  /** Whose values never reach the receiver. */
  readonly secrets: readonly Secret[];
}

/** Nothing where no reason applies. Counts and reasons only: of reading back not the filter, which may name people. */
export function noticeOf(result: JobResult, { on, failuresBefore, secrets }: NoticeContext): Notice | undefined {
  const reasons = on.filter((reason) => applies[reason](result, failuresBefore));
  if (reasons.length === 0) return undefined;
  const { job, exit, isChanged, brought, left, requests, verify, stopped, report } = result;
  const notice = {
    id: idOf(result),
    type: 'chatferry.run',
    reasons,
    job,
    run: runIdOf(result),
    startedAt: new Date(result.startedAtMs).toISOString(),
    endedAt: new Date(result.endedAtMs).toISOString(),
    exit,
    outcome: outcomeOf(result),
    failuresInARow: failuresAfter(failuresBefore, result),
    isChanged,
    brought,
    left,
    requests,
    verify: verify && verifyCountsSchema.parse(verify),
    stopped,
    report,
    version,
  };
  return logFields(notice, secrets) as Notice;
}

const applies: Readonly<Record<NoticeReason, (result: JobResult, failuresBefore: number) => boolean>> = {
  failure: (result) => outcomeOf(result) === 'failed',
  'failed-messages': ({ brought }) => brought.rejected + brought.refused > 0,
  drift: ({ brought }) => Object.values(brought.drift).some((changes) => changes > 0),
  recovery: (result, failuresBefore) => failuresBefore > 0 && isSuccess(result),
};

/** The same for the same run, however often its end is posted. */
const idOf = ({ job, number, startedAtMs }: JobResult): string =>
  `evt_${sha256Base32(JSON.stringify([job, number, startedAtMs]), 24)}`;

/** A notice that nobody has taken yet. */
export interface Waiting {
  readonly id: string;
  readonly createdAtMs: number;
  /** JSON, as it is posted. */
  readonly body: string;
}

/** More than a receiver that is away for a weekend can want: 100 notices, three days. */
const noticesMax = 100;
const ageMaxMs = 3 * 24 * 3_600_000;

const fileName = /^(\d{13})-(evt_[a-z2-7]{24})\.json$/;

/**
 * The notices that wait, oldest first; a file each, so that they outlive the process. A folder that cannot be written costs
 * only that: what is in memory is still delivered.
 */
export class Outbox {
  readonly #folder: string;
  readonly #onFault: (code: string) => void;
  #waiting: Waiting[];

  /** @param onFault Told the system's code where a file could not be written, read or removed. */
  constructor(folder: string, onFault: (code: string) => void) {
    this.#folder = folder;
    this.#onFault = onFault;
    this.#waiting = this.#guard(() => readWaiting(folder)) ?? [];
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }

  /** A notice that waits already takes the place of the one before. */
  add(notice: Waiting): void {
    this.#waiting = [...this.#waiting.filter(({ id }) => id !== notice.id), notice];
    this.#guard(() => replaceFileSync(join(this.#folder, nameOf(notice)), notice.body));
  }

  /** Forgets what is too old, and the oldest where too many wait. @returns What was forgotten. */
  prune(nowMs: number): readonly Waiting[] {
    const surplus = this.#waiting.length - noticesMax;
    const dropped = this.#waiting.filter(({ createdAtMs }, index) => createdAtMs < nowMs - ageMaxMs || index < surplus);
    for (const one of dropped) this.remove(one);
    return dropped;
  }

  remove(notice: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== notice);
    this.#guard(() => rmSync(join(this.#folder, nameOf(notice)), { force: true }));
  }

  #guard<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#onFault((error as NodeJS.ErrnoException).code ?? 'unreadable');
      return undefined;
    }
  }
}

const nameOf = ({ createdAtMs, id }: Waiting) => `${String(createdAtMs).padStart(13, '0')}-${id}.json`;

function readWaiting(folder: string): Waiting[] {
  makeFolder(folder);
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const match = fileName.exec(name);
      if (!match) return [];
      return { createdAtMs: Number(match[1]), id: match[2]!, body: readFileSync(join(folder, name), 'utf8') };
    });
}

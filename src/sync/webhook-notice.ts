import { z } from 'zod';
import { type NoticeReason, noticeReasons } from './config/webhook.ts';
import { sha256Base32 } from '../lib/hash.ts';
import type { Secret } from '../lib/secret.ts';
import { version } from '../lib/version.ts';
import { verifyCountsSchema } from '../model/books.ts';
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

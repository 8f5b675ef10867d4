import { clearChecks } from '../checkpoint/repair/verify-results.ts';
import type { PendingLane } from '../checkpoint/delivery/pending-lanes.ts';
import type { Store } from '../checkpoint/base/store.ts';
import { type TouchedLanes, touchedLanes } from '../checkpoint/delivery/touched-lanes.ts';
import type { Clock } from '../lib/clock.ts';
import type { VerifyCounts, VerifyResult } from '../model/books.ts';
import type { RequestCounts } from '../upload/pace/destination.ts';
import type { Progress } from '../lib/progress.ts';
import type { Target } from '../upload/target.ts';
import { ActionCheck } from './action-check.ts';
import { type ConversationCheck, noCounts } from './conversation-check.ts';
import { openFindings } from './findings.ts';
import { openReading } from './reading.ts';
import { lookAgain } from './second-look.ts';

export interface VerifyOptions {
  /** Only the conversations that runs after this one touched. */
  readonly since?: number;
  /** Only messages that `chooseOnly` found are compared; no conversation counts as verified afterwards. */
  readonly insideOnly?: boolean;
  /** What is known to differ in the other conversations stays written down. */
  readonly keepsOthers?: boolean;
  /** Conversations that are read side by side; 4 by default. */
  readonly concurrency?: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly counts: RequestCounts;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Reads back what the target has, conversation by conversation, and compares it with what the store says was sent: as
 * sets, field by field, and in order. What is not met is called missing after a second look only. Memory stays flat
 * whatever the size of a conversation; what differs is written to the store, and the counts of each conversation.
 *
 * @returns The sum over the conversations that were read.
 * @throws DestinationError if the target cannot be read.
 */
export async function verify(store: Store, target: Target, options: VerifyOptions): Promise<VerifyResult> {
  const { clock, since, insideOnly = false, progress, concurrency = 4, signal } = options;
  const findings = openFindings(store, target.id, insideOnly);
  const lanes = touchedLanes(store.db, target.id, { since, insideOnly });
  const stage = progress.stage('Verifying', { total: lanes.deliveredCount });
  const sum = noCounts();
  let done = 0;
  const onWait = (ms: number, why: string) => stage.update({ done, waiting: why, waitMs: ms });
  const reading = openReading(store, target, { ...options, findings, onWait });
  const actions = new ActionCheck(store, target);
  if (!options.keepsOthers) findings.differences.clear();
  if (since === undefined) clearChecks(store.db, target.id, insideOnly ? 'inside' : 'whole');

  const read = async (check: ConversationCheck, abort: AbortSignal) => {
    for await (const page of reading.pages(check, abort)) {
      const before = check.counts.same + check.counts.different;
      store.db.transaction(() => {
        for (const listed of page) {
          check.compare(listed);
          actions.look(listed, (row) => check.messageOf(row));
        }
      })();
      done += check.counts.same + check.counts.different - before;
      stage.update({ done });
    }
  };
  /** Written together: each commit waits for the disk, and there may be a million small conversations. */
  const finished: ConversationCheck[] = [];
  const save = store.db.transaction(() => {
    for (const { lane, counts } of finished.splice(0)) {
      findings.saveCheck({ conversation: lane.conversation, ...counts }, clock.now());
      if (insideOnly && counts.missing + counts.extra + counts.different + counts.duplicated > 0)
        findings.dropCheck(lane.conversation);
    }
  });
  const finish = (check: ConversationCheck) => {
    store.db.transaction(() => check.finish())();
    finished.push(check);
    if (finished.length >= checksPerCommit) save();
    for (const kind of Object.keys(sum) as (keyof VerifyCounts)[]) sum[kind] += check.counts[kind];
  };

  try {
    /** Those in which something was not met: about 500 bytes each. */
    const incomplete: ConversationCheck[] = [];
    await sideBySide(eachLane(lanes), { concurrency, signal }, async (row, abort) => {
      const check = reading.check(row);
      if (options.keepsOthers) findings.differences.clearConversation(row.conversation);
      await read(check, abort);
      if (findings.absent.note(row.conversation) > 0) incomplete.push(check);
      else finish(check);
    });
    const newestShown = incomplete.length > 0 ? findings.absent.newestShown() : 0;
    const look = { findings, reading, profile: target.profile, clock, onWait, newestShown, signal };
    await lookAgain(store, incomplete, look);
    for (const check of incomplete) finish(check);
    save();
    const found = insideOnly ? undefined : await actions.finish(reading.asking, { since: since ?? 0, onWait }, signal);
    return { ...sum, ...(found && { actions: found }) };
  } finally {
    stage.finish();
    reading.close();
  }
}

const checksPerCommit = 200;

function* eachLane(lanes: TouchedLanes): Generator<PendingLane> {
  let after = 0;
  for (;;) {
    const page = lanes.after(after);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.conversation;
  }
}

/** Several at a time, pulled as they are needed. The first failure stops the others, and is thrown when they have ended. */
async function sideBySide<T>(
  things: Iterable<T>,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (thing: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const failures: unknown[] = [];
  const iterator = things[Symbol.iterator]();
  const worker = async () => {
    try {
      for (let next = iterator.next(); !next.done && failures.length === 0; next = iterator.next()) {
        await work(next.value, either);
      }
    } catch (error) {
      failures.push(error);
      failed.abort(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw failures[0];
}

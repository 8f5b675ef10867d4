import type { Refusals } from '../../store/failures.ts';
import { formatCount } from '../../lib/text/count.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { Failure, ImportOutcome, NotAppliedWhy } from '../../service/outcome.ts';
import type { Lane, LaneRow } from '../lanes.ts';

/** How many of the latest answered messages are looked at. */
const windowSize = 200;
/** How many are enough where an earlier run stopped for the same code. */
const cautiousWindowSize = 20;

/** One code that has taken over. */
export interface FailureSurge {
  readonly code: string;
  /** The service's words about the latest message that it refused. */
  readonly detail: string;
  /** Share of the latest answered messages, and their number. */
  readonly share: number;
  readonly of: number;
}

/**
 * Notices when one refusal code has taken over: a wrong setting shows in the first messages, not after all of them.
 *
 * @param shareMax More than this part of the last 200 answered messages refused with one code are a failure surge; with 1 there is none.
 * @param codeBefore That of the failure surge at which the run before stopped: a run that meets it again in its first 20 answers need not
 *   have another 200 refused.
 */
export class FailureWatch {
  readonly #shareMax: number;
  readonly #codeBefore: string | undefined;
  /** Codes of the last answered messages; undefined for good ones. A ring. */
  readonly #codes: (string | undefined)[] = [];
  #next = 0;

  constructor(shareMax: number, codeBefore?: string) {
    this.#shareMax = shareMax;
    this.#codeBefore = shareMax >= 1 ? undefined : codeBefore;
  }

  /** Whether it is still to be seen that the run before would not stop again. */
  get isCautious(): boolean {
    return this.#codeBefore !== undefined && this.#codes.length < cautiousWindowSize;
  }

  note(code: string | undefined, detail: string): FailureSurge | undefined {
    this.#codes[this.#next] = code;
    this.#next = (this.#next + 1) % windowSize;
    const of = this.#codes.length;
    const isReached = of === windowSize || (of === cautiousWindowSize && code === this.#codeBefore);
    if (code === undefined || this.#shareMax >= 1 || !isReached) return undefined;
    const share = this.#codes.filter((other) => other === code).length / of;
    return share > this.#shareMax ? { code, detail, share, of } : undefined;
  }
}

/** Totals of a failure surge in the store, once everything in flight has its answer. */
export interface SurgeFacts extends Refusals {
  /** Age that all messages that failed with the code exceed, if nothing contradicts it as the reason. */
  readonly olderThanDays: number | undefined;
}

/**
 * Builds the error for a run that stopped at a failure surge: it states how many messages were refused, how many are
 * pending, and the options with which one further command completes the import.
 */
export function surgeError({ code, detail, share, of }: FailureSurge, facts: SurgeFacts): DestinationError {
  const { failed, pending, pendingOld, olderThanDays: days } = facts;
  const all = `${formatCount(failed)} of ${formatCount(failed + facts.arrived + pending)} messages failed with it`;
  const never = '--max-failures 100%';
  const leaveOut = `--retention-days ${days}`;
  return new DestinationError(
    `Stopped: the destination refused ${Math.round(share * 100)} % of the last ${of} messages with ${code}: ${detail}`,
    {
      code,
      goOn: days === undefined ? [never] : [leaveOut, never],
      hint:
        days === undefined
          ? `${all}, ${formatCount(pending)} are still to be sent: put the cause right and run the same command again, or go on with ${never}`
          : `${all}, all of them older than ${days} days, as are ${formatCount(pendingOld)} of the ${formatCount(pending)} still to be sent: leave those out with ${leaveOut} (or messages.olderThan in the mapping), or go on with ${never}`,
    },
  );
}

type NotApplied = Extract<ImportOutcome, { kind: 'not-applied' }>;

/** Whether no request of this run can succeed. A request that is not acceptable in its current form, or not now, is another matter. */
export const isStop = (outcome: ImportOutcome): outcome is NotApplied =>
  outcome.kind === 'not-applied' && outcome.why !== 'rejected' && outcome.why !== 'too-large' && !outcome.isPassing;

export const stopError = (outcome: NotApplied): DestinationError =>
  new DestinationError(`Stopped: ${outcome.code}: ${outcome.detail}`, {
    code: outcome.code,
    requestId: outcome.requestId,
    needsPerson: outcome.needsPerson,
    hint: outcome.hint ?? hintOf[outcome.why],
  });

const hintOf: Readonly<Record<NotAppliedWhy, string>> = {
  unreachable: 'Check the address and the network, then run the same command again',
  'rate-limited': 'The destination asks for a long wait; run the same command again later',
  stop: 'Check the API key and the plan of the destination, then run the same command again',
  rejected: 'See the report, fix the cause, then run the same command again',
  'too-large': 'Pass a smaller --batch-bytes, then run the same command again',
};

export type FailureWords = Pick<Failure, 'code' | 'detail' | 'status'>;

/**
 * Builds the error for messages that remain without an answered request, when nothing shows whether they are the cause.
 *
 * @param areOthersAnswered Whether requests without them were answered in this run.
 */
export function unansweredError(
  rows: readonly Pick<LaneRow, 'muid'>[],
  { code, detail }: FailureWords,
  areOthersAnswered = false,
): DestinationError {
  const [{ muid }] = rows as [LaneRow];
  const what = areOthersAnswered
    ? `the destination answers no import with ${rows.length === 1 ? 'the message that is' : `the ${formatCount(rows.length)} messages that are`} left, and nothing else remains to be sent that could show whether it works`
    : 'the destination answers no import any more';
  return new DestinationError(`Stopped: ${what}: ${code}: ${detail}`, {
    code,
    hint:
      `Run the same command again when the service answers. If it never does: "chatferry explain ${muid}" shows the first message, ` +
      `"chatferry retry --one-by-one" sends each such message alone and gives up those that stay unanswered, ` +
      `"chatferry import EXPORT --only -id:${muid}" leaves it out`,
  });
}

export const dayMs = 86_400_000;

/**
 * Builds the error for a destination that seems to take nothing older than some time.
 *
 * @param refusedMs Time of the newest message that was not taken. `storedMs`: that of the oldest one that was.
 */
export function tooOldError(found: {
  readonly refusedMs: number;
  readonly storedMs: number;
  readonly nowMs: number;
}): DestinationError {
  const [refusedDays, storedDays] = [found.refusedMs, found.storedMs].map((ms) => (found.nowMs - ms) / dayMs) as [
    number,
    number,
  ];
  // Services keep messages for whole days.
  const days = Math.floor(refusedDays) >= storedDays ? Math.floor(refusedDays) : Math.ceil(storedDays);
  const [refused, stored] = [found.refusedMs, found.storedMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  const leaveOut = `--retention-days ${days}`;
  return new DestinationError(
    `Stopped: the destination seems to refuse messages before ${stored}: it stored one of that day, and none of ${refused} or before`,
    {
      code: 'too-old',
      goOn: [leaveOut],
      hint: `Leave older messages out with ${leaveOut} (or messages.olderThan in the mapping), or ask the service to keep messages longer`,
    },
  );
}

/** Lanes that could not be opened, because the destination no longer has what was sent there. */
export function parkedError(parked: readonly Lane[]): DestinationError | undefined {
  const [first] = parked;
  if (!first) return undefined;
  const pendingCount = parked.reduce((sum, lane) => sum + lane.pendingCount, 0);
  return new DestinationError(
    `Left out ${parked.length === 1 ? 'a conversation' : `${formatCount(parked.length)} conversations`} with ${formatCount(pendingCount)} pending messages: the last message that was sent there is gone from the destination (the first is "${first.sourceId}")`,
    {
      code: 'last-message-gone',
      hint: 'Was the destination emptied or restored to an older state? "chatferry verify" shows the missing messages, "chatferry reconcile EXPORT" sets them to pending again',
    },
  );
}

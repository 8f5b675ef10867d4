import { formatCount } from '../../lib/count.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { Failure, ImportOutcome, NotAppliedWhy } from '../../service/client/answers/outcome.ts';
import type { Lane } from './lanes.ts';

/** How many of the latest answered messages are looked at. */
const windowSize = 200;

/**
 * Stops a run in which one refusal code has taken over: a wrong setting shows in the first messages, not after all of them.
 *
 * @param shareMax More than this part of the last 200 answered messages refused with one code stops; 1 never does.
 */
export class RefusalWatch {
  readonly #shareMax: number;
  /** Codes of the last answered messages; undefined for good ones. A ring. */
  readonly #codes: (string | undefined)[] = [];
  #next = 0;

  constructor(shareMax: number) {
    this.#shareMax = shareMax;
  }

  /** @throws DestinationError */
  note(code: string | undefined, detail: string): void {
    this.#codes[this.#next] = code;
    this.#next = (this.#next + 1) % windowSize;
    if (code === undefined || this.#shareMax >= 1 || this.#codes.length < windowSize) return;
    const share = this.#codes.filter((other) => other === code).length / windowSize;
    if (share <= this.#shareMax) return;
    throw new DestinationError(
      `Stopped: the destination refused ${Math.round(share * 100)} % of the last ${windowSize} messages with ${code}: ${detail}`,
      {
        code,
        hint: 'Look at the report, fix the cause, and run the same command again; --max-refused 100% never stops',
      },
    );
  }
}

type NotApplied = Extract<ImportOutcome, { kind: 'not-applied' }>;

/** Nothing of this run can succeed; a request that is not acceptable as it stands, or not now, is another matter. */
export const isStop = (outcome: ImportOutcome): outcome is NotApplied =>
  outcome.kind === 'not-applied' && outcome.why !== 'rejected' && outcome.why !== 'too-large' && !outcome.isPassing;

export const stopError = (outcome: NotApplied): DestinationError =>
  new DestinationError(`Stopped: ${outcome.code}: ${outcome.detail}`, {
    code: outcome.code,
    requestId: outcome.requestId,
    hint: outcome.hint ?? hintOf[outcome.why],
  });

const hintOf: Readonly<Record<NotAppliedWhy, string>> = {
  unreachable: 'Check the address and the network, then run the same command again',
  'rate-limited': 'The destination asks for a long wait; run the same command again later',
  stop: 'Check the API key and the plan of the destination, then run the same command again',
  rejected: 'Look at the report, fix the cause, then run the same command again',
  'too-large': 'Pass a smaller --batch-bytes, then run the same command again',
};

/** What was said of a failure. */
export type FailureWords = Pick<Failure, 'code' | 'detail'>;

/** Requests fail whatever is in them. `muid` names one of the messages that were tried. */
export const silentError = (muid: string, { code, detail }: FailureWords): DestinationError =>
  new DestinationError(`Stopped: the destination answers no import any more: ${code}: ${detail}`, {
    code,
    hint: `Run the same command again when the service answers; if it never does, look at "chatferry explain ${muid}"`,
  });

/** Lanes that could not be opened, because the destination no longer has what was sent there. */
export function parkedError(parked: readonly Lane[]): DestinationError | undefined {
  const [first] = parked;
  if (!first) return undefined;
  const pendingCount = parked.reduce((sum, lane) => sum + lane.pendingCount, 0);
  return new DestinationError(
    `Left out ${parked.length === 1 ? 'a conversation' : `${formatCount(parked.length)} conversations`} with ${formatCount(pendingCount)} pending messages: the last message that was sent there is gone from the destination (the first is "${first.sourceId}")`,
    {
      code: 'last-message-gone',
      hint: 'Was the destination emptied or put back to an older state? "chatferry verify" shows what is missing there, "chatferry reconcile EXPORT" puts it back to pending',
    },
  );
}

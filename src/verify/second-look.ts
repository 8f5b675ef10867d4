import type { AbsentMessage } from '../checkpoint/repair/listed-messages.ts';
import type { Store } from '../checkpoint/base/store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Profile } from '../service/profiles.ts';
import type { ConversationCheck } from './conversation-check.ts';
import type { Findings } from './findings.ts';
import type { Reading, Window } from './reading.ts';

export interface LookAgainOptions {
  readonly findings: Findings;
  readonly reading: Reading;
  readonly profile: Pick<Profile, 'graceLongMs'>;
  readonly clock: Clock;
  readonly onWait: (ms: number, why: string) => void;
  /** The latest batch of which the destination shows something. Without it, anything recent may be shown late. */
  readonly newestShown?: number;
  readonly signal: AbortSignal;
}

export interface LookOptions extends Omit<LookAgainOptions, 'profile' | 'clock' | 'onWait' | 'newestShown'> {
  readonly number: number;
  /** Messages of the whole conversation, about. */
  readonly listedCount: number;
}

/** Between two looks at least, where the destination has a grace at all. Doubled for every further one. */
const firstWaitMs = 5_000;
/** The most rows of a page. */
const pageRows = 1000;
/** Absent messages that are nearer to each other are looked for in one window. 10 min, in seconds. */
const gapSeconds = 600;

/**
 * Looks for absent messages again, at least once more: a destination may show them late.
 *
 * How late is the grace, counted from the last request that carried one of them. Where something of a later request is
 * already shown, lateness is no explanation, and one more look is enough.
 */
export async function lookAgain(store: Store, checks: readonly ConversationCheck[], options: LookAgainOptions) {
  if (checks.length === 0) return;
  const { findings, profile, clock, onWait, newestShown = 0, signal } = options;
  const { graceLongMs } = profile;
  const lastMs = latest(checks, ({ lane }) => findings.absent.lastAttemptMs(lane.conversation, newestShown));
  const leftMs = Math.min(Math.max(lastMs + graceLongMs - clock.now(), 0), graceLongMs);
  const endsAt = clock.monotonic() + leftMs;
  let absent = checks;
  let waitMs = Math.min(firstWaitMs, graceLongMs);
  for (let look = 1; ; look++) {
    const left = endsAt - clock.monotonic();
    // The last look is at the end of the grace, not beyond it.
    const until = left > 0 ? Math.min(waitMs, left) : waitMs;
    if (until > 0) {
      onWait(until, 'messages that were not found may still be shown');
      await clock.sleep(until, signal);
    }
    waitMs *= 2;
    for (const check of absent)
      await lookAt(store, check, { ...options, number: look, listedCount: check.listedCount });
    absent = absent.filter(({ lane }) => findings.absent.count(lane.conversation) > 0);
    if (absent.length === 0 || clock.monotonic() >= endsAt) return;
  }
}

const latest = <T>(things: readonly T[], timeOf: (thing: T) => number): number =>
  things.reduce((last, thing) => Math.max(last, timeOf(thing)), 0);

/** One look for what is still absent of a conversation. */
export async function lookAt(
  store: Store,
  check: ConversationCheck,
  { findings, reading, signal, number, listedCount }: LookOptions,
): Promise<void> {
  const { absent } = findings;
  const { conversation } = check.lane;
  for (const window of windowsOf(check, listedCount, findings)) {
    for await (const page of reading.pages(check, signal, window)) {
      store.db.transaction(() => {
        for (const listed of page) {
          const message = check.messageOf(listed);
          if (message === undefined || !absent.isSought(conversation, message, number)) continue;
          check.compareAgain(listed);
          absent.found(conversation, message, number);
        }
      })();
    }
  }
}

/** Around each absent message, where that takes fewer requests than reading from the first of them to the last. */
function* windowsOf({ lane }: ConversationCheck, listedCount: number, { absent }: Findings): Generator<Window> {
  const { conversation } = lane;
  const isSparse = absent.count(conversation) < listedCount / pageRows;
  let open: { from: number; to: number } | undefined;
  let last: AbsentMessage | undefined;
  for (;;) {
    const rows = absent.inOrder(conversation, last, pageRows);
    for (const { sent_at } of rows) {
      const second = Math.floor(sent_at / 1000);
      if (open && isSparse && second - open.to > gapSeconds) {
        yield windowOf(open);
        open = undefined;
      }
      open = { from: open?.from ?? second, to: second };
    }
    last = rows.at(-1);
    if (!last) break;
  }
  if (open) yield windowOf(open);
}

/** One second of room on both sides: whether the bounds are inclusive is not specified. */
const windowOf = ({ from, to }: { readonly from: number; readonly to: number }): Window => ({
  fromTimestamp: from - 1,
  toTimestamp: to + 1,
});

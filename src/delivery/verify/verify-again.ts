import type { AbsentMessage } from '../../store/checks.ts';
import { type Window, windowAround } from '../read-back.ts';
import type { ConversationCheck } from './conversation-check.ts';
import type { Reading } from './reading.ts';

/** Minimum wait between two looks, if the destination has a grace. Doubled for every further one. */
const firstWaitMs = 5_000;
/** The most rows of a page. */
const pageRows = 1000;
/** Absent messages that are nearer to each other are looked for in one window. 10 min, in seconds. */
const gapSeconds = 600;

/**
 * Looks for absent messages again, at least once more: a destination may show them late.
 *
 * How late is the grace, counted from the last request that sent one of them. If something of a later request is
 * already shown, lateness does not explain the absence, and one more look is enough.
 *
 * @param newestShown The latest batch of which the destination shows something. Without it, anything recent may be
 *   shown late.
 */
export async function verifyAgain(
  reading: Reading,
  checks: readonly ConversationCheck[],
  newestShown = 0,
): Promise<void> {
  if (checks.length === 0) return;
  const { findings, target, clock, onWait, signal } = reading;
  const { graceLongMs } = target.profile;
  const lastMs = latest(checks, ({ lane }) => findings.absent.lastAttemptMs(lane.conversation, newestShown));
  const leftMs = Math.min(Math.max(lastMs + graceLongMs - clock.now(), 0), graceLongMs);
  const endsAt = clock.monotonic() + leftMs;
  let absent = checks;
  let waitMs = Math.min(firstWaitMs, graceLongMs);
  for (let pass = 1; ; pass++) {
    const left = endsAt - clock.monotonic();
    // The last look is at the end of the grace, not beyond it.
    const until = left > 0 ? Math.min(waitMs, left) : waitMs;
    if (until > 0) {
      onWait(until, 'messages that were not found may still be shown');
      await clock.sleep(until, signal);
    }
    waitMs *= 2;
    for (const check of absent) await checkOnce(reading, check, { number: pass, listedCount: check.listedCount });
    absent = absent.filter(({ lane }) => findings.absent.count(lane.conversation) > 0);
    if (absent.length === 0 || clock.monotonic() >= endsAt) return;
  }
}

const latest = <T>(things: readonly T[], timeOf: (thing: T) => number): number =>
  things.reduce((last, thing) => Math.max(last, timeOf(thing)), 0);

/** One look for what is still absent of a conversation. `listedCount`: messages of the whole conversation, about. */
export async function checkOnce(
  reading: Reading,
  check: ConversationCheck,
  { number, listedCount }: { readonly number: number; readonly listedCount: number },
): Promise<void> {
  const { absent } = reading.findings;
  const { conversation } = check.lane;
  for (const window of windowsOf(check, listedCount, absent)) {
    for await (const page of reading.pages(check, window)) {
      reading.store.transaction(() => {
        for (const listed of page) {
          const message = check.ownMessage(listed);
          if (message === undefined || !absent.isSought(conversation, message, number)) continue;
          check.compareAgain(listed);
          absent.found(conversation, message, number);
        }
      })();
    }
  }
}

/** Yields windows around each absent message if that takes fewer requests than reading from the first to the last of them. */
function* windowsOf(
  { lane }: ConversationCheck,
  listedCount: number,
  absent: Reading['findings']['absent'],
): Generator<Window> {
  const { conversation } = lane;
  const isSparse = absent.count(conversation) < listedCount / pageRows;
  let open: { readonly fromMs: number; readonly toMs: number } | undefined;
  let last: AbsentMessage | undefined;
  for (;;) {
    const rows = absent.inOrder(conversation, last, pageRows);
    for (const { sent_at: atMs } of rows) {
      if (open && isSparse && secondOf(atMs) - secondOf(open.toMs) > gapSeconds) {
        yield windowAround(open.fromMs, open.toMs);
        open = undefined;
      }
      open = { fromMs: open?.fromMs ?? atMs, toMs: atMs };
    }
    last = rows.at(-1);
    if (!last) break;
  }
  if (open) yield windowAround(open.fromMs, open.toMs);
}

const secondOf = (ms: number) => Math.floor(ms / 1000);

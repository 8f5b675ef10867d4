import {
  type conversationPutter,
  forgetConversation,
  forgetPerson,
  type UndoCall,
  type undoCallWriter,
} from '../../checkpoint/repair/undo.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { DestinationError } from '../../lib/errors.ts';
import type { ChangeOutcome } from '../../service/client/answers/outcome.ts';
import type { Line } from '../../upload/line.ts';
import { backoff } from '../../upload/pace/backoff.ts';
import type { Subject } from './subjects.ts';

export interface TakeBackOptions extends Line {
  readonly store: Store;
  readonly note: ReturnType<typeof undoCallWriter>;
  readonly putBack: ReturnType<typeof conversationPutter>;
  /** When (monotonic ms) what an earlier run sent can no longer be applied. */
  readonly earlierGraceEndsAt: number;
}

/** Requests for one subject, at most; each but the last ended without an answer. */
const requestsMax = 3;
/** So long at least it may take until what was deleted is no longer listed, in ms. */
const vanishMs = 10_000;

/**
 * Takes one conversation or person back: looks at it, commits the intent, sends the request, and looks again. Resumes
 * where a kill left it; what cannot be taken back as ours alone is left.
 *
 * A request without an answer may still be applied: nothing goes on with its subject before the grace has passed, so
 * that it cannot take away what is imported later.
 *
 * @throws DestinationError if the service cannot be asked, or does not do what it says.
 */
export async function takeBack(
  call: UndoCall,
  subject: Subject,
  options: TakeBackOptions,
  signal: AbortSignal,
): Promise<void> {
  const { note, clock, target } = options;
  if (call.state === 'gone') return finish(call, options);
  let isAsked = call.state === 'sent';
  let graceEndsAt = isAsked ? options.earlierGraceEndsAt : clock.monotonic();
  for (let requests = 0; ; ) {
    await waitUntil(graceEndsAt, options, signal);
    const standing = await subject.look(signal);
    if (standing.is === 'gone' && isAsked) return finish(call, options);
    if (!isAsked && (standing.is === 'gone' || standing.is === 'emptied'))
      return note(call.id, 'left', { reason: 'not-listed' });
    if (standing.is === 'left') return note(call.id, 'left', standing.objection);
    if (requests++ === requestsMax) throw unanswered(call);
    note(call.id, 'sent', { sentAtMs: clock.now() });
    const outcome = await remove(subject, options, signal);
    if (outcome.kind === 'applied') {
      await vanished(call, subject, options, signal);
      return finish(call, options);
    }
    if (outcome.kind === 'not-applied') {
      note(call.id, 'planned');
      if (outcome.why !== 'rejected' && outcome.why !== 'too-large') throw stopped(outcome);
      return note(call.id, 'left', { reason: 'refused', detail: `${outcome.code}: ${outcome.detail}` });
    }
    isAsked = true;
    graceEndsAt = clock.monotonic() + target.profile.graceLongMs;
  }
}

/** One request; again where it surely changed nothing and more attempts may help. */
async function remove(subject: Subject, line: Line, signal: AbortSignal) {
  const { pace, clock, random, counts, attemptsMax, onWait } = line;
  for (let attempt = 1; ; attempt++) {
    await pace.take('read', signal);
    const outcome = await subject.remove(signal);
    pace.learn('read', outcome.hints);
    const isPassing =
      outcome.kind === 'not-applied' && (outcome.why === 'rate-limited' || outcome.why === 'unreachable');
    if (!isPassing || attempt >= attemptsMax || signal.aborted) return outcome;
    if (outcome.why === 'rate-limited') {
      counts.rateLimited++;
      pace.hold('read', outcome.retryAfterMs ?? 0);
    }
    counts.retried++;
    const waitMs = outcome.retryAfterMs ?? backoff(attempt + 1, random());
    onWait(waitMs, `${outcome.code}: ${outcome.detail}`);
    await clock.sleep(waitMs, signal);
  }
}

/** Resolves when nothing of the subject is to be seen any more. */
async function vanished(call: UndoCall, subject: Subject, line: Line, signal: AbortSignal): Promise<void> {
  const { clock, random, target } = line;
  const endsAt = clock.monotonic() + Math.max(target.profile.graceLongMs, vanishMs);
  for (let looks = 1; ; looks++) {
    const standing = await subject.look(signal);
    if (standing.is === 'gone') return;
    if (clock.monotonic() >= endsAt) throw stillThere(call);
    await clock.sleep(backoff(looks + 1, random()), signal);
  }
}

async function waitUntil(at: number, { clock, onWait }: Line, signal: AbortSignal): Promise<void> {
  const waitMs = at - clock.monotonic();
  if (waitMs <= 0) return;
  onWait(waitMs, 'a request to delete may still be applied');
  await clock.sleep(waitMs, signal);
}

/** It is gone: its messages are pending again. */
function finish({ id, kind, subject }: UndoCall, { store, target, note, putBack }: TakeBackOptions): void {
  note(id, 'gone');
  if (kind !== 'person') putBack(subject);
  store.db
    .transaction(() => {
      if (kind === 'person') forgetPerson(store.db, target.id, subject);
      else forgetConversation(store.db, target.id, subject);
      note(id, 'done');
    })
    .immediate();
}

const again = 'Run the same command again: it finds out what is gone';

const unanswered = ({ kind }: UndoCall) =>
  new DestinationError(`Stopped: the destination answered none of ${requestsMax} requests to take back one ${kind}`, {
    code: 'no_answer',
    hint: again,
  });

const stillThere = ({ kind }: UndoCall) =>
  new DestinationError(`Stopped: the destination says that it took back a ${kind}, and it is still there`, {
    code: 'still-there',
    hint: again,
  });

const stopped = ({ code, detail, hint, requestId }: Extract<ChangeOutcome, { kind: 'not-applied' }>) =>
  new DestinationError(`Stopped: ${code}: ${detail}`, { code, requestId, hint: hint ?? again });

import { followUpMuid } from '../mapping/ids.ts';
import { isMarkedDeleted, type StagedRow } from '../model/staged-item.ts';
import type { Existing, VanishedMessage } from '../store/messages.ts';
import type { Store } from '../store/open.ts';
import { changeKind, followUpPayload } from '../mapping/payload.ts';
import { type ChangeKind, type DriftPolicy, goneDigest } from '../model/change.ts';
import type { PlanRules } from './plan-options.ts';

export interface DriftOptions {
  readonly policy: DriftPolicy;
  readonly nowMs: number;
  /** Number of the plan. */
  readonly plan: number;
  /** Bytes of `data` that the destination takes. */
  readonly dataBytesMax: number | undefined;
}

/** A version of a message that is another since, and the one of now. */
export type NotedVersion = Pick<Existing, 'seq' | 'vanished' | 'editedAtMs' | 'recordDigest' | 'facts' | 'payload'>;
export type NewVersion = Pick<
  StagedRow,
  'muid' | 'sentAtMs' | 'recordDigest' | 'editedAtMs' | 'facts' | 'payload' | 'part'
>;

/** A change of one message, whatever noticed it. */
interface Change {
  readonly seq: number;
  readonly muid: string;
  readonly kind: ChangeKind;
  readonly digestBefore: string;
  readonly digest: string;
  readonly sentAtMs: number;
  readonly before: string | null;
  readonly after: string | null;
  /** Whether anything may be sent about it. */
  readonly isTold: boolean;
  /** After the change the message is gone, and that may have been noted before. */
  readonly isGone?: boolean;
  /** It was marked as deleted, and still is: what is to be said of it stays. */
  readonly isStillDeleted?: boolean;
  /** Destinations concerned; default: all that may have the message. */
  readonly places?: readonly number[] | undefined;
}

/**
 * Notes changes at the source after messages were sent, for each destination that may have the message, and stages the
 * follow-ups to send. Everything is written in the transaction of the change itself: a kill neither loses nor repeats
 * it.
 */
export class DriftNotes {
  readonly #options: DriftOptions;
  readonly #store: Store;
  readonly #rows: Store['messages'];

  constructor(store: Store, options: DriftOptions) {
    this.#store = store;
    this.#options = options;
    this.#rows = store.messages;
  }

  /**
   * Notes another version of a message.
   *
   * @param places Destinations that do not have it yet; default: all that may have the message.
   */
  changed(row: NewVersion, old: NotedVersion, places?: readonly number[]): void {
    if (isFurtherPart(row)) return;
    const isStillDeleted = isMarkedDeleted(row) && isMarkedDeleted(old);
    // It vanished, and what came back says the same of it as what had gone.
    if (isStillDeleted && old.vanished === 1) return;
    const kind = changeKind(old, row, (uid) => this.#store.people.nameOfUid(uid));
    // One that moves to another file may have vanished in this very plan, which has noted nothing of that yet.
    const isGone = isMarkedDeleted(row) && old.vanished === 1;
    this.#note({ ...toChange(row, old), kind, isTold: !isStillDeleted, isStillDeleted, isGone, places });
  }

  /** Notes that a message is in the export again. */
  back(row: NewVersion, old: NotedVersion): void {
    if (isFurtherPart(row) || isMarkedDeleted(row)) return;
    this.#note({ ...toChange(row, old), kind: 'restored', digestBefore: goneDigest, isTold: true });
  }

  /** At the end of a plan: messages that their files no longer hold. */
  vanished(): void {
    for (const page of this.#rows.drift.vanished()) for (const message of page) this.#note(toDeletion(message));
  }

  #note(change: Change): void {
    const { policy, nowMs, plan } = this.#options;
    const places = change.places ?? this.#rows.drift.places(change.seq);
    const news = places.filter((place) => this.#isNews(change, place));
    const owed = change.isTold ? places.filter((place) => this.#isOwed(change, place)) : [];
    const told = policy === 'send' && change.isTold ? news.filter((place) => this.#isUntold(change, place)) : [];
    if (news.length + owed.length === 0) return;
    const isVoid = (place: number) => told.includes(place) || !isLess(change) || !this.#isUntold(change, place);
    const unsent = news.filter(isVoid).flatMap((place) => this.#rows.followUps.withdraw(change.seq, place));
    this.#rows.followUps.dropUnoffered(change.seq);
    const followUp = told.length + owed.length > 0 ? this.#stage(change, unsent) : null;
    for (const destination of news) {
      const said = { destination, message: change.seq, followUp: told.includes(destination) ? followUp : null };
      const { kind, digestBefore, digest } = change;
      this.#rows.drift.note({ ...said, kind, digestBefore, digest, policy, seenAtMs: nowMs, plan });
      if (said.followUp !== null) this.#rows.followUps.offer(said.followUp, destination);
    }
    for (const destination of followUp === null ? [] : owed) {
      this.#rows.drift.tell(change.seq, destination, followUp!);
      this.#rows.followUps.offer(followUp!, destination);
    }
  }

  /** Returns whether to note that a message is gone, or back: only if the last note differs. */
  #isNews({ seq, isGone, digestBefore }: Change, destination: number): boolean {
    if (isGone) return !this.#rows.drift.isNotedGone(seq, destination);
    return digestBefore !== goneDigest || this.#rows.drift.isNotedGone(seq, destination);
  }

  /** Returns whether the message was noted as gone while that was not certain, and a report is still due. */
  #isOwed(change: Change, destination: number): boolean {
    return (
      change.isGone === true && this.#rows.drift.isOwed(change.seq, destination) && this.#isUntold(change, destination)
    );
  }

  /**
   * Returns whether a report is due. It is not if the message again matches the last report, or, if nothing was
   * reported, the version that was sent.
   */
  #isUntold({ seq, digest, kind }: Change, destination: number): boolean {
    const told = this.#rows.followUps.latestLeft(seq, destination);
    if (!told) return this.#rows.drift.sentDigest(seq, destination) !== digest;
    if (told.state === 'failed') return true;
    return kind === 'deleted' ? told.change !== 'deleted' : told.digest !== digest;
  }

  /** @param unsent Payloads of those that it replaces. */
  #stage({ seq, muid: follows, digest, kind, before, after, sentAtMs }: Change, unsent: readonly string[]) {
    const muid = this.#findFreeMuid(follows, digest);
    const { dataBytesMax } = this.#options;
    const payload = followUpPayload({ kind, muid, follows, before, after, sentAtMs, unsent, dataBytesMax });
    return payload === undefined ? null : this.#rows.followUps.stage({ follows: seq, muid, payload });
  }

  /** The first that no message has: one that was sent keeps its own. */
  #findFreeMuid(follows: string, digest: string): string {
    for (let number = 1; ; number++) {
      const muid = followUpMuid(follows, digest, number);
      if (!this.#rows.followUps.isTaken(muid)) return muid;
    }
  }
}

/** For the plan that is being made. */
export const buildDriftNotes = (store: Store, { drift = 'report', nowMs, profile }: PlanRules): DriftNotes =>
  new DriftNotes(store, {
    policy: drift,
    nowMs,
    plan: store.facts.planNumber(),
    dataBytesMax: profile.limits.dataBytesMax,
  });

const isFurtherPart = ({ part }: NewVersion): boolean => part !== undefined && part > 1;

/** Returns whether a report of an earlier change is still true after this one. */
const isLess = ({ kind, after, isStillDeleted }: Change): boolean =>
  isStillDeleted === true || ((kind === 'reactions' || kind === 'changed') && after !== null);

const toChange = (row: NewVersion, old: NotedVersion) => ({
  seq: old.seq,
  muid: row.muid!,
  sentAtMs: row.sentAtMs!,
  digestBefore: old.recordDigest!,
  digest: row.recordDigest!,
  before: old.payload,
  after: row.payload,
});

/** Nothing is sent about one of which only a damaged file says that it is gone, or that the mapping leaves out by now. */
const toDeletion = ({ isUnconfirmed, verdict, ...message }: VanishedMessage): Change => ({
  seq: message.seq,
  muid: message.muid,
  sentAtMs: message.sentAtMs,
  kind: 'deleted',
  digestBefore: message.digest,
  digest: goneDigest,
  before: message.payload,
  after: null,
  isTold: isUnconfirmed === 0 && verdict === 'planned',
  isGone: true,
});

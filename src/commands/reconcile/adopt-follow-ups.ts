import type { Store } from '../../checkpoint/base/store.ts';
import {
  adoptedRows,
  type AdoptingMessage,
  type Followed,
  type UnknownThere,
} from '../../checkpoint/repair/adopted-rows.ts';
import { hadAttemptReader, reconcileWriter } from '../../checkpoint/repair/reconcile-rows.ts';
import { driftRows, goneDigest, unknownDigest } from '../../checkpoint/staging/drift-rows.ts';
import { payloadOf, type PayloadView } from '../../mapping/message/change-kind.ts';
import { followUpMuid } from '../../mapping/message/follow-up.ts';
import type { DriftNotes, NotedVersion } from '../../plan/drift-notes.ts';
import type { Lane } from '../../upload/lanes/lanes.ts';
import { unknownCollector } from './absent.ts';
import type { ThereReader } from './reader.ts';

export interface AdoptOptions {
  readonly store: Store;
  readonly destination: number;
  readonly run: number;
  readonly there: ThereReader;
  readonly nowMs: number;
  /** Number of the plan. */
  readonly plan: number;
  readonly notes: DriftNotes;
}

/**
 * For a conversation that shows what these books do not know: follow-ups of its messages are written down, each message of
 * which one speaks as it stands there, and as drift what they say. Where a message is another by now than the latest of
 * them told, that is noted like any change which a plan notices.
 *
 * A follow-up proves that its message was changed at the source after it was sent. Without one, other content under our
 * muid is nobody's that we know.
 *
 * @returns How many messages were written down; then the conversation has to be looked at again.
 */
export function followUpAdopter({ store, destination, run, there, nowMs, plan, notes }: AdoptOptions) {
  const unknown = unknownCollector(store, there);
  const rows = adoptedRows(store.db, destination);
  const drift = driftRows(store.db);
  const write = reconcileWriter(store.db, destination, run);
  const hadAttempt = hadAttemptReader(store.db, destination);

  const found = (seq: number, { serverId }: UnknownThere, more: { isLate?: boolean; payload?: string }) =>
    write.found({ seq, state: hadAttempt(seq) ? 'imported' : 'present', serverId, isLate: false, ...more });

  /** A message and its further parts, as they stand there. */
  function adoptVersions(lane: Lane, { seq, muid: planned, sender }: AdoptingMessage, muid: string): number {
    const versions = unknown.versions(lane.conversation, muid).filter((version) => version.sender === sender);
    for (const version of versions) {
      const { payload } = version;
      const known = version.part === null ? seq : rows.find(version.muid)?.seq;
      if (known !== undefined) {
        found(known, version, { payload });
        continue;
      }
      const partMuid = planned + version.muid.slice(muid.length);
      const added = rows.addPart(seq, partMuid, { ...version, part: version.part! });
      // Of a later generation, as its message.
      if (partMuid !== version.muid) write.pending(added, write.generationOf(seq), version.muid);
      found(added, version, {});
    }
    return versions.length;
  }

  /** The version of which a follow-up tells: the one of now, one that was noted, or one that nobody here knows. */
  function digestOf(
    { seq, muid: planned, recordDigest }: AdoptingMessage,
    { muid }: UnknownThere,
    count: number,
  ): string {
    const digests = [recordDigest, goneDigest, ...drift.digests(seq, destination)];
    for (let number = 1; number <= count; number++) {
      const digest = digests.find((each) => followUpMuid(planned, each, number) === muid);
      if (digest !== undefined) return digest;
    }
    return unknownDigest;
  }

  function adoptFollowUp(message: AdoptingMessage, followUp: UnknownThere, wasNoted: boolean): void {
    const seq = rows.addFollowUp(message.seq, followUp);
    found(seq, followUp, { isLate: followUp.sortKey === null || rows.sharesPlace(seq) });
    if (!isThere(message)) return;
    const digest = digestOf(message, followUp, rows.followUpCount(message.seq) + numbersSpare);
    const said = { destination, message: message.seq, digest, followUp: seq };
    if (wasNoted) drift.link(said);
    else {
      const digestBefore = drift.digests(message.seq, destination).at(-1) ?? unknownDigest;
      drift.note({ ...said, kind: followUp.change!, digestBefore, policy: 'send', seenAtMs: nowMs, plan });
    }
  }

  /** What has changed since the latest follow-up of a message. */
  function noteSince(lane: Lane, message: AdoptingMessage, followed: Followed): void {
    const told = drift.digests(message.seq, destination).at(-1);
    if (told === undefined || told === message.recordDigest || drift.whereItMayBe(message.seq).length > 1) return;
    const latest = unknown.latestFollowUp(lane.conversation, followed);
    const old = toldVersion(message, rows.payloadThere(message.seq), latest);
    if (told === goneDigest) notes.back(message, old);
    else notes.changed(message, old);
  }

  /** The message of the books of which a follow-up speaks: of this conversation, and by the same person. */
  const messageOf = ({ conversation }: Lane, { about, sender }: Followed): AdoptingMessage | undefined => {
    const message = rows.find(about);
    return message?.conversation === conversation && message.sender === sender ? message : undefined;
  };

  const adopt = store.db.transaction((lane: Lane): number => {
    const followed = unknown.followed(lane.conversation);
    /** Of which an older copy of the store noted changes. */
    const noted = new Set<number>();
    let count = 0;
    for (const each of followed) {
      const message = messageOf(lane, each);
      if (!message) continue;
      if (drift.digests(message.seq, destination).length > 0) noted.add(message.seq);
      if (!isThere(message)) count += adoptVersions(lane, message, each.about);
    }
    for (const followUp of unknown.followUps(lane.conversation)) {
      const message = messageOf(lane, followUp);
      // One that is there twice is written down once.
      if (!message || rows.find(followUp.muid)) continue;
      adoptFollowUp(message, followUp, noted.has(message.seq));
      count++;
    }
    for (const each of followed) {
      const message = messageOf(lane, each);
      if (message && isThere(message) && !noted.has(message.seq)) noteSince(lane, message, each);
    }
    return count;
  });

  return async (lane: Lane): Promise<number> => {
    await unknown.collect(lane);
    const count = adopt.immediate(lane);
    unknown.clear(lane.conversation);
    if (count > 0) there.renew();
    return count;
  };
}

/** Some that were sent may be gone. */
const numbersSpare = 3;

const isThere = ({ state }: AdoptingMessage) => state === 'imported' || state === 'present';

/** As a follow-up begins, before the text that it repeats. */
const announcement = /^(?:Edited|Changed|Restored at the source) \(message of [^)]*\): /;

/**
 * The version of a message that a destination was told of last, as far as it shows: the message as it was sent, with the
 * text of its latest follow-up where that has one.
 *
 * @param sent Payload as it stands there, JSON; the staged one where it is null.
 */
function toldVersion(
  { seq, editedAtMs, payload }: AdoptingMessage,
  sent: string | null,
  { payload: followUp, change }: UnknownThere,
): NotedVersion {
  const { text, metadata } = payloadOf(followUp).data;
  const version = sent ?? payload;
  const repeated = announcement.exec(text)?.[0];
  return {
    seq,
    vanished: 0,
    editedAtMs,
    recordDigest: unknownDigest,
    facts: change === 'deleted' ? '{"deleted":1}' : null,
    payload:
      version === null || repeated === undefined ? version : edited(version, text.slice(repeated.length), metadata),
  };
}

/** With another text, and the time of edit that the follow-up names. */
function edited(
  payload: string,
  text: string,
  { chatferry: { edited } = {} }: PayloadView['data']['metadata'],
): string {
  const { data, ...rest } = payloadOf(payload);
  const chatferry = { ...data.metadata.chatferry, ...(edited !== undefined && { edited }) };
  return JSON.stringify({ ...rest, data: { ...data, text, metadata: { ...data.metadata, chatferry } } });
}

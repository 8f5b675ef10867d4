import type { AdoptingMessage, Followed, UnknownMessage } from '../../../store/checks.ts';
import type { Store } from '../../../store/open.ts';
import { followUpMuid, muidShape } from '../../../mapping/ids.ts';
import { parsePayload, type PayloadView } from '../../../mapping/payload.ts';
import { type ChangeKind, changeKinds, goneDigest, unknownDigest } from '../../../model/change.ts';
import type { DriftNotes, NotedVersion } from '../../../plan/drift-notes.ts';
import type { ListedMessage } from '../../../service/outcome.ts';
import type { Lane, LaneRow } from '../../../delivery/lanes.ts';
import { differingFields, keyOf, metadataOf, sentMessage } from '../../../delivery/compare.ts';
import type { ConversationReader } from './conversation-reader.ts';

export interface AdoptOptions {
  readonly nowMs: number;
  readonly plan: number;
  readonly notes: DriftNotes;
}

/**
 * For a conversation that shows messages unknown to this store: records the follow-ups of its messages, each message
 * that a follow-up is about in the version that is there, and the content of the follow-ups as drift. If a message has
 * changed since the latest of them, that is noted like any change that a plan notices.
 *
 * A follow-up proves that its message was changed at the source after it was sent. Without one, other content under
 * Chatferry's muid has no known author.
 *
 * @returns How many messages were recorded; then the conversation has to be checked again.
 */
export function followUpAdopter(reader: ConversationReader, options: AdoptOptions) {
  const unknown = reader.store.checks.openUnknown();
  const adopter = new Adopter(reader, unknown, options);
  const adopt = reader.store.transaction((lane: Lane) => adopter.adopt(lane));
  return async (lane: Lane): Promise<number> => {
    await collectUnknown(reader, lane, unknown);
    const count = adopt(lane);
    unknown.clear(lane.conversation);
    if (count > 0) reader.renew();
    return count;
  };
}

class Adopter {
  readonly #reader: ConversationReader;
  readonly #unknown: ReturnType<Store['checks']['openUnknown']>;
  readonly #options: AdoptOptions;
  readonly #rows: ReturnType<Store['checks']['openAdopted']>;
  readonly #drift: Store['messages']['drift'];

  constructor(reader: ConversationReader, unknown: ReturnType<Store['checks']['openUnknown']>, options: AdoptOptions) {
    this.#reader = reader;
    this.#unknown = unknown;
    this.#options = options;
    this.#rows = reader.store.checks.openAdopted(reader.destination);
    this.#drift = reader.store.messages.drift;
  }

  /** Inside a transaction of the caller's. @returns How many messages were written down. */
  adopt(lane: Lane): number {
    const followed = this.#unknown.followed(lane.conversation);
    /** Messages for which an older copy of the store noted changes. */
    const noted = new Set<number>();
    let count = 0;
    for (const each of followed) {
      const message = this.#messageOf(lane, each);
      if (!message) continue;
      if (this.#digests(message).length > 0) noted.add(message.seq);
      if (!isAtDestination(message)) count += this.#adoptVersions(lane, message, each.about);
    }
    for (const followUp of this.#unknown.followUps(lane.conversation)) {
      const message = this.#messageOf(lane, followUp);
      // One that is there twice is written down once.
      if (!message || this.#rows.find(followUp.muid)) continue;
      this.#adoptFollowUp(message, followUp, noted.has(message.seq));
      count++;
    }
    for (const each of followed) {
      const message = this.#messageOf(lane, each);
      if (message && isAtDestination(message) && !noted.has(message.seq)) this.#noteSince(lane, message, each);
    }
    return count;
  }

  /** Finds the message of the store that a follow-up is about: of this conversation, and by the same person. */
  #messageOf({ conversation }: Lane, { about, sender }: Followed): AdoptingMessage | undefined {
    const message = this.#rows.find(about);
    return message?.conversation === conversation && message.sender === sender ? message : undefined;
  }

  /** Records a message and its further parts in the versions that are there. */
  #adoptVersions(lane: Lane, { seq, muid: planned, sender }: AdoptingMessage, muid: string): number {
    const { write } = this.#reader;
    const versions = this.#unknown.versions(lane.conversation, muid).filter((version) => version.sender === sender);
    for (const version of versions) {
      const { payload } = version;
      const known = version.part === null ? seq : this.#rows.find(version.muid)?.seq;
      if (known !== undefined) {
        this.#found(known, version, { payload });
        continue;
      }
      const partMuid = planned + version.muid.slice(muid.length);
      const added = this.#rows.addPart(seq, partMuid, { ...version, part: version.part! });
      // It belongs to a later generation, as its message does.
      if (partMuid !== version.muid) write.pending(added, write.generationOf(seq), version.muid);
      this.#found(added, version, {});
    }
    return versions.length;
  }

  #adoptFollowUp(message: AdoptingMessage, followUp: UnknownMessage, wasNoted: boolean): void {
    const { destination } = this.#reader;
    const seq = this.#rows.addFollowUp(message.seq, followUp);
    this.#found(seq, followUp, { isLate: followUp.sortKey === null || this.#rows.sharesPlace(seq) });
    if (!isAtDestination(message)) return;
    const digest = this.#digestOf(message, followUp, this.#rows.followUpCount(message.seq) + numbersSpare);
    const said = { destination, message: message.seq, digest, followUp: seq };
    if (wasNoted) {
      this.#drift.link(said);
      return;
    }
    const { nowMs: seenAtMs, plan } = this.#options;
    const digestBefore = this.#digests(message).at(-1) ?? unknownDigest;
    this.#drift.note({ ...said, kind: followUp.change!, digestBefore, policy: 'send', seenAtMs, plan });
  }

  /** Returns the digest of the version that a follow-up is about: the current one, one that was noted, or an unknown one. */
  #digestOf(message: AdoptingMessage, { muid }: UnknownMessage, count: number): string {
    const digests = [message.recordDigest, goneDigest, ...this.#digests(message)];
    for (let number = 1; number <= count; number++) {
      const digest = digests.find((each) => followUpMuid(message.muid, each, number) === muid);
      if (digest !== undefined) return digest;
    }
    return unknownDigest;
  }

  /** Notes changes since the latest follow-up of a message. */
  #noteSince(lane: Lane, message: AdoptingMessage, followed: Followed): void {
    const { notes } = this.#options;
    const notified = this.#digests(message).at(-1);
    if (notified === undefined || notified === message.recordDigest) return;
    if (this.#drift.places(message.seq).length > 1) return;
    const latest = this.#unknown.latestFollowUp(lane.conversation, followed);
    const old = notifiedVersion(message, this.#rows.payloadAtDestination(message.seq), latest);
    if (notified === goneDigest) notes.back(message, old);
    else notes.changed(message, old);
  }

  #digests({ seq }: AdoptingMessage): string[] {
    return this.#drift.digests(seq, this.#reader.destination);
  }

  #found(seq: number, { serverId }: UnknownMessage, more: { isLate?: boolean; payload?: string }): void {
    this.#reader.write.found({ seq, state: this.#reader.stateOf(seq), serverId, isLate: false, ...more });
  }
}

/** Some that were sent may be gone. */
const numbersSpare = 3;

const isAtDestination = ({ state }: AdoptingMessage) => state === 'imported' || state === 'existing';

/** As a follow-up begins, before the text that it repeats. */
const announcement = /^(?:Edited|Changed|Restored at the source) \(message of [^)]*\): /;

/**
 * Returns the version of a message of which a destination was notified last, as far as it shows: the message as it was
 * sent, with the text of its latest follow-up if that has one.
 *
 * @param sent Payload at the destination, JSON; null means that it is the staged one.
 */
function notifiedVersion(
  { seq, editedAtMs, payload }: AdoptingMessage,
  sent: string | null,
  { payload: followUp, change }: UnknownMessage,
): NotedVersion {
  const { text, metadata } = parsePayload(followUp).data;
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
  const { data, ...rest } = parsePayload(payload);
  const chatferry = { ...data.metadata.chatferry, ...(edited !== undefined && { edited }) };
  return JSON.stringify({ ...rest, data: { ...data, text, metadata: { ...data.metadata, chatferry } } });
}

/** Length of a muid without the number of a further part. */
const headLength = 27;
/** Fields that a payload decides; all others come from conversation, people and position. */
const contentFields = new Set(['category', 'type', 'text', 'attachments', 'metadata', 'tags']);

/** Collects messages made by Chatferry that a conversation shows and the store does not have, or has with other content. */
async function collectUnknown(
  reader: ConversationReader,
  lane: Lane,
  unknown: ReturnType<Store['checks']['openUnknown']>,
): Promise<void> {
  let place = 0;
  let before: LaneRow | undefined;
  for await (const page of reader.pages(lane)) {
    for (const listed of page) {
      place++;
      const known = reader.find(lane, listed);
      if (known) before = known.row;
      const isOther = known ? isVersion(known, listed) : isOurShape(keyOf(listed) ?? '');
      if (isOther) unknown.add(lane.conversation, unknownOf(listed, place, before));
    }
  }
}

/** No text is sent in a million messages: a longer number is not ours. */
const isOurShape = (muid: string) => muidShape.test(muid) && muid.length <= headLength + 1 + 6;

/** Nothing good is written down for it, and nothing but its content is another. */
function isVersion(
  { row, delivery }: NonNullable<ReturnType<ConversationReader['find']>>,
  listed: ListedMessage,
): boolean {
  if (delivery === 'imported' || delivery === 'existing') return false;
  const fields = differingFields(sentMessage(row.muid, row.wire), listed);
  return fields.length > 0 && fields.every((field) => contentFields.has(field));
}

function unknownOf(listed: ListedMessage, place: number, before: LaneRow | undefined): UnknownMessage {
  const muid = keyOf(listed)!;
  const { follows, change } = metadataOf(listed) ?? {};
  const isFollowUp = typeof follows === 'string' && muid.length === headLength && isChange(change);
  const isBehind = before !== undefined && Math.floor(before.sentAtMs / 1000) === listed.sentAt;
  return {
    muid,
    place,
    serverId: listed.id,
    sender: listed.sender,
    payload: payloadOf(listed),
    sentAtMs: isBehind ? before.sentAtMs : listed.sentAt * 1000,
    sortKey: isBehind ? before.sortKey : null,
    kind: isFollowUp ? 'follow-up' : 'version',
    about: isFollowUp ? follows : muid.slice(0, headLength),
    change: isFollowUp ? change : null,
    part: muid.length > headLength ? Number(muid.slice(headLength + 1)) : null,
  };
}

const isChange = (change: unknown): change is ChangeKind => changeKinds.some((kind) => kind === change);

/** Fields that the service adds to `data` are left out: Chatferry's payloads have only these fields. */
function payloadOf({ category, type, data, tags }: ListedMessage): string {
  const { text = '', attachments, customData, metadata } = data;
  return JSON.stringify({
    category,
    type,
    data: { text, attachments, customData, metadata },
    ...(tags.length > 0 && { tags }),
  });
}

import type { ChangeKind } from '../model/change.ts';
import { dataJson, type Draft } from './message/draft-message.ts';
import type { Facts } from '../model/facts.ts';
import { messageType, type WireAttachment } from './message/map-attachments.ts';
import { dropOrder, dropPart, type Metadata } from './message/metadata.ts';
import { longestFit } from './message/too-long.ts';

export {
  factsWithFiles,
  listPayloadFiles,
  payloadWithFiles,
  type PlannedFile,
  type SettledFile,
  toFileOrder,
} from './message/payload-files.ts';

/** Parts of a payload in which a change is visible. */
export interface PayloadView {
  readonly type: string;
  readonly data: {
    readonly text: string;
    readonly attachments?: readonly unknown[];
    readonly metadata: { readonly chatferry?: Partial<Metadata>; readonly [name: string]: unknown };
  };
  readonly tags?: readonly string[];
}

/** Parses a payload that the mapper made; a message of a custom kind may lack text and metadata. */
export function parsePayload(json: string): PayloadView {
  const { data, ...rest } = JSON.parse(json) as PayloadView & { data: Partial<PayloadView['data']> };
  return { ...rest, data: { ...data, text: data.text ?? '', metadata: data.metadata ?? {} } };
}

interface SizedPayload {
  readonly data: { readonly metadata?: { readonly chatferry?: Metadata } };
}

/**
 * Returns a payload in the size that a destination takes. If it is over that, metadata is dropped: first the properties
 * of pictures, then the rest in the published order. Undefined if even then it is too large.
 *
 * @param bytesMax Of `data`.
 */
export function payloadWithin(payload: string, bytesMax: number): string | undefined {
  if (payload.length * 3 <= bytesMax) return payload;
  const whole = JSON.parse(payload) as SizedPayload;
  const { data } = whole;
  if (jsonBytes(data) <= bytesMax) return payload;
  const { chatferry, ...constants } = data.metadata ?? {};
  if (!chatferry) return undefined;
  let { media: _, ...kept }: Metadata = chatferry;
  for (const part of [undefined, ...dropOrder]) {
    if (part) kept = dropPart(kept, part);
    const smaller = { ...data, metadata: { chatferry: kept, ...constants } };
    if (jsonBytes(smaller) <= bytesMax) return JSON.stringify({ ...whole, data: smaller });
  }
  return undefined;
}

const jsonBytes = (data: SizedPayload['data']): number => Buffer.byteLength(JSON.stringify(data));

export interface FollowUp {
  readonly kind: ChangeKind;
  /** Muids of the follow-up, and of the message that it follows. */
  readonly muid: string;
  readonly follows: string;
  /** Payloads, JSON: before the change, and since. Null if there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Time of the message that it follows: readers find it by its time. */
  readonly sentAtMs: number;
  /** Payloads, JSON, of follow-ups for earlier changes that have not left: this one includes their content. */
  readonly unsent?: readonly string[];
  /** Bytes of `data` that the destination takes. */
  readonly dataBytesMax: number | undefined;
}

/** Kinds of changes that lead to a message that exists, each more informative than those before it. */
const byWeight: readonly ChangeKind[] = ['reactions', 'changed', 'edited', 'restored'];

/**
 * Returns the payload of a message that announces a change of another one. Undefined if there is nothing to announce: a
 * pin, a name, or a message that the mapping leaves out by now.
 */
export function followUpPayload(change: FollowUp): string | undefined {
  const { before, after } = change;
  const staged = after ?? (change.kind === 'deleted' ? before : null);
  if (staged === null) return undefined;
  const since = parsePayload(staged);
  const unsent = (change.unsent ?? []).map((payload) => parsePayload(payload).data);
  for (const kind of kindsToTell(change.kind, unsent)) {
    const files = kind === 'deleted' ? [] : newFiles(before, since, unsent);
    const text = followUpText({ ...change, kind }, since, { files, unsent });
    if (text !== undefined) return fitted(buildDraft({ ...change, kind }, since, text, files), change.dataBytesMax);
  }
  return undefined;
}

/** Returns the kinds of changes that together led from the last announced version to the current message, the most informative first. */
function kindsToTell(kind: ChangeKind, unsent: readonly PayloadView['data'][]): ChangeKind[] {
  if (kind === 'deleted') return [kind];
  const kinds = new Set([kind, ...unsent.map(ownChangeKind)]);
  return byWeight.filter((each) => kinds.has(each)).reverse();
}

const ownChangeKind = ({ metadata }: PayloadView['data']): ChangeKind | undefined => metadata.chatferry?.change;

/** Content that a follow-up may have in addition to a text. */
interface Beside {
  readonly files: readonly WireAttachment[];
  readonly unsent: readonly PayloadView['data'][];
}

function followUpText({ kind, sentAtMs, before }: FollowUp, { data }: PayloadView, { files, unsent }: Beside) {
  const of = `message of ${new Date(sentAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (kind === 'deleted') return `Deleted at the source: ${of}`;
  if (kind === 'restored') return `Restored at the source (${of}): ${data.text}`;
  if (kind === 'edited') return `Edited (${of}): ${data.text}`;
  if (kind === 'changed') return files.length > 0 ? `Changed (${of}): ${data.text}` : undefined;
  const reactions = formatReactions(data);
  const had = before !== null && formatReactions(parsePayload(before).data) !== '';
  if (reactions === '' && !had && !unsent.some((each) => ownChangeKind(each) === 'reactions')) return undefined;
  return `Reactions to the ${of}: ${reactions === '' ? 'none any more' : reactions}`;
}

/** `👍 2, 🎉 1`; empty if the mapping does not send them. */
const formatReactions = ({ metadata }: PayloadView['data']): string =>
  (metadata.chatferry?.reactions ?? []).map(({ emoji, count }) => `${emoji} ${count}`).join(', ');

/** Returns all files of the new version if they differ from those of the old one, or if those were never announced. */
function newFiles(before: string | null, { data }: PayloadView, unsent: Beside['unsent']): Beside['files'] {
  const files = (data.attachments ?? []) as Beside['files'];
  const old = before === null ? [] : (parsePayload(before).data.attachments ?? []);
  const areTold = !unsent.some(({ attachments = [] }) => attachments.length > 0);
  return areTold && JSON.stringify(old) === JSON.stringify(files) ? [] : files;
}

/** In the thread of the message, with the constants and tags that the mapping gives to every message. */
function buildDraft(
  { kind, muid, follows }: FollowUp,
  { data, tags = [] }: PayloadView,
  text: string,
  attachments: readonly WireAttachment[],
): Draft {
  const { chatferry, ...constants } = data.metadata;
  const metadata: Metadata = {
    v: 1,
    key: muid,
    follows,
    change: kind,
    ...(chatferry?.thread !== undefined && { thread: chatferry.thread }),
    ...(kind === 'edited' && chatferry?.edited !== undefined && { edited: chatferry.edited }),
  };
  return { category: 'message', type: messageType(attachments), text, attachments, metadata, constants, tags };
}

const ellipsis = '…';

/** Returns the payload, with the end of its text cut if it is too large; undefined if no text fits. */
function fitted(draft: Draft, dataBytesMax = Number.POSITIVE_INFINITY): string | undefined {
  const room = dataBytesMax - Buffer.byteLength(dataJson({ ...draft, text: '' }, draft.metadata));
  const fits = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2 <= room;
  const length = longestFit(draft.text, { unitsMax: draft.text.length, fits: (piece) => fits(piece + ellipsis) });
  if (length <= 0) return undefined;
  const text = fits(draft.text) ? draft.text : draft.text.slice(0, length) + ellipsis;
  const tags = draft.tags.length > 0 ? `,"tags":${JSON.stringify(draft.tags)}` : '';
  const data = dataJson({ ...draft, text }, draft.metadata);
  return `{"category":"message","type":${JSON.stringify(draft.type)},"data":${data}${tags}}`;
}

export interface StagedVersion {
  readonly editedAtMs: number | null;
  /** JSON. */
  readonly facts: string | null;
  /** JSON; null where it was not to be sent. */
  readonly payload: string | null;
}

/**
 * Returns the kind of change that led from one version of a record to another; their digests are known to differ.
 *
 * Uses only staged data, so that nothing has to be kept for it. A change that neither the payload nor the facts show
 * counts as one of reactions if the message has any, and otherwise as `changed`.
 *
 * @param nameOf Name of a person by uid: a mention of a person who has another name by now is no edit.
 */
export function changeKind(
  before: StagedVersion,
  after: StagedVersion,
  nameOf: (uid: string) => string | undefined,
): ChangeKind {
  const [was, is] = [parseFacts(before), parseFacts(after)];
  if (!was.deleted && is.deleted) return 'deleted';
  if (was.deleted && !is.deleted) return 'restored';
  if (before.editedAtMs !== after.editedAtMs) return 'edited';
  if (before.payload === null || after.payload === null)
    return was.reactions !== is.reactions ? 'reactions' : 'changed';
  const [old, now] = [parsePayload(before.payload), parsePayload(after.payload)];
  if (old.data.text !== now.data.text && !isRenamed(old, now, nameOf)) return 'edited';
  if (withoutReactions(old) !== withoutReactions(now)) return 'changed';
  const isInvisible = before.payload === after.payload;
  return isInvisible && !was.reactions && !is.reactions ? 'changed' : 'reactions';
}

const parseFacts = ({ facts }: StagedVersion): Facts => (facts === null ? {} : (JSON.parse(facts) as Facts));

function withoutReactions({ data, ...rest }: PayloadView): string {
  const { reactions: _, dropped: __, ...ours } = data.metadata.chatferry ?? {};
  return JSON.stringify({ ...rest, data: { ...data, metadata: { ...data.metadata, chatferry: ours } } });
}

/** Whether two texts differ only in how the people whom they mention are called. */
function isRenamed(old: PayloadView, now: PayloadView, nameOf: (uid: string) => string | undefined): boolean {
  const mentions = now.data.metadata.chatferry?.mentions ?? [];
  if (mentions.length === 0 || old.data.metadata.chatferry?.mentions?.join() !== mentions.join()) return false;
  let pieces = [now.data.text];
  for (const name of mentions.map(nameOf)) {
    if (name !== undefined) pieces = pieces.flatMap((piece) => piece.split(`@${name}`));
  }
  return pieces.length > 1 && hasNamesBetween(old.data.text, pieces);
}

/** Whether a text is these pieces in a row, with an @ and a name between any two. */
function hasNamesBetween(text: string, pieces: readonly string[]): boolean {
  const first = `${pieces[0]!}@`;
  const last = pieces.at(-1)!;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(`${piece}@`, at + 1);
    if (found < 0) return false;
    at = found + piece.length + 1;
  }
  return at + 1 <= text.length - last.length;
}

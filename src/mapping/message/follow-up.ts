import { sha256Base32 } from '../../lib/hash.ts';
import type { ChangeKind } from '../../model/change.ts';
import { type PayloadView, payloadOf } from './change-kind.ts';
import { dataJson } from './data-json.ts';
import type { Draft } from './draft-message.ts';
import { messageType, type WireAttachment } from './map-attachments.ts';
import type { Metadata } from './metadata.ts';
import { longestFit } from './too-long.ts';

/**
 * The muid of the message that says how another one changed: made like that of a message, over the JSON array
 * `[muid of the message, "follow-up", digest of the record since, number]`. The digest is empty where the export no longer
 * holds it; the number is 1, and one more each time that a message comes back to a version which was announced before.
 */
export const followUpMuid = (muid: string, digest: string, number: number): string =>
  `m1${sha256Base32(JSON.stringify([muid, 'follow-up', digest, number]), 25)}`;

/** The same where a destination may still know earlier ones: the generation (2, 3 …) is a second element of the array. */
export const followUpMuidOfGeneration = (muid: string, generation: number): string =>
  generation === 1 ? muid : `m1${sha256Base32(JSON.stringify([muid, generation]), 25)}`;

export interface FollowUp {
  readonly kind: ChangeKind;
  /** Of the follow-up, and of the message that it follows. */
  readonly muid: string;
  readonly follows: string;
  /** Payloads, JSON: before the change, and since. Null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Of the message that it follows: readers find it by its time. */
  readonly sentAtMs: number;
  /** Bytes of `data` that the destination takes. */
  readonly dataBytesMax: number | undefined;
}

/**
 * The payload of a message that says how another one changed; nothing where there is nothing to tell: a pin, a name, or a
 * message that the mapping leaves out by now.
 */
export function followUpPayload(change: FollowUp): string | undefined {
  const { kind, before, after } = change;
  const staged = after ?? (kind === 'deleted' ? before : null);
  if (staged === null) return undefined;
  const since = payloadOf(staged);
  const files = kind === 'deleted' ? [] : newFiles(before, since);
  const text = textOf(change, since, files);
  return text === undefined ? undefined : fitted(draftOf(change, since, text, files), change.dataBytesMax);
}

function textOf({ kind, sentAtMs, before }: FollowUp, { data }: PayloadView, files: readonly unknown[]) {
  const of = `message of ${new Date(sentAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (kind === 'deleted') return `Deleted at the source: ${of}`;
  if (kind === 'restored') return `Restored at the source (${of}): ${data.text}`;
  if (kind === 'edited') return `Edited (${of}): ${data.text}`;
  if (kind === 'changed') return files.length > 0 ? `Changed (${of}): ${data.text}` : undefined;
  const reactions = reactionsOf(data);
  if (reactions === '' && (before === null || reactionsOf(payloadOf(before).data) === '')) return undefined;
  return `Reactions to the ${of}: ${reactions === '' ? 'none any more' : reactions}`;
}

/** `👍 2, 🎉 1`; empty where the mapping does not send them. */
const reactionsOf = ({ metadata }: PayloadView['data']): string =>
  (metadata.chatferry?.reactions ?? []).map(({ emoji, count }) => `${emoji} ${count}`).join(', ');

/** All files of the new version, where they are not those of the old one. */
function newFiles(before: string | null, { data }: PayloadView): readonly WireAttachment[] {
  const files = (data.attachments ?? []) as readonly WireAttachment[];
  const old = before === null ? [] : (payloadOf(before).data.attachments ?? []);
  return JSON.stringify(old) === JSON.stringify(files) ? [] : files;
}

/** In the thread of the message, with the constants and tags that the mapping gives to every message. */
function draftOf(
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

/** The payload, with the end of its text cut where it is too large; nothing where no text fits. */
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

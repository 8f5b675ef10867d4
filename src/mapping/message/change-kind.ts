import type { ChangeKind } from '../../model/change.ts';
import type { Facts } from './facts.ts';
import type { Metadata } from './metadata.ts';

/** What is staged of a version of a message. */
export interface StagedVersion {
  readonly editedAtMs: number | null;
  /** JSON. */
  readonly facts: string | null;
  /** JSON; null where it was not to be sent. */
  readonly payload: string | null;
}

/** What of a payload a change can be seen in. */
export interface PayloadView {
  readonly type: string;
  readonly data: {
    readonly text: string;
    readonly attachments?: readonly unknown[];
    readonly metadata: { readonly chatferry?: Partial<Metadata>; readonly [name: string]: unknown };
  };
  readonly tags?: readonly string[];
}

/**
 * What kind of change led from one version of a record to another; their digests are known to differ.
 *
 * It is told from what is staged, so that nothing has to be kept for it: a change that neither the payload nor the facts
 * show is one of reactions where the message has any, and else `changed`.
 *
 * @param nameOf Name of a person by uid: a mention whose person is called otherwise by now is no edit.
 */
export function changeKind(
  before: StagedVersion,
  after: StagedVersion,
  nameOf: (uid: string) => string | undefined,
): ChangeKind {
  const [was, is] = [factsOf(before), factsOf(after)];
  if (!was.deleted && is.deleted) return 'deleted';
  if (was.deleted && !is.deleted) return 'restored';
  if (before.editedAtMs !== after.editedAtMs) return 'edited';
  if (before.payload === null || after.payload === null)
    return was.reactions !== is.reactions ? 'reactions' : 'changed';
  const [old, now] = [payloadOf(before.payload), payloadOf(after.payload)];
  if (old.data.text !== now.data.text && !isRenamed(old, now, nameOf)) return 'edited';
  if (withoutReactions(old) !== withoutReactions(now)) return 'changed';
  const isInvisible = before.payload === after.payload;
  return isInvisible && !was.reactions && !is.reactions ? 'changed' : 'reactions';
}

const factsOf = ({ facts }: StagedVersion): Facts => (facts === null ? {} : (JSON.parse(facts) as Facts));

/** A payload that the mapper made; a message of somebody's own kind may lack text and metadata. */
export function payloadOf(json: string): PayloadView {
  const { data, ...rest } = JSON.parse(json) as PayloadView & { data: Partial<PayloadView['data']> };
  return { ...rest, data: { ...data, text: data.text ?? '', metadata: data.metadata ?? {} } };
}

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

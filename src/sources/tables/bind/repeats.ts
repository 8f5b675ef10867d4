import { Latest } from '../../../lib/maps/latest.ts';
import type { NewMessage } from '../../../model/new-message.ts';
import type { Attachment, Reaction } from '../../../model/records.ts';
import type { MessageBinding } from '../schema/messages.ts';

type Rule = NonNullable<MessageBinding['repeated']>;

/** Ids that are remembered at least: some 40 MB for twice as many. */
const knownMin = 100_000;
/** The same where what the rows said is kept as well. */
const joinedMin = 10_000;

/** Data of earlier rows with one id. */
interface Known {
  count: number;
  readonly sentAtMs: number;
  readonly sortKey: string;
  latestMs: number;
  reactions: readonly Reaction[];
  attachments: readonly Attachment[];
  internal: NewMessage['internal'];
}

/**
 * Handles rows that have the id of an earlier row, by the mapping's `repeated`:
 *
 * - `last`: versions of one message. It keeps the time and the position of the first, has the content of the latest,
 *   and counts as edited.
 * - `joined`: one message, with the reactions and files of all its rows.
 * - `all`: messages of their own; from the second on a number is added to the id.
 *
 * Every row is yielded with all data known at that point: if rows have the same identity, staging keeps the last. If
 * 100,000 other ids are between two rows (10,000 for `joined`), the second counts as a first one, and staging reports
 * them if they are not the same.
 */
export class Repeats {
  readonly #rule: Rule;
  readonly #isNewestFirst: boolean;
  readonly #known: Latest<string, Known>;

  constructor(rule: Rule, { isNewestFirst }: { readonly isNewestFirst: boolean }) {
    this.#rule = rule;
    this.#known = new Latest(rule === 'joined' ? joinedMin : knownMin);
    this.#isNewestFirst = isNewestFirst;
  }

  /** Clears the remembered rows: they never affect another file. */
  beginFile(): void {
    this.#known.clear();
  }

  /** Changes the message by what rows before it said. @returns Whether it counts: a version that is older does not. */
  takes(message: NewMessage): boolean {
    const key = JSON.stringify([message.origin.conversation, message.origin.id]);
    const known = this.#known.get(key);
    if (!known) {
      this.#remember(key, message);
      return true;
    }
    known.count += 1;
    if (this.#rule === 'all') {
      message.origin = { ...message.origin, id: `${message.origin.id}-${known.count}` };
      return true;
    }
    // Of rows that differ, the internal one counts.
    known.internal = message.internal ?? known.internal;
    if (known.internal !== undefined) message.internal = known.internal;
    return this.#rule === 'last' ? this.#version(message, known) : this.#join(message, known);
  }

  #remember(key: string, { sentAtMs, sortKey, internal, reactions = [], attachments = [] }: NewMessage): void {
    const lists = this.#rule === 'joined' ? { reactions, attachments } : { reactions: [], attachments: [] };
    this.#known.set(key, { count: 1, sentAtMs, sortKey: sortKey ?? '', latestMs: sentAtMs, internal, ...lists });
  }

  #version(message: NewMessage, known: Known): boolean {
    const { sentAtMs } = message;
    if (sentAtMs < known.latestMs || (this.#isNewestFirst && sentAtMs === known.latestMs)) return false;
    known.latestMs = sentAtMs;
    if (sentAtMs > known.sentAtMs) message.edited ??= { atMs: sentAtMs };
    message.sentAtMs = known.sentAtMs;
    message.sortKey = known.sortKey;
    return true;
  }

  #join(message: NewMessage, known: Known): boolean {
    known.reactions = joinedReactions(known.reactions, message.reactions ?? []);
    known.attachments = joinedFiles(known.attachments, message.attachments ?? []);
    if (known.reactions.length > 0) message.reactions = [...known.reactions];
    if (known.attachments.length > 0) message.attachments = [...known.attachments];
    message.sentAtMs = known.sentAtMs;
    message.sortKey = known.sortKey;
    return true;
  }
}

/** Without a rule, rows of one id are one message, seen again: a row with another text is none of it. Remembers 100,000 ids at least, 10 MB at most. */
export class UniqueIds {
  readonly #texts = new Latest<number, number>(knownMin);

  beginFile(): void {
    this.#texts.clear();
  }

  hasOtherText({ origin, text }: NewMessage): boolean {
    const key = hashOf(`${origin.conversation}\0${origin.id}`);
    const known = this.#texts.get(key);
    const sum = hashOf(text);
    if (known !== undefined) return known !== sum;
    this.#texts.set(key, sum);
    return false;
  }
}

/** 52 bits. */
function hashOf(text: string): number {
  let [high, low] = [text.length, 0x811c9dc5];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ low, 0x85ebca6b);
  }
  return (high >>> 0) * 2 ** 20 + (low >>> 12);
}

/** Each person once for each emoji: a join of two lists has every pair. */
function joinedReactions(before: readonly Reaction[], more: readonly Reaction[]): readonly Reaction[] {
  const byEmoji = new Map(before.map((reaction) => [reaction.emoji, reaction]));
  for (const { emoji, users, count } of more) {
    const own = byEmoji.get(emoji);
    const all = [...new Set([...(own?.users ?? []), ...users])];
    const isCounted = users.length === 0;
    byEmoji.set(emoji, {
      emoji,
      users: all,
      count: isCounted ? (own?.count ?? 0) + count : Math.max(all.length, own?.count ?? 0),
    });
  }
  return [...byEmoji.values()];
}

function joinedFiles(before: readonly Attachment[], more: readonly Attachment[]): readonly Attachment[] {
  return [...new Map([...before, ...more].map((file) => [JSON.stringify(file), file])).values()];
}

import { formatPointer } from '../../../io/json/json-pointer.ts';
import type { UnreadParts } from '../../../io/json/unread-lists.ts';
import { asBuffer } from '../../../io/bytes.ts';
import type { Entry } from '../../../model/entry.ts';
import { invalidEntry } from '../entries.ts';
import { type JsonOutline, OutlineReader } from './json-outline.ts';

const text = /^(?:(?:chat_?|plain_?)?(?:text|contents?|body|message|msg)|message_?(?:text|parts))$/i;
const time = /[Tt]ime|(?<![Uu]p)[Dd]ate|^(?:ts|at)$|_(?:ts|at)(?:_?ms)?$|[a-z](?:At|Ts)(?:Ms)?$/;
const author =
  /^(?:u|uid|uuid|by|nick|owner|creat(?:or|ed_?by)|senders?|(?:author|sender|from|user|actor)(?:_?(?:uu)?id|_?name)?|sourceServiceId)$/i;
const kinds = [text, time, author];

/** Whether a row has a text, a time and an author, by the names of its fields. */
export const isOfChat = (names: readonly string[]): boolean =>
  kinds.every((kind) => names.some((name) => kind.test(name)));

/** Levels of objects in a row in which its text may be. */
const textDepthMax = 2;

/**
 * Whether objects in a text of JSON are rows of a chat.
 *
 * @param mayBe Whether objects at a path count. Default: all do.
 */
export function hasRowsOfChat(outline: JsonOutline, mayBe = (_path: string) => true): boolean {
  for (const [path, keys] of outline) {
    const names = [...keys.keys()];
    const hasFrame = [time, author].every((kind) => names.some((name) => kind.test(name)));
    if (hasFrame && mayBe(path) && isOfChat([...names, ...namesInside(outline, path)])) return true;
  }
  return false;
}

const namesInside = (outline: JsonOutline, around: string): string[] =>
  [...outline].flatMap(([path, keys]) => {
    const inside = path.startsWith(`${around}/`) ? path.slice(around.length + 1).split('/') : [];
    return inside.length > 0 && inside.length <= textDepthMax && !inside.includes('*') ? [...keys.keys()] : [];
  });

/** Why messages at a place are invalid rows. */
export const reasonForPlace = (pointer: string): string =>
  `Expected messages in one list, or one on each line; those at "${pointer.slice(0, 100)}" are in another`;

/**
 * Finds lists with rows of a chat in those parts of a file that are not read. An object in a field, such as the last message of a
 * conversation, is a part of its row.
 *
 * Memory: the outline of a part.
 */
export class UnreadChatLists implements UnreadParts {
  #found: string[] = [];
  #place = '';
  #reader = new OutlineReader();

  standing(): 'unread' {
    return 'unread';
  }

  begin(path: readonly string[]): void {
    this.#place = formatPointer(path);
    this.#reader = new OutlineReader();
  }

  push(chunk: Uint8Array, from: number, end: number): void {
    this.#reader.push(asBuffer(chunk).toString('latin1', from, end));
  }

  end(): void {
    this.#reader.end();
    const { outline, isList } = this.#reader;
    if (hasRowsOfChat(outline, (path) => (path === '' ? isList : path.endsWith('/*')))) this.#found.push(this.#place);
  }

  /** An invalid row for each list since it was last asked. */
  take(path: string): readonly Entry[] {
    const found = this.#found.map((pointer) =>
      invalidEntry('not-an-object', reasonForPlace(pointer), { path, pointer }),
    );
    this.#found = [];
    return found;
  }
}

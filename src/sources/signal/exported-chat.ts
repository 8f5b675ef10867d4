import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import { Seen } from '../kit/described.ts';
import { messageEntry, recordEntry } from '../kit/entries.ts';
import { asString } from '../kit/narrow.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { countMarkup } from '../kit/text/typed-text.ts';
import { readReactions } from './content.ts';
import { findTitle } from './layout.ts';
import type { Place } from './options.ts';

/** Name that signal-export writes for the user of the program. */
const ownName = 'Me';

/** How signal-export writes that it does not know who it was. */
const nobody: ReadonlySet<string> = new Set(['No-Sender', 'None', '']);

/** A message of signal-export, in either of its layouts. */
export interface ExportedMessage {
  readonly location: Location;
  readonly atMs: number;
  readonly nanoseconds: number;
  /** Whether the time has milliseconds: by these and its author Signal itself knows a message. */
  readonly isExact: boolean;
  /** Assumption made for its time. */
  readonly assumed: string | undefined;
  readonly author: string;
  readonly text: string;
  readonly isDeleted: boolean;
  /** Each with the name of the person who reacted. */
  readonly reactions: readonly unknown[];
  /** Values that identify the message, unchanged. */
  readonly cells: readonly (string | undefined)[];
}

/**
 * A chat of signal-export. Its folder has the name of the chat, which is the other person's name in a chat of two.
 * Whether it is a chat of two is known only at the end of the file; it is then described a second time.
 */
export class ExportedChat {
  readonly id: string;
  readonly #workspace: string;
  readonly #me: string;
  readonly #identity = new RowIdentity();
  readonly #people = new Seen();
  readonly #authors = new Set<string>();
  #first: Location | undefined;
  /** The first message, and the time of the one before. */
  #begin: { readonly key: string; readonly atMs: number } | undefined;
  #lastMs = 0;

  constructor({ input, path, workspace, options }: Place) {
    this.id = findTitle(input, path);
    this.#workspace = workspace;
    this.#me = options.me || ownName;
  }

  /** Yields people, and the message, which may be added to. */
  message({ location, author, text, ...row }: ExportedMessage, into: Entry[]): NewMessage {
    if (this.#first === undefined) {
      this.#first = location;
      this.#describe('private', location, into);
    }
    if (!row.isExact) this.#noteRun(row.cells, row.atMs);
    const id = this.#identity.idOf(row.cells);
    const isNobody = nobody.has(author);
    // A third one is enough.
    if (!isNobody && this.#authors.size < 3) this.#authors.add(author);
    const record = newMessage({
      origin: {
        source: 'signal',
        workspace: this.#workspace,
        conversation: this.id,
        // Equal rows with an exact time are one message, which a second run of the program has appended.
        id: row.isExact ? id.split('-', 1)[0]! : id,
      },
      sortKey: rowSortKey(row.nanoseconds, location.line!),
      sentAtMs: row.atMs,
      text,
      author: isNobody ? undefined : this.#person(author, location, into),
      reactions: readReactions(row.reactions, ({ name }) =>
        asString(name) === undefined ? undefined : this.#person(asString(name)!, location, into),
      ),
      isDeleted: row.isDeleted,
      lost: { accidentalMarkup: countMarkup(text.includes('>') ? text.replace(/^> /gm, '') : text) },
    });
    into.push(messageEntry(record, location, row.assumed));
    return record;
  }

  /**
   * Detects repeated runs. signal-export appends to existing files: the chat begins again with its first message, after
   * later ones. The repeated messages then get the same ids.
   */
  #noteRun(cells: ExportedMessage['cells'], atMs: number): void {
    const isEarlier = this.#begin === undefined || (atMs === this.#begin.atMs && atMs < this.#lastMs);
    this.#lastMs = atMs;
    if (!isEarlier) return;
    const key = JSON.stringify(cells);
    if (this.#begin === undefined) this.#begin = { key, atMs };
    else if (key === this.#begin.key) this.#identity.beginFile();
  }

  end(into: Entry[]): void {
    const others = [...this.#authors].filter((name) => name !== ownName);
    if (this.#first === undefined || others.length !== 1 || others[0] !== this.id) return;
    this.#person(ownName, this.#first, into);
    this.#describe('direct', this.#first, into);
  }

  #describe(type: 'private' | 'direct', location: Location, into: Entry[]): void {
    const isDirect = type === 'direct';
    const [name, members] = isDirect ? ['', [ownName, this.id]] : [this.id, []];
    into.push(recordEntry({ kind: 'conversation', id: this.id, type, name, members }, location));
  }

  #person(id: string, location: Location, into: Entry[]): string {
    if (this.#people.add(id)) {
      into.push(recordEntry({ kind: 'user', id, name: id === ownName ? this.#me : id }, location));
    }
    return id;
  }
}

import type { ExportInput } from '../../io/input/export-input.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { Entry } from '../../model/entry.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { problemEntry, invalidEntry, readEntry } from '../kit/entries.ts';
import { type GoodRow, readJsonEntries } from '../kit/rows/json-entries.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { asObject, asString, asWord, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { Directory } from './directory.ts';
import {
  cidIn,
  itemIn,
  type Item,
  type StreamPoll,
  type StreamReaction,
  type StreamVote,
  readUserId,
} from './format.ts';
import { readMessage, type MessagePlace } from './message.ts';

/** How a file of items is read. */
export interface ItemsRequest {
  readonly at: JsonRowsAt;
  readonly workspace: string;
  readonly createdAtMs: number | undefined;
}

/**
 * Reads a file of items, one after another: an import, or an export v2. The file is read twice, because reactions,
 * votes and members come after the messages that they belong to. In memory: names of people, channels, memberships, and
 * some 80 bytes for each reaction.
 */
export async function* readItems(
  input: ExportInput,
  path: string,
  request: ItemsRequest,
): AsyncGenerator<readonly Entry[]> {
  const file = new ItemsFile(request);
  try {
    for await (const rows of readJsonRows(input.open(path), path, request.at)) {
      const into: Entry[] = [];
      for (const row of rows) {
        const begin = into.length;
        try {
          if (!row.fault) file.learn(row, into);
        } catch (error) {
          leaveOutRow(error, { into, begin, location: row.location });
        }
      }
      yield into;
    }
  } catch (error) {
    // The second time says it, in its place.
    if (!(error instanceof SourceError)) throw error;
  }
  yield file.channels();
  yield* readJsonEntries(input, path, request.at, {
    add: (row, into) => file.add(row, into),
    end: () => file.end(path),
  });
}

const separator = '\u0000';

class ItemsFile {
  readonly #counts = new CountedProblems('profile-detail-not-migrated', 'stream-not-migrated');
  readonly #notes = new RowNotes();
  readonly #identity = new RowIdentity();
  readonly #directory = new Directory(this.#counts);
  /** By message: type and person of each. */
  readonly #reactions = new PackedMap();
  #reactionCount = 0;
  #givenCount = 0;
  readonly #polls = new Map<string, Untrusted<StreamPoll>>();
  readonly #votes = new Map<string, Record<string, number>>();
  readonly #place: MessagePlace;
  #row = 0;
  #at: { row: GoodRow; into: Entry[] } | undefined;

  constructor(request: ItemsRequest) {
    this.#place = {
      workspace: request.workspace,
      cid: undefined,
      createdAtMs: request.createdAtMs,
      sortKey: (nanoseconds) => rowSortKey(nanoseconds, this.#row),
      makeId: (item) =>
        this.#identity.idOf([cidIn(item), readUserId(item.user), asWord(item.created_at), asWord(item.text)]),
      see: (person) => this.#directory.addPerson(person, this.#at!.row.location, this.#at!.into),
      reactionsOf: (id) => this.#reactionsOf(id),
      pollOf: (id) => this.#pollOf(id),
    };
  }

  /** The first time: everything but messages. */
  learn({ value, location }: GoodRow, into: Entry[]): void {
    const row = asObject<Record<string, unknown>>(value);
    const found = row && itemIn(row);
    if (!found?.kind) return;
    const { kind, item } = found;
    if (kind === 'user') {
      if (this.#directory.addPerson(item, location, into) === undefined)
        into.push(problemEntry('user-without-id', 'A person without "id"', location));
    } else if (kind === 'channel') this.#directory.addChannel(item, location, into);
    else if (kind === 'member') this.#directory.addMember(item, cidIn(item), location, into);
    else if (kind === 'reaction') this.#addReaction(item);
    else if (kind === 'poll') this.#polls.set(asWord(item.id), item);
    else if (kind === 'poll_vote') this.#addVote(item);
    else if (kind === 'device') this.#counts.add('stream-not-migrated', 'devices');
    else if (kind === 'ban') this.#counts.add('stream-not-migrated', 'bans from channels that someone creates later');
  }

  channels(): readonly Entry[] {
    const into: Entry[] = [];
    this.#directory.describeChannels(into);
    return into;
  }

  /** The second time: messages. */
  add(row: GoodRow, into: Entry[]): undefined {
    this.#row += 1;
    const { value, location } = row;
    const object = asObject<Record<string, unknown>>(value);
    if (object === undefined) {
      into.push(invalidEntry('not-an-object', `Expected an item, found ${wordFor(value)}`, location));
      return;
    }
    const found = itemIn(object);
    if (found.kind === undefined) {
      const reason = `Expected an item of a type that is known, found "type" ${describe(object.type)}`;
      this.#notes.add('stream-unknown-item', reason, location, into);
    }
    if (found.kind === 'message') this.#addMessage(found, row, into);
  }

  #addMessage({ item }: Item, row: GoodRow, into: Entry[]): void {
    this.#at = { row, into };
    const read = readMessage(item, this.#place);
    into.push(readEntry(read, row.location, cidIn(item)));
  }

  end(path: string): readonly Entry[] {
    const into: Entry[] = [];
    this.#notes.end(path, into);
    this.#counts.end(path, into);
    const lost = this.#reactionCount - this.#givenCount;
    if (lost > 0) {
      const reason = `${formatCount(lost)} × reactions to messages that the file does not have`;
      into.push({ type: 'problem', code: 'stream-lost-reaction', reason, location: { path }, count: lost });
    }
    return into;
  }

  #addReaction(item: Untrusted<StreamReaction>): void {
    const [message, type] = [asString(item.message_id), asString(item.type)];
    const user = readUserId(item.user_id) ?? readUserId(item.user);
    if (message === undefined || type === undefined || user === undefined) return;
    const before = this.#reactions.get(message);
    const one = `${type}${separator}${user}`;
    if (before !== undefined && `${separator}${before}${separator}`.includes(`${separator}${one}${separator}`)) {
      this.#counts.add('stream-not-migrated', 'reactions that an item before repeats');
      return;
    }
    this.#reactionCount += 1;
    this.#reactions.set(message, before === undefined ? one : `${before}${separator}${one}`);
    if (typeof item.score === 'number' && item.score > 1)
      this.#counts.add('stream-not-migrated', 'scores of reactions');
  }

  #reactionsOf(id: string): readonly (readonly [string, string])[] {
    const parts = this.#reactions.get(id)?.split(separator);
    if (parts === undefined) return [];
    this.#givenCount += parts.length / 2;
    return Array.from({ length: parts.length / 2 }, (_, index) => [parts[2 * index]!, parts[2 * index + 1]!] as const);
  }

  #addVote(item: Untrusted<StreamVote>): void {
    const [poll, option] = [asWord(item.poll_id), asWord(item.option_id)];
    const votes = this.#votes.get(poll) ?? {};
    votes[option] = (votes[option] ?? 0) + 1;
    this.#votes.set(poll, votes);
    this.#counts.add('stream-not-migrated', 'who voted in polls');
  }

  #pollOf(id: string): Untrusted<StreamPoll> | undefined {
    const poll = this.#polls.get(id);
    const votes = this.#votes.get(id);
    return poll && votes ? { ...poll, vote_counts_by_option: votes } : poll;
  }
}

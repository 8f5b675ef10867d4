import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { invalidEntry, readEntry } from '../kit/entries.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { asObject, asString, asWord, wordFor, type Untrusted } from '../kit/narrow.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { addUnreadRow } from '../kit/rows/rows-inside.ts';
import { ChannelGaps } from './channel-gaps.ts';
import { Directory } from './directory.ts';
import { cidIn, makeCid, type StreamChannel, type StreamMember, type StreamMessage, readUserId } from './format.ts';
import { readMessage, type MessagePlace } from './message.ts';

/** How an export of channels is read. */
export interface ChannelsRequest {
  /** Path to a channel: parts of a pointer, `*` for any element. Empty for a file that is one channel. */
  readonly at: readonly string[];
  readonly workspace: string;
}

/**
 * An export of channels, v1: `channel`, `messages` and `members` of each. Gone through once; channels are described behind it, with who
 * is in them. In memory: names of people, memberships.
 */
export function readChannels(
  input: ExportInput,
  path: string,
  request: ChannelsRequest,
): AsyncGenerator<readonly Entry[]> {
  const pattern = [...request.at, '*'];
  return readJsonEntries(input, path, { layout: 'list', pattern }, new ChannelsFile(path, request));
}

class ChannelsFile implements JsonFile {
  readonly #path: string;
  /** Finds the pointer of the channel in that of a row. */
  readonly #channel: RegExp;
  readonly #counts = new CountedProblems('profile-detail-not-migrated', 'stream-not-migrated');
  readonly #directory = new Directory(this.#counts);
  readonly #identity = new RowIdentity();
  /** Current channel: start of its object, and its fields so far. */
  #around = '';
  #fields: Record<string, unknown> = {};
  #gaps = new ChannelGaps();
  readonly #place: MessagePlace & { cid: string | undefined };
  #location: Location = { path: '' };
  #into: Entry[] = [];
  #row = 0;

  constructor(path: string, { at, workspace }: ChannelsRequest) {
    this.#path = path;
    this.#channel = new RegExp(`^(?:/[^/]*){${at.length}}`);
    this.#place = {
      workspace,
      cid: undefined,
      createdAtMs: undefined,
      sortKey: (nanoseconds) => rowSortKey(nanoseconds, this.#row),
      makeId: (row) =>
        this.#identity.idOf([cidIn(row), readUserId(row.user), asWord(row.created_at), asWord(row.text)]),
      see: (person) => this.#directory.addPerson(person, this.#location, this.#into),
      reactionsOf: () => [],
      pollOf: () => undefined,
    };
  }

  add(found: GoodRow, into: Entry[]): undefined {
    const { value, key, parentKey, location } = found;
    this.#location = location;
    this.#into = into;
    const around = this.#channel.exec(location.pointer ?? '')?.[0] ?? '';
    if (around !== this.#around) this.#finishChannel(into);
    this.#around = around;
    if (parentKey === 'channel') this.#fields[key ?? ''] = value;
    else if (parentKey === 'messages') this.#addMessage(value, location, into);
    else if (parentKey === 'members' || parentKey === 'read')
      this.#directory.addMember(
        asObject<StreamMember>(value) ?? {},
        parentKey === 'read' ? undefined : this.#cid(),
        location,
        into,
      );
    else if (parentKey === 'pinned_messages') this.#gaps.seeCopy(value);
    else if (parentKey === 'pending_messages')
      this.#counts.add('stream-not-migrated', 'messages that wait for approval');
    else addUnreadRow(found, into);
  }

  /** A value between the lists is no row. */
  addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (fault.scope !== 'no-row') into.push(invalidEntry(fault.code, fault.reason, location, this.#cid()));
  }

  end(): readonly Entry[] {
    const into: Entry[] = [];
    this.#finishChannel(into);
    this.#directory.describeChannels(into);
    this.#counts.end(this.#path, into);
    return into;
  }

  #cid(): string | undefined {
    const { cid, type, id } = this.#fields as Untrusted<StreamChannel>;
    return asString(cid) ?? makeCid(type, id, undefined);
  }

  #addMessage(value: unknown, location: Location, into: Entry[]): void {
    this.#row += 1;
    this.#gaps.see(value);
    const row = asObject<StreamMessage>(value);
    if (row === undefined) {
      into.push(invalidEntry('not-an-object', `Expected a message, found ${wordFor(value)}`, location, this.#cid()));
      return;
    }
    this.#place.cid = this.#cid();
    const read = readMessage(row, this.#place);
    into.push(readEntry(read, location, cidIn(row) ?? this.#place.cid));
  }

  #finishChannel(into: Entry[]): void {
    const fields = this.#fields;
    const gaps = this.#gaps;
    this.#fields = {};
    this.#gaps = new ChannelGaps();
    if (Object.keys(fields).length === 0) return;
    const location = { path: this.#path, pointer: `${this.#around}/channel` };
    const begin = into.length;
    try {
      this.#directory.addChannel(fields, location, into);
      into.push(...gaps.end(fields.message_count, location));
    } catch (error) {
      // It comes to light at the first row behind the channel, which is none of its business.
      leaveOutRow(error, { into, begin, location });
    }
  }
}

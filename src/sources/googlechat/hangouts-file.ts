import type { ExportInput } from '../../io/input/export-input.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { Described } from '../kit/described.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import { type BadRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { decideByOutline, type FileOutline } from '../kit/rows/whole-outline.ts';
import { asArray, asId, asObject, asString, asWord, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { eventMessage, hangoutsPersonId } from './hangouts-event.ts';
import type { HangoutsConversation, HangoutsEvent, HangoutsParticipant } from './hangouts-format.ts';

type Fields = Record<string, unknown>;

const list = (...pattern: string[]): JsonRowsAt => ({ layout: 'list', pattern });
const layouts = {
  older: {
    conversation: list('conversation_state', '*', 'conversation_state', 'conversation'),
    events: list('conversation_state', '*', 'conversation_state', 'event'),
  },
  newer: { conversation: list('conversations', '*', 'conversation'), events: list('conversations', '*', 'events') },
};

function layoutIn({ outline }: FileOutline): (typeof layouts)['older' | 'newer'] | undefined {
  const keys = outline.get('');
  if (keys?.has('conversation_state')) return layouts.older;
  return keys?.has('conversations') ? layouts.newer : undefined;
}

/**
 * The entries of a `Hangouts.json`, which is read twice: conversations, then events.
 *
 * Memory: what the file says of conversations and people, some hundred bytes each.
 */
export async function* readHangouts(
  input: ExportInput,
  path: string,
  workspace: string,
): AsyncGenerator<readonly Entry[]> {
  const at = (await decideByOutline(input, path, 64 * 1024, layoutIn)) ?? layouts.newer;
  const found = new Map<string, Fields>();
  for await (const rows of readJsonRows(input.open(path), path, at.conversation)) {
    for (const { fault, ...row } of rows) {
      // Faults are met again where events are read.
      if (fault || !('key' in row) || row.key === undefined || row.parentKey === undefined) continue;
      const fields = found.get(row.parentKey) ?? {};
      found.set(
        row.parentKey,
        Object.assign(fields, row.key === 'conversation' ? asObject(row.value) : { [row.key]: row.value }),
      );
    }
  }
  const file = new HangoutsFile(workspace);
  yield [...found].flatMap(([index, fields]) => file.describe(path, index, fields));
  yield* readJsonEntries(input, path, at.events, file);
}

class HangoutsFile implements JsonFile {
  readonly #workspace: string;
  /** Ids of conversations by their location. */
  readonly #ids = new Map<string, string>();
  readonly #people = new Described();
  #row = 0;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** A conversation, and who is in it. */
  describe(path: string, index: string, value: Fields): Entry[] {
    const fields: Untrusted<HangoutsConversation> = value;
    const id = idOf(fields.id) ?? idOf(value.conversation_id);
    if (id === undefined) return [];
    this.#ids.set(index, id);
    const location = { path };
    const members: string[] = [];
    const into: Entry[] = [];
    for (const one of asArray(fields.participant_data)) {
      const participant = asObject<HangoutsParticipant>(one);
      const person = hangoutsPersonId(participant?.id);
      if (person === undefined || members.includes(person)) continue;
      members.push(person);
      const name = asString(participant?.fallback_name);
      const known = this.#people.nameOf('user', person);
      if (known !== undefined && (name === undefined || known !== person)) continue;
      const user = { kind: 'user', id: person, name: name ?? person } as const;
      this.#people.describe(user, location, into);
    }
    return [...into, recordEntry(readConversation(fields, id, members), location)];
  }

  add({ value, location, parentKey }: GoodRow, into: Entry[]): undefined {
    this.#row += 1;
    const event = asObject<HangoutsEvent>(value);
    const conversation = this.#ids.get(parentKey ?? '') ?? idOf(event?.conversation_id);
    const reject = (code: string, reason: string) => void into.push(invalidEntry(code, reason, location, conversation));
    if (!event) return reject('not-an-object', `Expected an event, found ${wordFor(value)}`);
    const id = asId(event.event_id);
    if (id === undefined || conversation === undefined)
      return reject('missing-id', `Expected a text as "event_id" of a conversation, found ${describe(event.event_id)}`);
    const micros = asWord(event.timestamp);
    if (!/^\d{13,17}$/.test(micros))
      return reject('googlechat-bad-event', `Expected microseconds as "timestamp", found ${describe(event.timestamp)}`);
    const nanoseconds = Number(micros.slice(-3)) * 1000;
    const origin = { source: 'googlechat', workspace: this.#workspace, conversation, id };
    const place = { origin, sentAtMs: Number(micros.slice(0, -3)), sortKey: rowSortKey(nanoseconds, this.#row) };
    const record = eventMessage(event, place, (person) => this.#people.nameOf('user', person) ?? person);
    if (record.author !== undefined && this.#people.nameOf('user', record.author) === undefined) {
      const user = { kind: 'user', id: record.author, name: record.author } as const;
      this.#people.add(user);
      into.push(recordEntry(user, location));
    }
    into.push(recordEntry(record, location));
    return undefined;
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    into.push(invalidEntry(fault.code, fault.reason, location));
  }

  end(): Entry[] {
    return [];
  }
}

const idOf = (value: unknown): string | undefined => asId(asObject<{ id: string }>(value)?.id) ?? asString(value);

function readConversation(
  { type, name }: Untrusted<HangoutsConversation>,
  id: string,
  members: string[],
): ConversationRecord {
  const isDirect = type === 'STICKY_ONE_TO_ONE' && members.length > 0 && members.length <= 2;
  const title = asString(name) ?? '';
  const kind = isDirect ? 'direct' : title === '' ? 'group-direct' : 'private';
  return { kind: 'conversation', id, type: kind, name: isDirect ? '' : title, members };
}

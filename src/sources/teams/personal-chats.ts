import type { ExportInput } from '../../io/input/export-input.ts';
import { readJsonRows } from '../kit/rows/json-rows.ts';
import { asString } from '../kit/narrow.ts';
import { Fields } from './format.ts';
import { jsonIn, peopleIn } from './personal-ids.ts';

/** Data of a conversation in a personal export, without its messages. */
export interface PersonalChat {
  readonly id: string;
  readonly name: string | undefined;
  readonly members: readonly string[];
}

export interface PersonalChats {
  readonly chats: ReadonlyMap<string, PersonalChat>;
  /** Data that no record holds, with the number of conversations that have it. */
  readonly notMigrated: ReadonlyMap<string, number>;
}

/** Maximum size of a value next to the messages. Lists of messages are larger; they are skipped without being held in memory. */
const detailBytesMax = 256 * 1024;

/** Reads the file once for the data next to the messages. Memory: about 300 bytes a conversation, and its people. */
export async function readPersonalChats(input: ExportInput, path: string): Promise<PersonalChats> {
  const reader = new ChatReader();
  const at = { layout: 'list', pattern: ['conversations', '*'] } as const;
  const options = { elementBytesMax: detailBytesMax };
  try {
    for await (const rows of readJsonRows(input.open(path), path, at, options)) {
      for (const row of rows) if (!row.fault) reader.add(row.parentKey, row.key, row.value);
    }
  } catch {
    // Damage is reported when messages are read.
  }
  reader.end();
  return reader;
}

class ChatReader implements PersonalChats {
  readonly chats = new Map<string, PersonalChat>();
  readonly notMigrated = new Map<string, number>();
  #at: string | undefined;
  #chat: { id: string | undefined; name: string | undefined; members: string[] } | undefined;

  /** @param at The number of the conversation. */
  add(at: string | undefined, key: string | undefined, value: unknown): void {
    if (at !== this.#at) this.end();
    this.#at = at;
    this.#chat ??= { id: undefined, name: undefined, members: [] };
    if (key === 'id') this.#chat.id = asString(value);
    else if (key === 'displayName') this.#chat.name = asString(value);
    else if (key === 'threadProperties') this.#chat.members = peopleIn(new Fields(jsonIn(value)).get('members'));
    else if (key === 'properties') this.#addSettings(new Fields(jsonIn(value)));
  }

  end(): void {
    const { id, name, members = [] } = this.#chat ?? {};
    if (id !== undefined && !this.chats.has(id)) this.chats.set(id, { id, name, members });
    this.#chat = undefined;
  }

  #addSettings(properties: Fields): void {
    const count = (what: string) => this.notMigrated.set(what, (this.notMigrated.get(what) ?? 0) + 1);
    if (asString(properties.get('consumptionhorizon')) !== undefined) count('a read position');
    if (properties.get('conversationblocked') === true) count('a blocked person');
  }
}

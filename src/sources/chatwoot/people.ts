import type { UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { ChatwootMessage, ChatwootSender } from './format.ts';

/** The tables of Chatwoot's database: people have the same ids, whether they are read from there or from answers. */
const tables: Readonly<Record<string, string>> = {
  contact: 'Contact',
  user: 'User',
  agent: 'User',
  agent_bot: 'AgentBot',
  agentbot: 'AgentBot',
  captain_assistant: 'Captain::Assistant',
};

/** A type that is not known is taken for a table. */
function tableOf(type: unknown): string | undefined {
  const said = asString(type);
  const key = said?.toLowerCase() ?? '';
  return Object.hasOwn(tables, key) ? tables[key] : said;
}

const bots: ReadonlySet<string> = new Set(['AgentBot', 'Captain::Assistant']);

/** @param type For lists of contacts or agents, whose entries do not say it. */
export function readPerson(value: unknown, type?: 'contact' | 'user'): UserRecord | undefined {
  const person = asObject<ChatwootSender>(value);
  const id = asId(person?.id);
  const table = tableOf(type ?? person?.type);
  if (person === undefined || id === undefined || table === undefined) return undefined;
  const email = asString(person.email);
  const isBot = bots.has(table);
  const own = `${table}:${id}`;
  return compact<UserRecord>({
    kind: 'user',
    id: own,
    name: asString(person.available_name) ?? asString(person.name) ?? email ?? own,
    handle: asId(person.identifier),
    email,
    avatarUrl: asString(person.thumbnail) ?? asString(person.avatar_url),
    ...(isBot && { role: 'bot', isBot }),
  });
}

/** Returns the author of a message, as far as the row says: whole, or by the id alone. Who has no id is known by name. */
export function readSender(
  row: Untrusted<ChatwootMessage>,
): { readonly id: string; readonly person?: UserRecord } | undefined {
  const sender = asObject<ChatwootSender>(row.sender);
  const type = sender?.type ?? row.sender_type;
  const person = sender && readPerson({ ...sender, id: asId(sender.id) ?? asString(sender.name), type });
  if (person) return { id: person.id, person };
  const table = tableOf(row.sender_type);
  const id = asId(row.sender_id);
  return table === undefined || id === undefined ? undefined : { id: `${table}:${id}` };
}

import type { Proposal } from '../../source.ts';
import { aliases, columnsNamed } from './aliases.ts';
import { answeredColumnFaults } from './answered-columns.ts';
import { Draft, namesOf } from './columns.ts';
import { proposeMessages } from './messages.ts';
import { proposeConversations, proposeUsers } from './people.ts';
import type { TableSample } from '../row.ts';

/**
 * How these tables would be bound, with the evidence for it: names that usually mean this, values that look like that.
 * What the user has decided is kept and taken into account. `options` holds what is decided or has one reading; where
 * there are more, the finding has alternatives and the option is missing.
 *
 * @param options The `source:` section so far, unparsed.
 */
export function proposeBindings(samples: readonly TableSample[], options: Readonly<Record<string, unknown>>): Proposal {
  const draft = new Draft(options);
  const nulls = Array.isArray(options.nulls) ? options.nulls.map(String) : ['\\N', 'NULL'];
  const { messages, users, conversations } = proposeTables(samples, draft);
  proposeMessages(messages.flatMap(({ rows }) => rows).slice(0, rowsMax), draft, nulls);
  if (users[0]) proposeUsers({ rows: users[0].rows, nulls }, draft);
  if (conversations[0]) proposeConversations({ rows: conversations[0].rows, nulls }, draft);
  // Files may have columns of their own: all of them are looked at.
  const rowsOf = (samples: readonly TableSample[]) => samples.flatMap(({ rows }) => rows);
  const faults = [
    ...answeredColumnFaults('messages', options.messages, rowsOf(messages)),
    ...answeredColumnFaults('users', options.users, rowsOf(users)),
    ...answeredColumnFaults('conversations', options.conversations, rowsOf(conversations)),
  ];
  return { options: draft.options, findings: draft.findings, faults };
}

/** Rows that are looked at, of all files of messages together. */
const rowsMax = 1000;

type Kind = 'messages' | 'users' | 'conversations';

/** The samples of each kind of table. */
export type SortedSamples = Readonly<Record<Kind, readonly TableSample[]>>;

const namedLike: Readonly<Record<Kind, RegExp>> = {
  messages: /messag|msg|post|comment|chat.?log|nachricht/i,
  users: /user|people|person|member|profile|contact|agent|customer|account|benutzer/i,
  conversations: /room|channel|conversation|thread|group|dialog|chats?\b|ticket/i,
};

/** Which table is what: as the user says, else by names and columns. Messages are what has a time and a text. */
function proposeTables(samples: readonly TableSample[], draft: Draft): SortedSamples {
  const sorted: Record<Kind, TableSample[]> = { messages: [], users: [], conversations: [] };
  for (const sample of samples) {
    const kind = decidedKind(sample, draft) ?? (samples.length === 1 ? 'messages' : kindOf(sample));
    if (kind) sorted[kind].push(sample);
  }
  const isSorted = (sample: TableSample) => Object.values(sorted).some((kind) => kind.includes(sample));
  const holders = samples.filter((sample) => !isSorted(sample) && holdsMessages(sample, sorted.messages));
  if (sorted.conversations.length === 0) sorted.conversations.push(...holders);
  const needsTables =
    samples.length > sorted.messages.length || sorted.messages.some(({ table }) => Object.keys(table).length > 0);
  if (!needsTables) return sorted;
  for (const kind of ['messages', 'users', 'conversations'] as const) {
    const [first] = sorted[kind];
    if (!first) continue;
    const paths = [...new Set(sorted[kind].map(({ path }) => path))];
    draft.choose(`tables.${kind}`, {
      value: { file: globOf(paths), ...first.table },
      because: `${paths.length === 1 ? `"${paths[0]}"` : `${paths.length} files`} with ${namesOf(first.rows).slice(0, 6).join(', ')}`,
      isRequired: kind === 'messages',
    });
  }
  if (sorted.messages.length === 0 && draft.at('tables.messages') === undefined) {
    draft.choose('tables.messages', {
      because: 'no table has both a time and a text',
      alternatives: samples.slice(0, 10).map(({ path, table, rows }) => ({
        value: { file: path, ...table },
        because: namesOf(rows).slice(0, 6).join(', '),
      })),
      isRequired: true,
    });
  }
  return sorted;
}

/** Whether the lists of messages stand inside the rows of this one, as those of rooms do, and the rows say more of themselves. */
function holdsMessages({ path, table, rows }: TableSample, messages: readonly TableSample[]): boolean {
  const isAround = (inner: TableSample) =>
    inner.path === path && String(inner.table.list ?? '').startsWith(`${String(table.list ?? '')}/*/`);
  const { id, name } = aliases.conversation;
  const has = (list: string) => columnsNamed(namesOf(rows), list).length > 0;
  return messages.some(isAround) && has(id) && has(name);
}

function decidedKind({ path, table }: TableSample, draft: Draft): Kind | undefined {
  return (['users', 'conversations', 'messages'] as const).find((kind) => {
    const file = draft.at(`tables.${kind}.file`);
    const list = draft.at(`tables.${kind}.list`);
    return file === path && (list === undefined || list === (table.list ?? ''));
  });
}

function kindOf({ path, table, rows }: TableSample): Kind | undefined {
  const names = namesOf(rows);
  const has = (list: string) => columnsNamed(names, list).length > 0;
  const label = `${path} ${typeof table.list === 'string' ? table.list : ''}`.split('/').at(-1)!;
  const { message, user, conversation } = aliases;
  if (has(message.text) && has(message.time)) return 'messages';
  if (!has(user.id)) return undefined;
  if (namedLike.users.test(label) || has(user.email)) return 'users';
  if (namedLike.conversations.test(label) && has(conversation.id)) return 'conversations';
  if (namedLike.messages.test(label) && has(message.text)) return 'messages';
  return has(user.handle) || has(user.firstName) ? 'users' : has(conversation.name) ? 'conversations' : undefined;
}

/** One pattern for several paths: what they begin and end with alike, and a star. */
function globOf(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  if (others.length === 0) return first;
  let start = 0;
  while (start < first.length && others.every((path) => path[start] === first[start])) start += 1;
  let end = 0;
  const endMax = Math.min(...paths.map(({ length }) => length)) - start;
  while (end < endMax && others.every((path) => path.at(-1 - end) === first.at(-1 - end))) end += 1;
  const middle = paths.some((path) => path.slice(start, path.length - end).includes('/')) ? '**' : '*';
  return first.slice(0, start) + middle + (end === 0 ? '' : first.slice(-end));
}

import { docsLink } from '../../../../lib/docs-link.ts';
import { countOf } from '../../../../lib/text/count.ts';
import type { Reading } from '../../../table-source.ts';
import { type ColumnProfile, distinct, type Draft, textsIn } from '../columns.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import type { Graph } from '../graph/graph.ts';
import { describeValues, everyRow, offeredValues, repeats } from '../which-rows.ts';

/** Whether a column is named like the account, site or workspace to which rows belong, and has several. */
export const isOfTenants = (profile: ColumnProfile): boolean =>
  namesTenant(profile.name) &&
  (repeats(profile) || distinct(profile).length < profile.texts.length) &&
  distinct(profile).length > 1;

const namesTenant = (name: string): boolean =>
  /(?:^|[_.\s])(?:account|tenant|realm|organi[sz]ation|org|workspace|company|app|application|site|team|brand|instance|client_?app)(?:_?id|_?sid|_?key)?$/i.test(
    name.replace(/([a-z])([A-Z])/g, '$1_$2'),
  );

/**
 * Asks whose conversations are read if their table says it, and that of messages does not. Else the table of people may
 * say it: of those, none who write to each other belong to different tenants.
 */
export function askWhoseConversations(
  graph: Graph,
  tables: Readonly<Record<'messages', TableFacts> & Partial<Record<'conversations' | 'users', TableFacts | undefined>>>,
  draft: Draft,
): void {
  const { messages, conversations, users } = tables;
  const isAsked = draft.findings.some(
    ({ key }) => /^messages\.only\./.test(key) && namesTenant(key.replaceAll('"', '')),
  );
  const said = [draft.at('messages.only'), draft.at('messages.skipWhen')].flatMap((rules) => Object.keys(rules ?? {}));
  if (isAsked || said.some(namesTenant) || textsIn(draft.at('messages.conversation')).some(mentionsTenant)) return;
  const ofRooms = conversations && findTenants(graph, conversations, 'conversations', draft);
  if (conversations && ofRooms) {
    const readings = offeredValues(ofRooms.profile).map(([value, rows]) => ({
      value: [value],
      because: `${countOf(rows, 'conversation')}, with the messages in them`,
    }));
    ask('conversations', conversations, ofRooms, draft, ['which conversations should be read?', readings]);
    return;
  }
  const ofPeople = users && findTenants(graph, users, 'users', draft);
  if (!users || !ofPeople || writeToEachOther(graph, { messages, users, tenant: ofPeople.name }, draft)) return;
  const where = `see "One of several tenants" in ${docsLink('guides/databases')}`;
  ask('users', users, ofPeople, draft, [
    `nobody writes to people of another: for the messages of one of them, ${where}`,
    [],
  ]);
}

const mentionsTenant = (text: string): boolean =>
  [text, ...[...text.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)].some(namesTenant);

function ask(
  section: 'conversations' | 'users',
  table: TableFacts,
  { name, profile }: ColumnFacts,
  draft: Draft,
  [question, readings]: readonly [string, readonly Reading[]],
): void {
  const because = `"${name}" of "${table.name}" has ${describeValues(profile)}: ${question}`;
  draft.askRows(section, name, because, [...readings, { value: everyRow, because: 'those of all of them' }]);
}

/** Names that say nothing but whose a row is. */
const surely = /tenant|realm|workspace|organi[sz]ation|(?:^|_)org(?:$|_)/i;

/** A column of tenants that nothing else reads and that names no person. One with another value in each row is one if its name, or a table of them, says so. */
function findTenants(graph: Graph, table: TableFacts, section: string, draft: Draft): ColumnFacts | undefined {
  const bound = new Set(textsIn(draft.at(section)));
  const edges = new Map(graph.best(table).map((edge) => [edge.column.name, edge]));
  return table.columns.find(({ name, profile, shape }) => {
    const to = edges.get(name)?.to;
    const isOther = bound.has(name) || name === table.key?.name || shape === 'empty' || (to && graph.isPeople(to));
    if (isOther || !namesTenant(name) || distinct(profile).length < 2) return false;
    return isOfTenants(profile) || to !== undefined || surely.test(name);
  });
}

/** Whether people of several tenants write in one conversation: then they are colleagues of several companies. */
function writeToEachOther(
  graph: Graph,
  { messages, users, tenant: name }: Readonly<Record<'messages' | 'users', TableFacts> & { tenant: string }>,
  draft: Draft,
): boolean {
  const [author, room] = [draft.at('messages.author'), draft.at('messages.conversation')];
  const edge = graph.from(messages).find(({ to, column }) => to === users && column.name === author);
  const key = edge?.key ?? users.key;
  if (typeof author !== 'string' || typeof room !== 'string' || !key) return true;
  const tenants = new Map(users.sample.rows.map((row) => [String(row.get(key.name)), String(row.get(name))]));
  const inRooms = new Map<string, string>();
  const found = new Set<string>();
  for (const row of messages.sample.rows) {
    const tenant = tenants.get(String(row.get(author)));
    if (tenant === undefined) continue;
    const before = inRooms.get(String(row.get(room)));
    if (before !== undefined && before !== tenant) return true;
    inRooms.set(String(row.get(room)), tenant);
    found.add(tenant);
  }
  return found.size < 2;
}

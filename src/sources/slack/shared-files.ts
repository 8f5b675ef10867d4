import { formatCount } from '../../lib/text/count.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { problemEntry, recordEntry } from '../kit/entries.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import { type Conversations, listedType, readPins, placeholderConversation, toConversation } from './conversations.ts';
import { rowsInFile } from './file-rows.ts';
import type { SlackConversation, SlackUser } from './format.ts';
import type { ConversationFolder, ConversationList, Layout } from './layout.ts';
import { Members } from './members.ts';
import { asObject, asString } from '../kit/narrow.ts';
import { countDetails, type People, toUser } from './people.ts';

/** Data collected from the lists. */
export interface Directory {
  readonly people: People;
  readonly conversations: Conversations;
}

/**
 * Everything that day files refer to: people, then conversations, then a placeholder for each folder that no list names.
 * A broken list is a problem, and reading goes on: whom or what it does not name is shown by id.
 */
export async function* readLists(
  input: ExportInput,
  layout: Layout,
  directory: Directory,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  for (const path of layout.userLists) {
    signal.throwIfAborted();
    const details = new Map<string, number>();
    yield* readList(input, path, (raw, location) => userEntries(raw, location, directory, details));
    for (const [what, count] of details) {
      const reason = `${what} of ${count === 1 ? 'a person' : `${formatCount(count)} people`}`;
      yield { type: 'problem', code: 'profile-detail-not-migrated', reason, location: { path }, count };
    }
  }
  const members = new Members(input, layout.memberLists);
  for (const list of layout.conversationLists) {
    signal.throwIfAborted();
    const readEntries = (raw: unknown, location: Location) => conversationEntries(raw, list, location, directory);
    yield* list.type === undefined
      ? readList(input, list.path, async (raw, location) => {
          const { row, entries } = await members.addedTo(raw);
          return [...entries, ...readEntries(row, location)];
        })
      : readList(input, list.path, readEntries);
  }
  const paths = [...layout.conversationLists.map(({ path }) => path), ...layout.userLists];
  yield* placeholders(layout.folders, paths[0], directory);
  for (const path of paths) yield { type: 'file', path, role: 'shared' };
  yield* members.files();
}

async function* readList(
  input: ExportInput,
  path: string,
  entriesOf: (raw: unknown, location: Location) => Iterable<Entry> | Promise<Iterable<Entry>>,
): AsyncGenerator<Entry> {
  for await (const { rows, fault } of rowsInFile(input, path)) {
    for (const { value, location } of rows) {
      const into: Entry[] = [];
      try {
        for (const entry of await entriesOf(value, location)) into.push(entry);
      } catch (error) {
        leaveOutRow(error, { into, begin: 0, location });
      }
      yield* into;
    }
    if (fault) yield problemEntry(fault.code, fault.reason, fault.location);
  }
}

function* userEntries(
  raw: unknown,
  location: Location,
  { people }: Directory,
  details: Map<string, number>,
): Generator<Entry> {
  const user = asObject<SlackUser>(raw);
  const record = user && toUser(user);
  if (!record) yield problemEntry('user-without-id', 'A person without "id"', location);
  else if (people.add(user, record)) {
    countDetails(user, details);
    yield recordEntry(record, location);
  }
}

function* conversationEntries(
  raw: unknown,
  { base, type }: ConversationList,
  location: Location,
  { conversations }: Directory,
): Generator<Entry> {
  const listed = asObject<SlackConversation>(raw);
  const record = listed && toConversation(listed, type ?? listedType(listed));
  if (!record) return yield problemEntry('conversation-without-id', 'A conversation without "id"', location);
  // Files of the API are named by id.
  const folder = type === undefined ? '' : (asString(listed.name) ?? '');
  const isShared = folder !== '' && conversations.sharesFolder(base, record, folder);
  if (!conversations.add(base, record, folder, readPins(listed))) return;
  yield recordEntry(record, location);
  if (isShared) {
    const words = `"${base}${folder}" is the folder of a public and of a private conversation: its content is read as private`;
    yield problemEntry('shared-folder', words, location);
  }
  const reason = oddity(record, conversations);
  if (reason) yield problemEntry(reason.code, reason.text, location, reason.about);
}

function oddity(
  record: ConversationRecord,
  conversations: Conversations,
): { code: string; text: string; about?: readonly string[] } | undefined {
  const isDirect = record.type === 'direct' || record.type === 'group-direct';
  if (isDirect && record.members.length === 0) {
    return { code: 'no-members', text: `The direct conversation "${record.id}" does not say who is in it` };
  }
  const other = conversations.sameDirectAs(record);
  if (other === undefined) return undefined;
  return {
    code: 'second-direct-conversation',
    text: `"${record.id}" has the same people as the direct conversation "${other}"`,
    about: [record.id, other],
  };
}

/**
 * Yields conversations that no list names. They come with the lists and not with their day files, so that every reader
 * of a part of the export knows them all.
 *
 * @param list The list that should have named the conversation; without any list, its first day file is used instead.
 */
function* placeholders(
  folders: readonly ConversationFolder[],
  list: string | undefined,
  { conversations }: Directory,
): Generator<Entry> {
  for (const folder of folders) {
    const { base, name, files } = folder;
    if (conversations.ofFolder(folder)) continue;
    const record = placeholderConversation(base, name);
    conversations.add(base, record, folder.isById ? '' : name);
    const location = { path: list ?? files[0]! };
    yield recordEntry(record, location);
    const kind = record.type === 'private' ? 'private conversation' : 'direct conversation';
    yield problemEntry(
      'unlisted-folder',
      `No list names the folder "${base}${name}": it is read as a ${kind} of that name`,
      location,
      [record.id],
    );
  }
}

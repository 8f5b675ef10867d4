import type { ExportInput } from '../../io/input/export-input.ts';
import { parseJsonHead } from '../../io/json/json-head.ts';
import { SourceError } from '../../lib/errors.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { asArray, asObject, type Untrusted } from '../kit/narrow.ts';
import { FileEnd } from '../kit/rows/fields-behind.ts';
import { isDeletedName, type MetaThread } from './format.ts';
import { asRepaired } from './mojibake.ts';

/** Fields of a thread before and after its messages. */
export interface ThreadFacts {
  readonly fields: Untrusted<MetaThread>;
  /** Whether its first message is later than its last. */
  readonly isNewestFirst: boolean;
}

const part = /(?:^|\/)message(?:_(\d{1,4}))?\.json$/;

/** Whether a file is called as a part of a thread: `message_2.json`, and `message.json` until 2019. */
export const isPart = (path: string): boolean => part.test(path);

/** Its number, from the latest messages back. */
export const numberOf = (path: string): number => Number(part.exec(path)?.[1] ?? 1);

const endBytes = 64 * 1024;

/** Reads both ends of a file: the title is after the messages. */
export async function inspectThread(input: ExportInput, path: string): Promise<ThreadFacts> {
  const head = Buffer.from(await headOrNothing(input, path, endBytes));
  const tail = await readTail(input, path);
  // Parses only the data around the messages: parsing some messages too would take ten times as long.
  const text = head.toString('utf8');
  const start = text.search(/"messages"\s*:/);
  const before = parseJsonHead(start === -1 ? head : Buffer.from(text.slice(0, start)));
  const fields = { ...asObject<MetaThread>(before?.value), ...fieldsBehind(tail) };
  const isPlain = typeof asArray(fields.participants)[0] === 'string';
  const key = isPlain || !text.includes('"timestamp_ms"') ? '"timestamp"' : '"timestamp_ms"';
  const msIn = (text: string, at: number) => Number(/^\s*:\s*(\d{9,14})\b/.exec(text.slice(at + key.length))?.[1] ?? 0);
  const firstMs = msIn(text, text.indexOf(key));
  const lastMs = msIn(tail, tail.lastIndexOf(key));
  return { fields, isNewestFirst: isPlain ? firstMs > lastMs : firstMs >= lastMs };
}

async function readTail(input: ExportInput, path: string): Promise<string> {
  const end = new FileEnd(endBytes);
  try {
    for await (const chunk of input.open(path)) end.push(chunk);
  } catch (error) {
    // The reader of the file reports the reason.
    if (!(error instanceof SourceError)) throw error;
  }
  return Buffer.from(end.text, 'latin1').toString('utf8');
}

const keyBehind =
  /"(?:participants|title|threadName|thread_name|thread_path|thread_type|is_still_participant|image|joinable_mode|magic_words)"\s*:/g;

const keysMax = 50;

/** Fields of the thread at the end of its file: from the first of their keys from which on everything is one object. */
function fieldsBehind(tail: string): Untrusted<MetaThread> {
  for (const { index } of [...tail.matchAll(keyBehind)].slice(-keysMax)) {
    try {
      return asObject<MetaThread>(JSON.parse(`{${tail.slice(index)}`)) ?? {};
    } catch {
      // A key of the same name in a message, or a file that is cut off.
    }
  }
  return {};
}

/** Returns the names of the members, as often as they occur. */
export const namesIn = ({ participants }: Untrusted<MetaThread>): string[] =>
  asArray(participants).map((one) => asRepaired(asObject<{ name: string }>(one)?.name ?? one) ?? '');

/** Returns the id of a person. Closed accounts have no name of their own, so they are different people in each thread. */
export const personId = (name: string, conversation: string): string =>
  isDeletedName(name) ? `${name || 'Facebook user'} (${conversation})` : name;

/** `…/messages/archived_threads/ann_1/`: folder of a thread that is not among the others. */
const section =
  /(?:^|\/)(archived_threads|filtered_threads|message_requests|e2ee_cutover|legacy_threads)\/[^/]+\/[^/]+$/;

/**
 * @param id Identifies the thread: its folder.
 */
export function readConversation(fields: Untrusted<MetaThread>, id: string, path: string): ConversationRecord {
  const names = namesIn(fields);
  const members = [...new Set(names.map((name) => personId(name, id)))];
  const title = findTitle(fields, path);
  const isCalledSo = title === undefined || isDeletedName(title) || names.includes(title);
  const isGroup =
    fields.thread_type === 'RegularGroup' ||
    fields.joinable_mode !== undefined ||
    fields.thread_name !== undefined ||
    names.length > 2;
  const isDirect = !isGroup && isCalledSo && members.length > 0 && members.length === names.length;
  const [, folder] = section.exec(path) ?? [];
  const metadata = {
    ...(folder !== undefined && { folder }),
    ...(fields.is_still_participant === false && { isStillParticipant: false }),
  };
  return {
    kind: 'conversation',
    id,
    type: isDirect ? 'direct' : 'private',
    name: isDirect ? '' : (title ?? names.join(', ')),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    members,
  };
}

/** Files of encrypted chats may have the number of the file in their title. */
function findTitle({ title, threadName, thread_name }: Untrusted<MetaThread>, path: string): string | undefined {
  const name = asRepaired(threadName);
  if (name === undefined) return asRepaired(title) ?? asRepaired(thread_name);
  const [, number = ''] = /(_\d+)\.json$/.exec(path) ?? [];
  return number !== '' && name.endsWith(number) ? name.slice(0, -number.length) : name;
}

/**
 * Returns the folder of the thread, which stays when it is archived; for a file without one, the name in the file.
 * Files of encrypted chats are named `<Name>_3.json`, and the number may change in the next export: it counts only if
 * names are the same.
 */
export function findThreadId(
  path: string,
  { thread_path: named, title, participants }: Untrusted<MetaThread>,
  paths: readonly string[],
): string {
  const [folder, file] = path.split('/').slice(-2).length === 2 ? path.split('/').slice(-2) : [undefined, path];
  const base = file!.replace(/\.json$/i, '');
  if (!isPart(path) && typeof asArray(participants)[0] === 'string') {
    const name = base.replace(/_\d+$/, '');
    const start = path.slice(0, path.length - file!.length) + name;
    const alike = paths.filter((other) => other.startsWith(start) && /^_\d+\.json$/.test(other.slice(start.length)));
    return alike.length > 1 ? base : name;
  }
  if (isPart(path) && folder !== undefined) return folder;
  return asRepaired(named)?.split('/').at(-1) || asRepaired(title) || base;
}

import type { ExportInput } from '../../io/input/export-input.ts';
import { SourceError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/text/count.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { problemEntry } from '../kit/entries.ts';
import { asArray, asCount, asString } from '../kit/narrow.ts';
import { type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { leaveOutRow } from '../kit/rows/row-boundary.ts';
import type { Directory } from './directory.ts';
import { Fields } from './format.ts';

/** Bytes of one field of a chat: lists of messages are larger, and skipped without being held. */
const fieldBytesMax = 256 * 1024;

/**
 * Yields the chats and channels of a file that hold their messages, without the messages. Their fields may come before
 * or after the messages. Memory: the fields of one chat.
 *
 * @param at Location of the messages; rows that hold them whole describe themselves.
 */
export async function* describeHolders(
  input: ExportInput,
  path: string,
  { at, directory }: { readonly at: JsonRowsAt; readonly directory: Directory },
): AsyncGenerator<readonly Entry[]> {
  if (at.layout !== 'list') return;
  const holder = { layout: 'list', pattern: at.pattern.slice(0, -1) } as const;
  let open: { readonly location: Location; readonly fields: Record<string, unknown> } | undefined;
  const close = (into: Entry[]) => {
    if (open) addHolder(new Fields(open.fields), open.location, { directory, into });
    if (open) into.push(...moreRows('messages', new Fields(open.fields), open.location));
    open = undefined;
  };
  try {
    for await (const rows of readJsonRows(input.open(path), path, holder, { elementBytesMax: fieldBytesMax })) {
      const into: Entry[] = [];
      for (const row of rows) {
        const { location } = row;
        const pointer = location.pointer?.slice(0, location.pointer.lastIndexOf('/')) ?? '';
        if (pointer !== open?.location.pointer) close(into);
        open ??= { location: { path, pointer }, fields: {} };
        if (!row.fault && row.key !== undefined && !/^messages$/i.test(row.key)) open.fields[row.key] = row.value;
      }
      yield into;
    }
  } catch (error) {
    // Damage is reported when the messages are read.
    if (!(error instanceof SourceError)) throw error;
  }
  const into: Entry[] = [];
  close(into);
  yield into;
}

/** Says that rows which belong into this one were not saved: what Graph put into it was a first page. */
export function moreRows(key: 'messages' | 'replies', fields: Pick<Fields, 'get'>, location: Location): Entry[] {
  if (asString(fields.get(`${key}@odata.nextLink`)) === undefined) return [];
  const total = asCount(fields.get(`${key}@odata.count`));
  const saved = asArray(fields.get(key)).length;
  const count = total === undefined || saved === 0 ? 'more' : `${formatCount(Math.max(1, total - saved))} more`;
  const reason = `The row has a first page of its ${key}, and an address under which ${count} are: they are not in this export`;
  return [problemEntry('teams-more-rows', reason, location)];
}

/** Describes a chat or channel that holds messages, as far as it says what it is. */
export function addHolder(
  holder: Fields,
  location: Location,
  { directory, into }: { readonly directory: Directory; readonly into: Entry[] },
): void {
  const has = (key: string) => holder.get(key) !== undefined;
  const isChannel = has('membershipType') || /@thread\.(?:tacv2|skype)$/i.test(asString(holder.get('id')) ?? '');
  const begin = into.length;
  try {
    const kind = isChannel ? 'channels' : has('chatType') || has('topic') ? 'chats' : undefined;
    if (kind !== undefined) directory.add(kind, holder, location, into);
  } catch (error) {
    leaveOutRow(error, { into, begin, location });
  }
}

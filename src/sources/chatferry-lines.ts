import { formatLocation, type Location } from '../lib/text/location.ts';
import { type Entry, isTimelineRow } from '../model/entry.ts';
import type { MessageRecord } from '../model/records.ts';
import { formatCount } from '../lib/text/count.ts';
import { formatVersion, lineBytesMax, type Correction, type Header, type Line } from './chatferry/format.ts';

/** A line as it goes into a file, and what it counts as. */
export interface WrittenLine {
  readonly kind: Line['kind'];
  /** With its line feed. */
  readonly text: string;
}

/**
 * @param source Source of the messages, if it is known before the first of them.
 */
export function writeHeader(source: string | undefined): WrittenLine {
  const header: Header = { kind: 'chatferry', version: formatVersion, ...(source !== undefined && { source }) };
  return print(header);
}

/** Writes an entry as a line. Reading the line yields the entry again, at another location; the old location is in the reason. */
export function writeLine(entry: Exclude<Entry, { type: 'file' }>): WrittenLine {
  const line = print(toLine(entry));
  return isTooLong(line.text) ? print(toLine(refusal(entry, line.text))) : line;
}

/** A message that could not be migrated, with the reason, for a person to correct. */
export function writeFailedMessage(record: MessageRecord, fault: Correction, location: Location): WrittenLine {
  const line = print({ ...record, fault });
  return isTooLong(line.text) ? print(toLine(refusal({ type: 'record', record, location }, line.text))) : line;
}

/**
 * Writes a row that is no message, and cannot be corrected here: reading the file reports it as a problem.
 *
 * @param raw Content of the row, as far as it is known.
 */
export const writeUnreadableRow = (correction: Correction, raw: string | undefined): WrittenLine =>
  print({ kind: 'problem', ...correction, ...(raw !== undefined && { raw }) });

function toLine(entry: Exclude<Entry, { type: 'file' }>): Line {
  if (entry.type === 'record') return entry.record;
  if (entry.type === 'skipped') return { kind: 'skipped', rule: entry.rule, at: formatLocation(entry.location) };
  const { code, reason, location } = entry;
  const line = { code, reason, at: formatLocation(location) };
  if (entry.type === 'problem') {
    const { count, about } = entry;
    return { kind: 'problem', ...line, ...(count !== undefined && { count }), ...(about && { about: [...about] }) };
  }
  return { kind: 'invalid', ...line, ...(entry.conversation !== undefined && { conversation: entry.conversation }) };
}

const print = (line: Line): WrittenLine => ({ kind: line.kind, text: `${JSON.stringify(line)}\n` });

/** A character has three bytes at most (two of them, four). */
const isTooLong = (text: string) => text.length * 3 > lineBytesMax && Buffer.byteLength(text) > lineBytesMax;

const conversationOf = (entry: Exclude<Entry, { type: 'file' }>): string | undefined => {
  if (entry.type === 'invalid') return entry.conversation;
  return entry.type === 'record' && entry.record.kind === 'message' ? entry.record.origin.conversation : undefined;
};

/** Returns an entry in place of a line that every reader would refuse: here the reason can include what it was. */
function refusal(entry: Exclude<Entry, { type: 'file' }>, text: string): Exclude<Entry, { type: 'file' | 'record' }> {
  const isRow = isTimelineRow(entry);
  const reason = `Its line would have ${formatCount(Buffer.byteLength(text))} bytes, more than ${formatCount(lineBytesMax)}`;
  const conversation = conversationOf(entry);
  const why = { code: 'too-large', reason, location: entry.location };
  return isRow
    ? { type: 'invalid', ...why, ...(conversation !== undefined && { conversation }) }
    : { type: 'problem', ...why };
}

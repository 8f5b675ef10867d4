import { oneLine, truncate } from '../lib/text/plain-text.ts';

/**
 * A line for a record that cannot be read, among lines of JSON that were made from a binary file: the other records stay where they are. It
 * begins with a control character, which no JSON does (not with a zero: two of them are UTF-16). A file that holds such a line itself gets an invalid row, as for any line that is no JSON.
 */
const beginning = '\x01unreadable: ';
const reasonMax = 300;

export const faultLine = (reason: string): string => `${beginning}${truncate(oneLine(reason), reasonMax)}`;

export const isFaultLine = (text: string): boolean => text.startsWith(beginning);

/** The reason, if the line is one of these. */
export function parseFaultLine(line: Buffer): string | undefined {
  if (line[0] !== 1 || !line.toString('latin1', 0, beginning.length).startsWith(beginning)) return undefined;
  return truncate(oneLine(line.toString('utf8', beginning.length)), reasonMax);
}

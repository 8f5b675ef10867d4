import type { BeforeAfter, MessagePart } from '../../commands/before-after.ts';
import { displayWidth, truncate, visibleLine } from '../../lib/text/plain-text.ts';

/** Lines that a row of a wide table takes at most. */
const rowLinesMax = 6;

const labelWidth = 16;

/** A row as it stands, and below it the message that it becomes. No line is wider than `columns`. */
export function describeBeforeAfter(shown: BeforeAfter, columns: number): string[] {
  const width = Math.max(40, columns) - labelWidth;
  const before = labelled('row', rowLines(shown.row, width));
  const after = partsOf(shown).map(([label, text]) => labelled(label, [truncate(text, width)])[0]!);
  return [truncate(visibleLine(shown.place), columns), ...before, ...after];
}

const labelled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(labelWidth - 2)}${line}`);

/** What has a value, as many on a line as fit; then the names of what has none. */
function rowLines(row: BeforeAfter['row'], width: number): string[] {
  const filled = row.filter(([, value]) => value !== '');
  const empty = row.filter(([, value]) => value === '').map(([column]) => visibleLine(column));
  const pairs = filled.map(([column, value]) => truncate(visibleLine(`${column}: ${value}`), width));
  const lines: string[] = [];
  for (const [index, pair] of pairs.entries()) {
    const joined = `${lines.at(-1) ?? ''}  ${pair}`;
    if (lines.length > 0 && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else if (lines.length < rowLinesMax) lines.push(pair);
    else return [...lines, `and ${pairs.length - index} more`];
  }
  return empty.length === 0 ? lines : [...lines, truncate(`empty: ${empty.join(', ')}`, width)];
}

function partsOf({ message, names, zone, open }: BeforeAfter): readonly (readonly [label: string, text: string])[] {
  const { author, origin, text, attachments = [], reactions = [], threadRoot, quoteOf, systemEvent } = message;
  const parts: readonly (readonly [part: MessagePart, text: string])[] = [
    ['time', timeOf(message.sentAtMs, zone)],
    ['author', named(author, names.author)],
    ['conversation', named(origin.conversation, names.conversation)],
    ['text', text],
    ['files', attachments.map(({ name, url }) => (url === undefined ? name : `${name} (${url})`)).join(', ')],
    ['reactions', reactions.map(({ emoji, count }) => `${emoji} ${count}`).join(', ')],
    ['reply', [threadRoot && `to ${threadRoot}`, quoteOf && `quotes ${quoteOf}`].filter(Boolean).join(', ')],
  ];
  const shown = parts.flatMap(([part, value]): [string, string][] => {
    if (open.includes(part)) return [[part, '?']];
    return value === '' && part !== 'text' ? [] : [[part, visibleLine(value)]];
  });
  return systemEvent === undefined ? shown : [...shown, ['system line', visibleLine(systemEvent)]];
}

const named = (id: string | undefined, name: string | undefined): string => {
  if (id === undefined) return name === undefined ? 'nobody is named' : `${name} (no id)`;
  return name === undefined || name === id ? id : `${name} (${id})`;
};

/** `2024-03-01 11:00:00 Europe/Berlin (2024-03-01 10:00:00 UTC)`. */
function timeOf(ms: number, zone: string | undefined): string {
  const utc = new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  if (zone === undefined || zone === 'UTC') return `${utc} UTC`;
  // Sweden writes times as ISO 8601 does.
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    ms,
  );
  return `${local} ${zone} (${utc} UTC)`;
}

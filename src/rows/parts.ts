import { truncate, visibleLine, wrap } from '../lib/text/plain-text.ts';
import type { BeforeAfter, MessagePart } from './rows-with-messages.ts';

/** Describes what a row becomes, part by part, in words for people. An undecided part is a question mark. */
export function describeParts({
  message,
  names,
  type,
  zone,
  open,
}: BeforeAfter): readonly (readonly [label: string, text: string])[] {
  const { author, origin, text, attachments = [], reactions = [], threadRoot, quoteOf, systemEvent } = message;
  const parts: readonly (readonly [part: MessagePart, text: string])[] = [
    ['time', localTime(message.sentAtMs, zone)],
    ['author', named(author, names.author)],
    ['conversation', named(origin.conversation, names.conversation)],
    ['seen by', type === undefined ? '' : readers[type]],
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

/** Describes a row, and what it becomes, in at most four lines. */
export function describeBriefly(shown: BeforeAfter, columns: number): string[] {
  const width = Math.max(40, columns) - 4;
  const parts = describeParts(shown).map(([label, text]) => `${label}: ${text}`);
  const filled = shown.row.flatMap(([column, value]) => (value === '' ? [] : [`${column}: ${value}`]));
  const lines = (texts: readonly string[]) => wrap(visibleLine(texts.join('  ')), width).slice(0, 2);
  return [
    ...lines(filled).map((line) => `  ${truncate(line, width)}`),
    ...lines(parts).map((line, index) => `${index === 0 ? '  → ' : '    '}${truncate(line, width)}`),
  ];
}

const readers: Readonly<Record<NonNullable<BeforeAfter['type']>, string>> = {
  direct: 'the two who talk',
  'group-direct': 'its members',
  private: 'its members',
  public: 'everyone',
};

const named = (id: string | undefined, name: string | undefined): string => {
  if (id === undefined) return name === undefined ? 'nobody is named' : `${name} (no id)`;
  return name === undefined || name === id ? id : `${name} (${id})`;
};

export const utcTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** `2024-03-01 11:00:00 Europe/Berlin (2024-03-01 10:00:00 UTC)`. */
function localTime(ms: number, zone: string | undefined): string {
  const utc = utcTime(ms);
  if (zone === undefined || zone === 'UTC') return `${utc} UTC`;
  // Sweden writes times as ISO 8601 does.
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    ms,
  );
  return `${local} ${zone} (${utc} UTC)`;
}

import type { MessageRow, Overview } from '../../sandbox/overview.ts';
import { type Data, entityNames, asList, asObject, dataText, importedMetadata } from './data-parts.ts';
import { describeEvent } from './sentences.ts';
import type { Excerpt } from '../shapes.ts';

const excerptMax = 160;

/** Texts are looked at so far: what is cut off behind it would not be shown. */
const readMax = 4 * excerptMax;

export function buildExcerpts(overview: Overview, rows: readonly MessageRow[]): Excerpt[] {
  const parsed = rows.map((row) => ({ row, data: asObject(JSON.parse(row.data)) }));
  const uids = new Set(
    parsed.flatMap(({ row, data }) => [row.sender, ...mentionedIn(dataText(data.text).slice(0, readMax))]),
  );
  const people = overview.persons.named(uids);
  const nameOf = (uid: string): string => people[uid]?.name ?? uid;
  return parsed.map(({ row, data }) => ({
    id: String(row.id),
    conversation: row.conversationId,
    sender: row.sender,
    sentAt: row.sentAt,
    text: inOneLine(describeRow(row, data, nameOf)),
    isSaid: row.category !== 'action' && row.category !== 'call' && importedMetadata(data).system === undefined,
  }));
}

/** uids that are named in a text as the service writes mentions: `<@uid:…>`. */
export const mentionedIn = (text: string): string[] =>
  [...text.matchAll(/<@uid:([\w-]{1,100})>/g)].map(([, uid]) => uid!);

/** Its first words; else what it is. */
function describeRow(row: MessageRow, data: Data, nameOf: (uid: string) => string): string {
  const { category, type } = row;
  if (row.deletedAt !== null || importedMetadata(data).deleted === true) return 'This message was deleted';
  const text = withoutMarks(dataText(data.text).slice(0, readMax)).replace(
    /<@uid:([\w-]{1,100})>/g,
    (_, uid: string) => `@${nameOf(uid)}`,
  );
  if (text.trim() !== '') return text;
  const names = asList(data.attachments).map((file) => dataText(asObject(file).name) || 'file');
  if (names.length > 0) return names.join(', ');
  const actors = entityNames(asObject(JSON.parse(row.entities ?? '{}')));
  const sentence = describeEvent({ category, type, data, actors: { by: nameOf(row.sender), ...actors } });
  if (sentence !== undefined) return sentence;
  const { title, text: words } = asObject(data.interactiveData);
  return dataText(title ?? words) || `${category}: ${type}`;
}

/** Removes Markdown, which is only in the way in a single line. The text inside the marks stays. */
const withoutMarks = (text: string): string =>
  text
    .replace(/\[([^[\]\n]+)\]\([^()\s]+\)/g, '$1')
    .replace(/\*\*(?=\S)([^*\n]+)\*\*/g, '$1')
    .replace(/(^|[\s([])_(?=\S)([^_\n]+)_(?![\p{L}\p{N}_])/gu, '$1$2')
    .replace(/`+(?:\w+\n)?/g, '')
    .replace(/^(?:> ?)+/gm, '');

const inOneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim().slice(0, excerptMax).toWellFormed();

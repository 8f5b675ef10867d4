import { countOf } from '../../../../lib/text/count.ts';
import { type ColumnChoice, type ColumnProfile, distinct } from '../columns.ts';
import type { TableFacts } from '../graph/facts.ts';
import { isNameOf } from '../graph/links.ts';
import type { Relations } from '../graph/relations.ts';
import { countRows, everyRow } from '../which-rows.ts';

/** Rows of the table of messages that are none of a person, or none of a chat: asked by the values that sort them. */

/** Ids that programs give to nobody: 0, -1, `system`. */
const ofNobody = /^(?:0|-\d{1,3}|system|sys|none|null|nobody|root|server)$/i;

/** Asks whether the platform wrote the rows of an author whom the table of people does not have, and whose id is none that a table counts. */
export function askWhoIsNobody(columns: ColumnChoice, relations: Relations): void {
  const { draft } = columns;
  const author = draft.at('messages.author');
  const edge = typeof author === 'string' ? relations.edgeOf(author) : undefined;
  const isOpen = draft.findings.some(({ key }) => key === 'messages.kind');
  // A guest has a name in the row.
  if (isOpen || draft.at('messages.authorName') !== undefined) return;
  if (typeof author !== 'string' || !edge || !relations.isPeople(edge.to)) return;
  const rows = countRows(columns.profile(author));
  const nobody = [...rows.keys()].filter((id) => ofNobody.test(id) && !edge.key.ids.has(id));
  if (nobody.length === 0) return;
  const valueWith = (ofPlatform: readonly string[]) => ({
    from: author,
    values: Object.fromEntries(nobody.map((id) => [id, ofPlatform.includes(id) ? 'system' : 'message'])),
    otherwise: 'message',
  });
  const shown = nobody.map((id) => `${JSON.stringify(id)} in ${countOf(rows.get(id)!, 'row')}`);
  draft.choose('messages.kind', {
    because: `"${author}" is ${shown.join(', ')}: nobody in "${edge.to.name}" has that id, so did the platform write them?`,
    alternatives: [
      { value: valueWith([]), because: 'no: people wrote them, such as guests' },
      ...nobody.map((id) => ({ value: valueWith([id]), because: `those with ${JSON.stringify(id)}` })),
      ...(nobody.length > 1 ? [{ value: valueWith(nobody), because: 'all of them' }] : []),
    ],
    isRequired: true,
  });
}

const placesMax = 20;

/**
 * Asks which rows belong to a chat, where a type says of what kind the thing is that they belong to: messages, comments on files and notes on
 * orders may be in one table. Not where the type is part of the conversation's id.
 */
export function askWhichPlaces(columns: ColumnChoice, relations: Relations): void {
  const place = columns.draft.at('messages.conversation');
  if (typeof place !== 'string') return;
  const typed = relations.typedPlaces().find(({ id }) => id.name === place)?.type.name;
  const to = relations.edgeOf(place)?.to;
  const name =
    typed ?? columns.names.find((one) => !columns.isUsed(one) && namesTables(columns.profile(one), to, relations));
  if (name === undefined || columns.isUsed(name)) return;
  const rows = [...countRows(columns.profile(name))].sort((a, b) => b[1] - a[1]);
  const isRoom = ([word]: readonly [string, number]) => (to ? isNameOf(word, to) : relations.namesTable(word));
  const ordered = [...rows.filter(isRoom), ...rows.filter((row) => !isRoom(row))];
  columns.use(name);
  columns.draft.choose(`messages.only.${/[."]/.test(name) ? `"${name}"` : name}`, {
    because: `"${name}" says what "${place}" is an id of: ${rows.map(([word, many]) => `${JSON.stringify(word)} in ${countOf(many, 'row')}`).join(', ')}; which of them are chats?`,
    alternatives: [
      ...ordered.map(([word, many]) => ({ value: [word], because: countOf(many, 'row') })),
      { value: everyRow, because: 'all of them' },
    ],
    isRequired: true,
  });
}

/** Whether some of a few words, and not all of them, name the table of conversations; any table where none is known. */
function namesTables(profile: ColumnProfile, to: TableFacts | undefined, relations: Relations): boolean {
  const words = distinct(profile);
  const isFew = words.length > 1 && words.length <= placesMax && profile.texts.length === profile.rowCount;
  const areWords = words.every((word) => word.length <= 80 && /^[\p{L}_][\p{L}\p{N}_.:\\/-]*$/u.test(word));
  const named = isFew && areWords ? words.filter((word) => (to ? isNameOf(word, to) : relations.namesTable(word))) : [];
  return named.length > 0 && named.length < words.length;
}

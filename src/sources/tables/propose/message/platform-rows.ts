import { countOf } from '../../../../lib/text/count.ts';
import { type ColumnChoice, type ColumnProfile, distinct } from '../columns.ts';
import type { TableFacts } from '../graph/facts.ts';
import { isNameOf } from '../graph/facts.ts';
import type { Relations } from '../graph/relations.ts';
import { countRows, everyRow } from '../which-rows.ts';

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
  const name = typed ?? columns.unused.find((one) => namesTables(one, to, relations))?.name;
  if (name === undefined || columns.isUsed(name)) return;
  const rows = [...countRows(columns.profile(name))].sort((a, b) => b[1] - a[1]);
  const isRoom = ([word]: readonly [string, number]) => (to ? isNameOf(word, to) : relations.namesTable(word));
  const ordered = [...rows.filter(isRoom), ...rows.filter((row) => !isRoom(row))];
  columns.use(name);
  const shown = rows.map(([word, many]) => `${JSON.stringify(word)} in ${countOf(many, 'row')}`).join(', ');
  const because = `"${name}" says what "${place}" is an id of: ${shown}; which of them are chats?`;
  columns.draft.askRows('messages', name, because, [
    ...ordered.map(([word, many]) => ({ value: [word], because: countOf(many, 'row') })),
    { value: everyRow, because: 'all of them' },
  ]);
}

/** Whether some of a few words, and not all of them, name the table of conversations; any table where none is known. */
function namesTables(profile: ColumnProfile, to: TableFacts | undefined, relations: Relations): boolean {
  const words = distinct(profile);
  const isFew = words.length > 1 && words.length <= placesMax && profile.texts.length === profile.rowCount;
  const areWords = words.every((word) => word.length <= 80 && /^[\p{L}_][\p{L}\p{N}_.:\\/-]*$/u.test(word));
  const named = isFew && areWords ? words.filter((word) => (to ? isNameOf(word, to) : relations.namesTable(word))) : [];
  return named.length > 0 && named.length < words.length;
}

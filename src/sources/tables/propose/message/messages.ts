import { aliases } from '../aliases.ts';
import { ColumnChoice, type ColumnProfile, distinct, type Draft } from '../columns.ts';
import { proposeAssistants } from './assistants.ts';
import { proposeDetails } from './details.ts';
import { proposeId, reserveId } from './ids.ts';
import { askAboutNobody, findAuthorNames } from './nobody.ts';
import { proposeOrder } from './order.ts';
import { askWhichPlaces } from './platform-rows.ts';
import { proposeTime } from './sent-time.ts';
import { Relations } from '../graph/relations.ts';
import { proposeText } from './text.ts';
import { proposeUnclear } from '../visible/unclear.ts';
import { proposeConversation } from './where.ts';
import { proposeAuthor } from './who.ts';
import type { TableSample } from '../../row.ts';

/** How the rows of messages would be bound. The order matters: a column that is one thing is no other. */
export function proposeMessages(
  { rows, declared }: Pick<TableSample, 'rows' | 'declared'>,
  draft: Draft,
  nulls: readonly string[],
  relations = new Relations(),
): void {
  const columns = new ColumnChoice(rows, draft, nulls, { allowed: declared?.words, words: relations.words });
  proposeTime(columns);
  proposeText(columns);
  const id = reserveId(columns, declared?.primaryKey);
  proposePeople(columns, relations, id);
  proposeId(columns, id);
  proposeOrder(columns);
  proposeDetails(columns);
  askAboutNobody(columns, relations);
  askWhichPlaces(columns, relations);
  proposeUnclear(columns);
}

function proposePeople(columns: ColumnChoice, relations: Relations, id: ColumnProfile | undefined): void {
  proposeAssistants(columns, relations);
  const author = proposeAuthor(columns, relations);
  const isNamedAlone = columns.draft.at('messages.author') === undefined && !author;
  // A name without an id would become the id itself. That is one of the answers, but never chosen automatically.
  const wrote = columns.draft.at('messages.author');
  const ids = typeof wrote === 'string' ? columns.profile(wrote) : author;
  const isOneForAll = (name: ColumnProfile) =>
    distinct(name).length < 2 && ids !== undefined && distinct(ids).length > 1;
  const named = columns.candidates(aliases.message.authorName, (name) => !isOneForAll(name));
  if (!isNamedAlone) columns.choose('messages.authorName', named);
  const names = findAuthorNames(columns, relations);
  if (names) columns.choose('messages.authorName', [names]);
  proposeConversation(columns, relations, author, id);
}

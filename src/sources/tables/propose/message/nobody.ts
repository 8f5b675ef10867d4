import type { Reading } from '../../../table-source.ts';
import { valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';
import { countOf } from '../../../../lib/text/count.ts';
import { type ColumnChoice, type ColumnProfile, distinct } from '../columns.ts';
import type { Relations } from '../graph/relations.ts';
import { countRows } from '../which-rows.ts';
import { platformWrote } from './kind.ts';

/** Who wrote the rows that name no person: no value, 0, or a negative number that is in no table of people. */

const zero = /^0(?:0{7}-[0-]+)?$/;
const ofPlatform = /^(?:system|sys|none|null|nobody|root|server)$/i;

/** Values of an author's column that are ids of no person, with their rows; of an empty cell the empty text. */
function listNobody(column: ColumnProfile, relations: Relations): readonly (readonly [value: string, rows: number])[] {
  const to = relations.edgeOf(column.name)?.to;
  if (!to || !relations.isPeople(to)) return [];
  const empty = column.rowCount - column.texts.length;
  const values = [...countRows(column)].filter(
    ([value]) => zero.test(value) || ofPlatform.test(value) || (/^-\d+$/.test(value) && !relations.isGuest(value, to)),
  );
  return [...values.filter(([value]) => !to.key?.ids.has(value)), ...(empty > 0 ? [['', empty] as const] : [])];
}

/** A question of who wrote them, where the table of conversations names a person: the visitor of a chat. */
export function askForVisitor(column: ColumnProfile, relations: Relations) {
  const values = listNobody(column, relations).filter(([value]) => value === '' || zero.test(value));
  const visitors = values.length > 0 ? relations.visitors() : undefined;
  if (!visitors) return undefined;
  const words = values.map(([value, rows]) => `${value === '' ? 'no value' : value} in ${countOf(rows, 'row')}`);
  const none = Object.fromEntries(values.flatMap(([value]) => (value === '' ? [] : [[value, '']])));
  const own = Object.keys(none).length > 0 ? { from: column.name, values: none } : column.name;
  const readings: Reading[] = [
    {
      value: { first: [own, { template: `visitor:{${visitors.column.name}}` }] },
      because: `"${visitors.to.name}" says who visited: one person for each of its rows`,
      isEvident: true,
    },
    { value: own, because: 'nobody knows: "Unknown author"' },
    ...(own === column.name ? [] : [{ value: column.name, because: 'one person for each of these values' }]),
  ];
  return { because: `"${column.name}" has ${words.join(' and ')}, and names nobody there: who wrote these?`, readings };
}

/** Asks whether the platform wrote rows of which the author is the number of no person: -1 says "has joined". One that has a name in the row is a person. */
export function askAboutNobody(columns: ColumnChoice, relations: Relations): void {
  const { draft } = columns;
  const author = draft.at('messages.author');
  const name = columnOf(author);
  if (name === undefined || draft.has('messages.kind')) return;
  const values = listNobody(columns.profile(name), relations).filter(
    ([value]) => (value.startsWith('-') || (value !== '' && author === name)) && !hasName(columns, name, value),
  );
  if (values.length === 0) return;
  const all = values.map(([value]) => value);
  const sets = all.length > 1 ? [all, ...all.map((value) => [value])] : [all];
  draft.choose('messages.kind', {
    because: `"${name}" is ${values.map(([value, rows]) => `${value} in ${countOf(rows, 'row')}`).join(', ')}, the id of nobody: did the platform write them?`,
    alternatives: [
      ...sets.map((set) => ({
        value: platformWrote(name, set),
        because: `the platform wrote those with ${set.join(' and ')}: such lines are skipped`,
      })),
      { value: { constant: 'message' }, because: 'people wrote them' },
    ],
    isRequired: true,
  });
}

function hasName(columns: ColumnChoice, author: string, value: string): boolean {
  const name = columns.draft.at('messages.authorName');
  return (
    typeof name === 'string' &&
    columns.rows.some((row) => valueText(row.get(author)) === value && valueText(row.get(name)) !== undefined)
  );
}

/** A column with the names of authors: in nearly every row that has it, it is in the row of the person, or has that in it. */
export function findAuthorNames(columns: ColumnChoice, relations: Relations): ColumnProfile | undefined {
  const author = columnOf(columns.draft.at('messages.author'));
  const edge = author === undefined ? undefined : relations.edgeOf(author);
  if (!edge || author === undefined) return undefined;
  const people = new Map(edge.to.sample.rows.map((row) => [valueText(row.get(edge.key.name)), row]));
  // Names differ from person to person; where they belong to is the same for many.
  const telling = edge.to.columns.filter(({ profile }) => distinct(profile).length * 2 > profile.texts.length);
  const isNameOf = (text: string, person: Row) =>
    telling.some(({ name }) => {
      const own = name === edge.key.name ? undefined : valueText(person.get(name));
      return own !== undefined && own.length > 1 && text.includes(own);
    });
  return columns.unused
    .filter(({ name }) => name !== author)
    .find(({ name }) => {
      const told = columns.rows.flatMap((row) => {
        const [text, person] = [valueText(row.get(name)), people.get(valueText(row.get(author)))];
        return text !== undefined && person ? [isNameOf(text, person)] : [];
      });
      return told.length > 1 && told.filter(Boolean).length >= told.length * 0.9;
    });
}

/** The column of an author whose rows may have none. */
function columnOf(author: unknown): string | undefined {
  if (typeof author === 'string') return author;
  const { from, first } = (author ?? {}) as { readonly from?: unknown; readonly first?: unknown };
  return typeof from === 'string' ? from : Array.isArray(first) ? columnOf(first[0]) : undefined;
}

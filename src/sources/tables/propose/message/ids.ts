import { valueText } from '../../bind/value.ts';
import type { Row } from '../../row.ts';
import { isIdFormat } from '../../../kit/time/id-time.ts';
import { aliases, columnsNamed } from '../aliases.ts';
import { askAboutCopies } from './copies.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct } from '../columns.ts';

const names = aliases.message;

/** Columns that are compared, and ids that are looked at, to say how rows of one id differ. */
const comparedMax = 60;

/** The least share of values that are different: below it, a column says to what rows belong. */
const differentMin = 0.3;

/**
 * The column that is likeliest to hold ids, with or without repetitions; taken before columns become anything else.
 *
 * @param primaryKey Columns that a catalogue declares.
 */
export function reserveId(columns: ColumnChoice, primaryKey: readonly string[] = []): ColumnProfile | undefined {
  const decided = columns.draft.at('messages.id');
  if (decided !== undefined) return typeof decided === 'string' ? columns.profile(decided) : undefined;
  // An id that says when it was made is an id still.
  const timed = columns.draft.at('messages.time.from');
  const isTimed = typeof timed === 'string' && isIdFormat(String(columns.draft.at('messages.time.format')));
  if (isTimed && columnsNamed([timed], names.id).length > 0) return columns.profile(timed);
  const filled = columns.candidates(names.id, ({ texts, rowCount }) => texts.length === rowCount);
  const areSure = filled.filter(
    ({ name }) => columnsNamed([name], 'messageid msgid messageuuid nachrichtid').length > 0,
  );
  const isUnique = (profile: ColumnProfile) => distinct(profile).length === profile.texts.length;
  const differs = (profile: ColumnProfile) => distinct(profile).length >= profile.texts.length * differentMin;
  const sure = areSure.find(isUnique);
  const [key] = primaryKey.length === 1 && !columns.isUsed(primaryKey[0]!) ? primaryKey : [];
  const declared = key === undefined ? undefined : columns.profile(key);
  // Other tables name the declared key, unless one message answers another by a second id: that of a mail.
  const isAnswered = (id: ColumnProfile) =>
    columns.candidates(`${names.reply} ${names.quote}`, ({ texts }) => texts.some((text) => id.texts.includes(text)))
      .length > 0;
  const best =
    (sure && declared && !isAnswered(sure) ? declared : sure) ??
    areSure.find(differs) ??
    filled.find(isUnique) ??
    areSure[0] ??
    filled.find(differs) ??
    declared;
  if (best) columns.use(best.name);
  return best;
}

/** Proposes the ids, once the conversation of a message is known: they have to be unique only there. Asks about repeated ids. */
export function proposeId(columns: ColumnChoice, id: ColumnProfile | undefined): void {
  if (!id) {
    askAboutCopies(columns, id);
    return;
  }
  const inFiles = groupById(columns, id).map(byFile);
  if (inFiles.some(({ length }) => length > 1)) askForFiles(columns, id);
  else if (!askAboutCopies(columns, id)) columns.choose('messages.id', [id]);
  if (columns.draft.at('messages.repeated') !== undefined) return;
  const ids = inFiles.flat();
  const repeated = ids.filter(({ length }) => length > 1);
  if (repeated.length === 0) return;
  const differing = differingColumns(columns, repeated);
  const is = (key: string) => differing.includes(String(columns.draft.at(key)));
  const [last, joined, all] = [
    { value: 'last', because: 'keep the last version of each: the rows are a history of edits' },
    { value: 'joined', because: 'one message of all rows of an id: there is a row for each reaction or file' },
    { value: 'all', because: 'keep every row: each is a message of its own, and the ids are not unique' },
  ];
  const isText = is('messages.text') || is('messages.text.from');
  const readings = !isText ? [joined, last, all] : is('messages.author') ? [all, last, joined] : [last, joined, all];
  columns.draft.choose('messages.repeated', {
    because: `"${id.name}": ${count(repeated.length)} of ${count(ids.length)} ids occur in several rows, which differ in ${differing.slice(0, 6).join(', ') || 'nothing'}`,
    alternatives: readings,
    isRequired: true,
  });
}

/** Rows by their id, and their conversation where one column says which that is. */
function groupById({ rows, draft }: ColumnChoice, id: ColumnProfile) {
  const conversation = draft.at('messages.conversation');
  const filled = rows.filter((row) => valueText(row.get(id.name)) !== undefined);
  const keyOf = (row: Row) => [row.get(id.name), typeof conversation === 'string' ? row.get(conversation) : null];
  return [...Map.groupBy(filled, (row) => JSON.stringify(keyOf(row).map(String))).values()];
}

const byFile = (rows: readonly Row[]): readonly (readonly Row[])[] => [
  ...Map.groupBy(rows, ({ location }) => location.path).values(),
];

function askForFiles({ draft }: ColumnChoice, { name }: ColumnProfile): void {
  draft.choose('messages.id', {
    because: `ids of "${name}" occur in several files`,
    alternatives: [
      { value: { template: `{:file} {${name}}` }, because: 'if each file numbers its own messages' },
      { value: name, because: 'if the same id in several files is the same message' },
    ],
    isRequired: true,
  });
}

function differingColumns(columns: ColumnChoice, groups: readonly (readonly Row[])[]): readonly string[] {
  return columns.names
    .slice(0, comparedMax)
    .filter((name) =>
      groups.some((group) => new Set(group.map((row) => JSON.stringify(row.get(name) ?? ''))).size > 1),
    );
}

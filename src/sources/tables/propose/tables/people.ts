import { aliases, columnsNamed } from '../aliases.ts';
import { cellKeys, lastStep } from '../graph/cell-keys.ts';
import { readFlag } from '../../../../model/visibility-words.ts';
import { type ColumnProfile, distinct, type Draft, evidence, isFlag, namesOf, profileColumn } from '../columns.ts';
import type { Row } from '../../row.ts';
import { letters } from '../graph/facts.ts';
import { timeReadings } from '../message/time.ts';

interface Sample {
  readonly rows: readonly Row[];
  readonly nulls: readonly string[];
  /** The column by which messages name its rows. */
  readonly key?: ColumnProfile | undefined;
}

/** How the rows of people would be bound. */
export function proposeUsers(sample: Sample, draft: Draft): void {
  const { name, firstName, lastName, createdAt, ...others } = aliases.user;
  const endings = namesOf(sample.rows).filter(endsInName);
  const names = endings.length === 1 ? `${name} ${letters(endings[0]!)}` : name;
  const [full] = filled(sample, names);
  const [first] = filled(sample, firstName);
  const [last] = filled(sample, lastName);
  if (sample.key === undefined) choose(draft, 'users', sample, { id: others.id }, true);
  else draft.choose('users.id', { value: sample.key.name, because: evidence(sample.key), isRequired: true });
  if (!first || !last || (full && !areTheSame(sample.rows, full.name, [first.name, last.name])))
    choose(draft, 'users', sample, { name: names });
  else {
    const value = { template: `{${first.name}} {${last.name}}` };
    draft.choose('users.name', { value, because: `${evidence(first)}; ${evidence(last)}` });
  }
  const { id: _, ...optional } = others;
  choose(draft, 'users', sample, optional);
  if (!full && !(first && last) && filled(sample, others.handle).length === 0) proposeName(sample, draft);
  proposeActive(sample, draft);
  chooseTime(draft, 'users.createdAt', filled(sample, createdAt));
}

/** Whether a column holds no more than others in other letters, as one for searching does. */
export function areTheSame(rows: readonly Row[], full: string, parts: readonly string[]): boolean {
  const text = (row: Row, names: readonly string[]) => letters(names.map((name) => row.get(name) ?? '').join(''));
  return rows.filter((row) => text(row, [full]) === text(row, parts)).length >= rows.length * 0.9;
}

const otherThanNames =
  /pass|pwd|secret|token|hash|salt|type|role|status|state|lang|locale|countr|city|zone|provider|gender|bio|about|phone/i;

/** The name of a person, where no column is named like one: inside of some JSON, or asked. Without it people go by their ids. */
function proposeName(sample: Sample, draft: Draft): void {
  const path = listInside(sample).find((one) => columnsNamed([lastStep(one)], aliases.user.name).length > 0);
  if (path !== undefined) {
    draft.choose('users.name', { value: path, because: evidence(profileColumn(sample.rows, path, sample.nulls)) });
    return;
  }
  const found = namesOf(sample.rows)
    .filter((name) => name !== draft.at('users.id') && name !== draft.at('users.email'))
    .map((name) => profileColumn(sample.rows, name, sample.nulls))
    .filter(mayBeNames);
  if (found.length === 0) return;
  // First and last names are next to each other.
  const [one, two] = found.map(({ name }) => `{${name}}`);
  const both = two === undefined ? [] : [`${one} ${two}`, `${two} ${one}`];
  draft.choose('users.name', {
    because: 'no column is named like the name of a person',
    alternatives: [
      ...found.map((profile) => ({ value: profile.name, because: evidence(profile) })),
      ...both.map((template) => ({ value: { template }, because: 'if each has a part of it' })),
      { value: { constant: '' }, because: 'if no column has it' },
    ],
    isRequired: true,
  });
}

/** `agent_name`, `customerName`. */
export const endsInName = (column: string): boolean =>
  /name$/i.test(column) &&
  !/file|user|uname|login|domain|host|table|first|last|nick|company|org|shop|group/i.test(column);

/** Whether the values of a column may be names of people, and not all the same. */
export const mayBeNames = (profile: ColumnProfile): boolean =>
  !otherThanNames.test(profile.name) &&
  profile.texts.every(mayBeName) &&
  distinct(profile).length > Number(profile.rowCount > 1);

const mayBeName = (text: string): boolean => text.length <= 80 && /^\p{L}[^@/:{}[\]_\d]*$/u.test(text);

/** Django and others say the opposite: who is not active was deactivated. */
function proposeActive(sample: Sample, draft: Draft): void {
  const [active] = filled(sample, 'isactive');
  if (!active || !isFlag(active)) return;
  const values = Object.fromEntries(distinct(active).map((word) => [word, !readFlag(word)]));
  draft.choose('users.isDeleted', { value: { from: active.name, values }, because: evidence(active) });
}

/** How the rows of conversations would be bound. */
export function proposeConversations(sample: Sample, draft: Draft): void {
  const { id, type: _, createdAt, members: ids, ...optional } = aliases.conversation;
  if (sample.key === undefined) choose(draft, 'conversations', sample, { id }, true);
  else draft.choose('conversations.id', { value: sample.key.name, because: evidence(sample.key), isRequired: true });
  if (draft.at('tables.members') === undefined) choose(draft, 'conversations', sample, { members: ids });
  choose(draft, 'conversations', sample, optional);
  const inCells = listInside(sample).filter((path) => columnsNamed([lastStep(path)], optional.name).length > 0);
  const [name] = inCells.map((path) => profileColumn(sample.rows, path, sample.nulls));
  if (name) draft.choose('conversations.name', { value: name.name, because: evidence(name) });
  chooseTime(draft, 'conversations.createdAt', filled(sample, createdAt));
}

function choose(
  draft: Draft,
  section: string,
  sample: Sample,
  fields: Readonly<Record<string, string>>,
  isRequired = false,
): void {
  for (const [field, list] of Object.entries(fields)) {
    const [best] = filled(sample, list);
    const key = `${section}.${field}`;
    if (best) draft.choose(key, { value: best.name, because: evidence(best), isRequired });
    else if (isRequired) draft.choose(key, { because: 'no column is named like an id', isRequired });
  }
}

/** Chooses the first column whose times can be read in one way only. */
export function chooseTime(draft: Draft, key: string, profiles: readonly ColumnProfile[]): void {
  for (const profile of profiles) {
    const [format, ...others] = timeReadings(profile, Date.now());
    if (!format || others.length > 0) continue;
    const value = format.format === 'iso' ? profile.name : { from: profile.name, format: format.format };
    draft.choose(key, { value, because: `"${profile.name}"; ${format.because}` });
    return;
  }
}

/** Paths inside of cells of JSON. */
const listInside = ({ rows, nulls }: Sample): readonly string[] =>
  namesOf(rows).flatMap((name) => cellKeys(profileColumn(rows, name, nulls)));

function filled({ rows, nulls }: Sample, list: string): readonly ColumnProfile[] {
  return columnsNamed(namesOf(rows), list)
    .map((name) => profileColumn(rows, name, nulls))
    .filter(({ texts }) => texts.length > 0);
}

import { splitWords } from '../../../../model/visibility-words.ts';
import { candidate } from '../evidence.ts';
import { type ColumnFacts, lastWord, letters, personColumns, singular, type TableFacts } from './facts.ts';

/** So many points make a table one of people. */
const pointsMin = 3;
/** A table of an id and a word says of what kind somebody is. */
const lookupColumns = 2;

/** Tables that hold people: those whose rows authors and other people in columns are, by declared keys and by values. Names add to it. */
export function findPeople(tables: readonly TableFacts[]): readonly TableFacts[] {
  const authors = new Set(tables.flatMap(authorsDeclared));
  const named = new Set(tables.flatMap((table) => namedRows(table, tables)));
  return tables.filter((table) => {
    const own = countPersonColumns(table);
    const { points } = candidate(table, {
      namedByAuthors: authors.has(table.sample.path) && table.columns.length > lookupColumns,
      namedByPeople: named.has(table) && own > 0,
      // Members of rooms have no names of their own.
      namedPeople:
        peopleNames.test(lastWord(table.name)) || (own > 1 && personWords.test(singular(lastWord(table.name)))),
      onePersonColumn: own > 0,
      twoPersonColumns: own > 1,
      threePersonColumns: own > 2,
    });
    return points >= pointsMin && (table.key !== undefined || authors.has(table.sample.path));
  });
}

const peopleNames =
  /(?:user|people|person|profile|contact|agent|customer|account|client|guest|admin|employee|staff|player|student|benutzer|kunde)s?$/;

/** How many columns only a table of people has: mail addresses under any name, logins, names of persons. */
export const countPersonColumns = ({ name, columns }: TableFacts): number =>
  columns.filter(
    (column) =>
      personColumns.test(letters(column.name)) ||
      column.shape === 'e-mail' ||
      (/(?:user|people|person)s?$/.test(lastWord(name)) && /^(?:name|handle|nick)$/i.test(column.name)),
  ).length;

/** Paths of the tables that the database says hold who wrote the rows of this one. */
const authorsDeclared = ({ sample }: TableFacts): readonly string[] =>
  (sample.declared?.references ?? []).flatMap(({ column, path }) =>
    /^(?:author|sender|writer|poster|user)(?:id|uuid)?$/.test(letters(column)) ? [path] : [],
  );

/** Tables that columns named as those of people name rows of: by a declared key, or by values that do not meet by accident. */
function namedRows(from: TableFacts, tables: readonly TableFacts[]): readonly TableFacts[] {
  return from.columns
    .filter(({ name }) => namesPerson(name))
    .flatMap((column) => {
      const declared = from.sample.declared?.references.find((one) => one.column === column.name);
      if (declared) return tables.filter(({ sample }) => sample.path === declared.path);
      return tables.filter(
        (to) =>
          to !== from && to.columns.some((key) => areAllIn(column, key) && (key === to.key || hasMoreThanMail(to))),
      );
    });
}

/** The mail addresses of an account in a table of their own are no people. */
const hasMoreThanMail = ({ columns }: TableFacts): boolean =>
  columns.some(({ name, shape }) => shape !== 'e-mail' && personColumns.test(letters(name)));

/** Whether a column that no two rows have alike has all ids. Numbers are in many tables: they count where both columns have one name. */
export function areAllIn({ name, ids }: ColumnFacts, key: ColumnFacts): boolean {
  if (!key.isUnique || ids.size < 2 || key.shape === 'time') return false;
  const isSameName = letters(name) === letters(key.name);
  for (const id of ids) if (!key.ids.has(id) || (!isSameName && /^-?\d{1,11}$/.test(id))) return false;
  return true;
}

const personWords =
  /^(?:user\d?|userone|usertwo|person\d?|participant\d|member\d|sender|employee|author|from|to|recipient|receiver|creator|owner|member|profile|account|person|people|poster|writer|participant|customer|client|agent|contact|assignee|operator|visitor|guest|actor|staff|buyer|seller|vendor|host|renter|landlord|driver|rider|passenger|patient|doctor|therapist|student|pupil|teacher|tutor|coach|mentor|mentee|trainer|candidate|recruiter|freelancer|provider|admin|moderator|by|useridfrom|useridto|userfrom|userto|uid)$/;

/** Whether a column is named as one that names a person: `sender_id`, `created_by`. */
export const namesPerson = (column: string): boolean =>
  /(?:user|member)id$/.test(letters(lastStep(column))) ||
  [letters(lastStep(column)), ...splitWords(lastStep(column).replace(/_?(?:id|uuid)$/i, ''))].some((word) =>
    personWords.test(word),
  );

/** `sender` of `fields.sender`, `user` of `user._id`. */
export function lastStep(column: string): string {
  const steps = column.split('.');
  return /^_?(?:id|uuid|key)$/i.test(steps.at(-1)!) && steps.length > 1 ? `${steps.at(-2)!}_id` : steps.at(-1)!;
}

/** Words in names of columns for a person other than the author or member. A whole word may begin so: `expediteur` has "edit" in it. */
const otherPerson =
  /^(?:assign|edit|delet|remov|updat|modif|clos|approv|review|read|seen|mention|recipient|receiv|invit|kick|ban|block|report|last|to$)/;

export const namesOtherPerson = (column: string): boolean => splitWords(column).some((word) => otherPerson.test(word));

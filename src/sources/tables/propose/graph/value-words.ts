import { splitWords } from '../../../../model/visibility-words.ts';
import { withNames } from '../aliases.ts';
import type { ColumnFacts, TableFacts } from './facts.ts';
import type { Edge, Graph } from './graph.ts';

/** Words for the codes in columns: `5` is `phone`. By column, then by value. */
export type ValueWords = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Values and columns of a table that only says what codes mean. */
const lookupRowsMax = 50;
const lookupColumnsMax = 8;
const codesMax = 50;
const wordLengthMax = 40;

/** The words for codes of a table: of small tables whose rows they are, and of what the makers of the database wrote about a column. */
export function findValueWords(graph: Graph, table: TableFacts): ValueWords {
  const edges = new Map(graph.best(table).map((edge) => [edge.column.name, edge]));
  const comments = table.sample.declared?.comments;
  return new Map(
    table.columns.flatMap((column) => {
      if (column.profile.texts.length === 0 || new Set(column.profile.texts).size > codesMax) return [];
      const comment = comments?.get(column.name);
      const words =
        (comment === undefined ? undefined : wordsInComment(comment, column)) ??
        wordsOfLookup(edges.get(column.name), graph);
      return words ? [[column.name, words] as const] : [];
    }),
  );
}

const kinds =
  /^(?:typ|art|type|kind|state|status|mode|categor(?:y|ie)|class|visibility|privacy|level|folder|action|estado|tipo|etat)(?:s|es|en)?$/;

/** A table of kinds or states, by its name or that of the column: rooms and teams have names as well, and those are no words for a code. */
function wordsOfLookup(edge: Edge | undefined, graph: Graph): ReadonlyMap<string, string> | undefined {
  if (edge === undefined || edge.from === edge.to || graph.isPeople(edge.to)) return undefined;
  const { to, column, key } = edge;
  const isOfKinds = [column.name, to.name].some((name) => splitWords(name).some((word) => kinds.test(word)));
  const { rows, isCut } = to.sample;
  if (!isOfKinds || isCut || rows.length > lookupRowsMax || to.columns.length > lookupColumnsMax) return undefined;
  const isWord = ({ name, isUnique, profile }: ColumnFacts) =>
    name !== key.name && isUnique && profile.texts.every((text) => text.length <= wordLengthMax && /\p{L}/u.test(text));
  const words = to.columns.filter(isWord);
  const named = withNames(words, 'name title label word key code slug bezeichnung nom nombre description');
  const chosen = named[0] ?? (words.length === 1 ? words[0] : undefined);
  return chosen && new Map(key.profile.texts.map((text, index) => [text, chosen.profile.texts[index]!]));
}

const commentLengthMax = 1000;

/** `1=note, 5=phone`, `0: text; 1: image`, `1 - text 2 - image`, `(0 text, 1 image)`, `'M' => message`. Most values have to be among them. */
function wordsInComment(comment: string, { profile }: ColumnFacts): ReadonlyMap<string, string> | undefined {
  const values = [...new Set(profile.texts)];
  if (!values.every((value) => /^(?:-?\d{1,6}|\p{L}{1,3})$/u.test(value))) return undefined;
  const codes = values.every((value) => /^-?\d+$/.test(value)) ? '-?\\d{1,6}' : values.join('|');
  const code = `(?<![\\p{L}\\p{N}.])["'\`]?(${codes})["'\`]?(?![\\p{L}\\p{N}])`;
  const pattern = new RegExp(
    `${code}\\s*(?:=>|->|[=:：–—→).-])?\\s*["'\`]?(\\p{L}[^,;|/()\\n，；、。]*?)["'\`]?\\s*(?=$|[,;|/()\\n，；、。]|${code})`,
    'gu',
  );
  const words = new Map<string, string>();
  for (const [, value, word] of comment.slice(0, commentLengthMax).matchAll(pattern))
    if (!words.has(value!)) words.set(value!, word!.replace(/[.\s]+$/, '').slice(0, wordLengthMax));
  const known = values.filter((value) => words.has(value)).length;
  return words.size > 1 && known * 2 > values.length ? words : undefined;
}

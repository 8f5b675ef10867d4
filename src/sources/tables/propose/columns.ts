import { readFlag } from '../../../model/visibility-words.ts';
import { formatCount } from '../../../lib/text/count.ts';
import type { Finding } from '../../table-source.ts';
import { isShortened, valueText } from '../bind/value.ts';
import { pathStep, type Row } from '../row.ts';
import { columnsNamed, withNames } from './aliases.ts';
import { namesIn } from './bound-columns.ts';
import { cellKeys, lastStep } from './graph/cell-keys.ts';

/** The columns of a table whose proposal is being made: each becomes one thing at most. */
export class ColumnChoice {
  readonly rows: readonly Row[];
  readonly draft: Draft;
  readonly nulls: readonly string[];
  readonly names: readonly string[];
  readonly #declared: DeclaredValues;
  readonly #used = new Set<string>();
  readonly #profiles = new Map<string, ColumnProfile>();
  #inside: readonly string[] | undefined;

  constructor(rows: readonly Row[], draft: Draft, nulls: readonly string[], declared: DeclaredValues = {}) {
    this.#declared = declared;
    this.rows = rows;
    this.draft = draft;
    this.nulls = nulls;
    this.names = namesOf(rows);
    for (const [key, value] of Object.entries((draft.at('messages') ?? {}) as object)) {
      for (const name of namesIn('messages', key, value)) if (!isVisited(key, value, name)) this.use(name);
    }
    for (const name of this.names) if (isWeighed(name, draft.at('tables.messages.query'))) this.use(name);
  }

  use(name: string): void {
    this.#used.add(name);
  }

  isUsed(name: string): boolean {
    return this.#used.has(name);
  }

  /** Columns that are nothing yet. */
  get unused(): readonly ColumnProfile[] {
    return this.names.filter((name) => !this.#used.has(name)).map((name) => this.profile(name));
  }

  /** Columns of these names that hold something and are nothing else yet, the most telling first. */
  candidates(list: string, fits: (profile: ColumnProfile) => boolean = () => true): readonly ColumnProfile[] {
    return withNames(this.unused, list).filter((profile) => profile.texts.length > 0 && fits(profile));
  }

  /** Paths inside the JSON of cells: `attributes.deleted`. */
  get inside(): readonly string[] {
    this.#inside ??= this.names
      .filter((name) => !name.startsWith('$outer.'))
      .flatMap((name) => cellKeys(this.profile(name)));
    return this.#inside;
  }

  /** The same of columns, then of what is inside of their cells. */
  candidatesInside(list: string): readonly ColumnProfile[] {
    const inside = new Map(this.inside.map((path) => [lastStep(path), path]));
    const found = columnsNamed([...inside.keys()], list).map((key) => inside.get(key)!);
    return [
      ...this.candidates(list),
      ...found
        .filter((path) => !this.#used.has(path))
        .map((path) => this.profile(path))
        .filter(({ texts }) => texts.length > 0),
    ];
  }

  profile(name: string): ColumnProfile {
    const known = this.#profiles.get(name) ?? {
      ...profileColumn(this.rows, name, this.nulls),
      allowed: [...(this.#declared.allowed?.get(name) ?? []), ...(this.#declared.words?.get(name)?.keys() ?? [])],
      words: this.#declared.words?.get(name),
    };
    this.#profiles.set(name, known);
    return known;
  }

  /** Binds the best of some columns, if there is one and the user has not bound another. */
  choose(key: string, [best]: readonly ColumnProfile[]): void {
    if (!best || this.draft.at(key) !== undefined) return;
    this.use(best.name);
    this.draft.choose(key, { value: best.name, because: evidence(best) });
  }
}

/** By column, the values that a database allows, and words for values that are codes. */
interface DeclaredValues {
  readonly allowed?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly words?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** `{ first: [user_id, { template: "visitor:{chat_id}" }] }` is an author, and its second column may be the conversation. Columns of an id may be anything. */
const isVisited = (key: string, value: unknown, name: string): boolean =>
  (key === 'id' && typeof value !== 'string') ||
  (key === 'author' &&
    Array.isArray((value as { readonly first?: unknown }).first) &&
    textsIn(value).some((text) => text.endsWith(`:{${name}}`)));

/** Whether a query turns the values of a column into others. */
export const isWeighed = (name: string, query: unknown): boolean =>
  typeof query === 'string' &&
  [...query.matchAll(/\bCASE\b(.*?)\bEND\b/gis)].some(([, inside]) =>
    inside!
      .replace(/'[^']*'/g, '')
      .match(/\w+/g)
      ?.includes(name),
  );

/** Every text in the user's own bindings: each may be a column. */
export function textsIn(bindings: unknown): readonly string[] {
  if (typeof bindings === 'string') return [bindings];
  return typeof bindings === 'object' && bindings !== null ? Object.values(bindings).flatMap(textsIn) : [];
}

/** Values of one column in the rows of a sample. */
export interface ColumnProfile {
  readonly name: string;
  /** Values that are there, as they were read. */
  readonly values: readonly unknown[];
  /** The same as text, without white space around it: of long ones the first 64 Ki characters, for which patterns take no time. */
  readonly texts: readonly string[];
  readonly rowCount: number;
  /** Words that a database allows there, whether a row has them or not. */
  readonly allowed?: readonly string[];
  /** Words for values that are codes. */
  readonly words?: ReadonlyMap<string, string> | undefined;
}

/** The word for a value: its own, if it is no code. */
export const wordFor = ({ words }: Pick<ColumnProfile, 'words'>, value: string): string => words?.get(value) ?? value;

/** `"5" (phone)` */
export const showValue = ({ words }: Pick<ColumnProfile, 'words'>, value: string): string =>
  `${JSON.stringify(value)}${words?.has(value) ? ` (${words.get(value)})` : ''}`;

const textLengthMax = 2 ** 16;

/** Rows that are asked for their names: rows of JSON may each have others. */
const namedRowsMax = 200;

/** Columns or paths of a sample, in the order in which they are first met. */
export function namesOf(rows: readonly Row[]): readonly string[] {
  // Rows of several tables follow each other.
  const step = Math.max(1, Math.floor(rows.length / namedRowsMax));
  return [...new Set(rows.filter((_, index) => index % step === 0).flatMap((row) => row.names()))];
}

export function profileColumn(rows: readonly Row[], name: string, nulls: readonly string[]): ColumnProfile {
  return profileOfValues(
    rows.map((row) => row.get(name)),
    name,
    nulls,
  );
}

export function profileOfValues(all: readonly unknown[], name: string, nulls: readonly string[]): ColumnProfile {
  const values = all.filter(
    (value) => value !== undefined && value !== null && value !== '' && !nulls.includes(value as string),
  );
  const texts = values.map((value) => valueText(value)!.slice(0, textLengthMax).trim());
  return { name, values, texts, rowCount: all.length };
}

/** `column "body"; 998 of 1,000 rows have it`, and what a spreadsheet has done to it. */
export function evidence({ name, texts, rowCount }: ColumnProfile): string {
  const shortened = texts.filter(isShortened);
  const filled = `"${name}"; ${formatCount(texts.length)} of ${formatCount(rowCount)} rows have it`;
  if (shortened.length === 0) return filled;
  return `${filled}; ${formatCount(shortened.length)} were shortened by a spreadsheet (${shortened[0]}) and are invalid`;
}

export { formatCount as count };

/** Whether nearly all values look like this. */
export const mostly = ({ texts }: ColumnProfile, test: (text: string) => boolean): boolean =>
  texts.length > 0 && texts.filter(test).length >= texts.length * 0.9;

/** Whether all values are yes or no, in any spelling. */
export const isFlag = ({ texts }: Pick<ColumnProfile, 'texts'>): boolean =>
  texts.every((text) => readFlag(text) !== undefined);

export const distinct = ({ texts }: ColumnProfile): readonly string[] => [...new Set(texts)];

type Options = Readonly<Record<string, unknown>>;

/** Choice for a field of a proposal. */
export type Choice = Pick<Finding, 'because'> & Partial<Omit<Finding, 'key' | 'because' | 'rows'>>;

/** Splits `messages.only."a.b"`: a step that contains a dot is in quotes. */
const splitKey = (key: string): readonly string[] =>
  (key.match(/"[^"]*"|[^.]+/g) ?? []).map((step) => step.replace(/^"(.*)"$/s, '$1'));

/** A `source:` section in progress. Decisions of the user stay, and are not findings. */
export class Draft {
  readonly findings: Finding[] = [];
  readonly #options: Record<string, unknown>;

  constructor(decided: Options) {
    this.#options = structuredClone(decided) as Record<string, unknown>;
  }

  /** The section as far as it is decided: by the user, or by evidence that leaves one reading. */
  get options(): Options {
    return this.#options;
  }

  /** Returns the value at a dotted key. */
  at(key: string): unknown {
    return splitKey(key).reduce<unknown>(
      (value, step) => (isSection(value) && Object.hasOwn(value, step) ? value[step] : undefined),
      this.#options,
    );
  }

  /** The column of a binding, alone or with more about it. */
  columnAt(key: string): string | undefined {
    return [this.at(key), this.at(`${key}.from`)].find((said) => typeof said === 'string');
  }

  /** Whether a binding is decided, or open. */
  has(key: string): boolean {
    return this.at(key) !== undefined || this.findings.some((finding) => finding.key === key);
  }

  /** Asks which rows of a table are read, by the values of a column. */
  askRows(section: string, column: string, because: string, alternatives: Finding['alternatives']): void {
    this.choose(`${section}.only.${pathStep(column)}`, { because, alternatives, isRequired: true });
  }

  choose(key: string, { value, alternatives = [], isRequired = false, ...choice }: Choice): void {
    if (this.at(key) !== undefined) return;
    this.findings.push({ key, alternatives, isRequired, ...choice, ...(value !== undefined && { value }) });
    if (value !== undefined && alternatives.length === 0) this.#set(splitKey(key), value);
  }

  /** Says the same in another way. */
  replace(key: string, value: unknown): void {
    this.#set(splitKey(key), value);
  }

  #set(steps: readonly string[], value: unknown): void {
    let section = this.#options;
    for (const step of steps.slice(0, -1)) {
      const next = section[step];
      // The user has set a value here, so nothing can be set below it.
      if (next !== undefined && !isSection(next)) return;
      const inner = next ?? {};
      section[step] = inner;
      section = inner;
    }
    section[steps.at(-1)!] = value;
  }
}

const isSection = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { undecidedMark } from '../../../mapping/load.ts';
import { questionDecision, type OpenQuestion, type Proposed } from '../../../decisions/question.ts';
import type { SourceAdapter } from '../../../sources/source.ts';
import {
  commentText,
  isTable,
  keyPath,
  type KeyPath,
  type Settings,
  valueAt,
  withValue,
  yamlEntry,
  yamlLine,
} from '../../../lib/settings.ts';

/** The lines below `source:`, without indentation: what is decided with its evidence, what is open as comments. */
export function renderSource({ options, findings, open }: Proposed): string[] {
  const evidence = new Map(findings.map(({ key, because }) => [joined(keyPath(key)), because]));
  return renderTable(options, [], { root: options, evidence, open });
}

/** Returns the options of a source without questions, with defaults, as comments. */
export function renderDefaults({ options }: SourceAdapter): string[] {
  const shape =
    'shape' in options ? (options.shape as Readonly<Record<string, { readonly description?: string }>>) : {};
  const defaults = options.parse({}) as Settings;
  return Object.entries(shape).flatMap(([key, { description }]) => [
    `# ${description}`,
    `#${yamlEntry(key, defaults[key]).join(' ')}`,
  ]);
}

/**
 * The readings of an open question, to choose from, for a place inside the table at `parent`. A reading that is taken leaves the other
 * questions about the same key open.
 */
export function renderOpen(question: OpenQuestion, parent: KeyPath, open: readonly OpenQuestion[]): string[] {
  const { path, readings } = question;
  const decision = questionDecision(question);
  const depth = parent.length + 1;
  const entry = path.slice(0, depth);
  const others = open.filter((other) => other !== question && entry.every((name, at) => other.path[at] === name));
  const nested = (value: unknown) => {
    const own = path.slice(depth).reduceRight((inner, name) => ({ [name]: inner }), value);
    if (!isTable(own)) return own;
    return others.reduce((table, other) => withValue(table, keyPath(other.key).slice(depth), undecidedMark), own);
  };
  const advice = readings.length === 0 ? '' : ' Take the "#" of one line away:';
  return [
    `${openStart} ${commentText(decision.question)} ${commentText(decision.why)}${openEnd(question.key)}${advice}`,
    undecidedEntry(path[parent.length]!),
    ...readings.map(({ written }, index) => {
      const { does, because } = decision.options[index]!;
      const entry = yamlEntry(path[parent.length]!, nested(written)).join(' ');
      return `#${entry}  # ${commentText(because === '' ? does : `${does}: ${because}`)}`;
    }),
  ];
}

/** Says that a key is open: no plan takes such a mapping. A line behind it wins. */
const undecidedEntry = (key: string): string => yamlEntry(key, undecidedMark).join(' ');

/** Whether a line says so of any key. */
export const isUndecidedEntry = (line: string): boolean => line.trimEnd().endsWith(`: "${undecidedMark}"`);

/** Returns the first of several questions about one key of a table: each of its readings leaves the others open. */
const firstOfEach = (open: readonly OpenQuestion[], depth: number): readonly OpenQuestion[] =>
  open.filter(({ path }, index) => open.findIndex((other) => other.path[depth] === path[depth]) === index);

/** The comment above the readings of an open question begins so. */
const openStart = '# Needs your decision:';
const openEnd = (key: string): string => ` (${commentText(key)}: nothing is planned before)`;

/** Whether a line is that comment, of one of some keys; of any key if none are given. */
export const isOpenMark = (line: string, keys?: readonly string[]): boolean =>
  line.trimStart().startsWith(openStart) && (keys === undefined || keys.some((key) => line.includes(openEnd(key))));

interface Notes {
  readonly root: Settings;
  /** By path, joined. */
  readonly evidence: ReadonlyMap<string, string>;
  readonly open: readonly OpenQuestion[];
}

function renderTable(table: Settings, path: KeyPath, notes: Notes): string[] {
  const own = notes.open.filter((question) => joined(nearestTable(notes.root, question.path)) === joined(path));
  return [
    ...Object.entries(table).flatMap(([key, value]) => renderValue(key, value, [...path, key], notes)),
    ...firstOfEach(own, path.length).flatMap((question) => renderOpen(question, path, own)),
  ];
}

function renderValue(key: string, value: unknown, path: KeyPath, notes: Notes): string[] {
  const because = commented(notes.evidence.get(joined(path)) ?? '');
  const entry = yamlEntry(key, value);
  // A key that is too long for a line of its own with a colon.
  if (entry.length > 1) return [...because, ...entry];
  if (isFilledTable(value)) return [...because, `${yamlLine(key)}:`, ...indented(renderTable(value, path, notes))];
  if (Array.isArray(value) && value.some(isTable)) {
    return [...because, `${yamlLine(key)}:`, ...value.map((element) => `  - ${yamlLine(element)}`)];
  }
  return [...because, ...entry];
}

/** The innermost table around a path that is there. */
function nearestTable(root: Settings, path: KeyPath): KeyPath {
  let depth = path.length - 1;
  while (depth > 0 && !isFilledTable(valueAt(root, path.slice(0, depth)))) depth--;
  return path.slice(0, depth);
}

const isFilledTable = (value: unknown): value is Settings => isTable(value) && Object.keys(value).length > 0;

const joined = (path: KeyPath): string => path.join('\0');

const commented = (text: string): string[] => (text === '' ? [] : [`# ${commentText(text)}`]);

export const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

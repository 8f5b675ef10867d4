import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { parseRules } from '../../mapping/rules/load-rules.ts';
import { hasKey, insertBelow, regionBelow } from './insert.ts';
import type { OpenQuestion } from './open.ts';
import type { KeyPath } from './settings.ts';
import { openMark, renderOpen } from './source-section.ts';
import { commentedOut, type SuggestionList } from './suggestions.ts';

/** The text without the readings of questions that are not open any more. */
export function withoutAnswered(text: string, open: readonly OpenQuestion[]): string {
  const marks = open.map(({ key }) => `${openMark(key)} (`);
  const kept: string[] = [];
  // While the lines of an answered question go by: how deep they stand.
  let depth: number | undefined;
  for (const line of text.split('\n')) {
    const comment = line.trimStart();
    if (comment.startsWith(openMark(''))) {
      depth = marks.some((mark) => comment.startsWith(mark)) ? undefined : line.length - comment.length;
    } else if (!/^#\S/.test(comment) || line.length - comment.length !== depth) {
      depth = undefined;
    }
    if (depth === undefined) kept.push(line);
  }
  return kept.join('\n');
}

/** The text with the readings of questions that are not yet in it, each in the innermost table that is there. */
export function withOpen(text: string, open: readonly OpenQuestion[]): string {
  return open.reduce((amended, question) => {
    if (amended.includes(`${openMark(question.key)} (`)) return amended;
    for (let depth = question.path.length - 1; depth >= 0; depth--) {
      const parent = question.path.slice(0, depth);
      if (depth > 0 && !hasKey(amended, ['source', ...parent])) continue;
      const inserted = harmless(amended, insertBelow(amended, ['source', ...parent], renderOpen(question, parent)));
      if (inserted !== undefined) return inserted;
    }
    return amended;
  }, text);
}

/** The suggestions of a list that a text does not hold yet, active or as comments. */
export function newSuggestions(text: string, list: SuggestionList): SuggestionList {
  const known = subjectsBelow(text, list.path);
  return { ...list, suggestions: list.suggestions.filter(({ subject }) => !known.has(subject)) };
}

/**
 * The text with the suggestions of a list as comments below its key.
 *
 * @returns Undefined where the file takes no lines there.
 */
export function withSuggestions(
  text: string,
  { path, kind, because, suggestions }: SuggestionList,
): string | undefined {
  if (suggestions.length === 0) return text;
  const heading = text.includes(`# ${because}`) ? 'New in the export since:' : because;
  return harmless(text, insertBelow(text, path, [`# ${heading}`, ...suggestions.flatMap(commentedOut)], kind));
}

/** A text in which somebody wrote may look like nothing we know: what does not decide the same is not taken. */
function harmless(before: string, after: string | undefined): string | undefined {
  return after !== undefined && decisionsOf(after) === decisionsOf(before) ? after : undefined;
}

function decisionsOf(text: string): string | undefined {
  try {
    return JSON.stringify(parseRules(text, 'mapping'));
  } catch {
    return undefined;
  }
}

/** Keys and elements below a key: those that count, and those that are commented out. */
function subjectsBelow(text: string, path: KeyPath): ReadonlySet<string> {
  const subjects = new Set<string>();
  collectSubjects(parseDocument(text).getIn(path), subjects);
  for (const line of regionBelow(text, path).split('\n')) {
    const comment = /^\s*# ?(.*)$/.exec(line)?.[1];
    if (comment === undefined) continue;
    // A long key stands on a line of its own, its value on the next.
    const document = parseDocument(comment);
    if (document.errors.length === 0) collectSubjects(document.contents, subjects);
  }
  return subjects;
}

function collectSubjects(node: unknown, into: Set<string>): void {
  if (isMap(node)) for (const { key } of node.items) addSubject(key, into);
  else if (isSeq(node)) for (const element of node.items) addSubject(element, into);
}

/** As it is written: an id may be longer than numbers are exact. */
function addSubject(node: unknown, into: Set<string>): void {
  if (!isScalar(node)) return;
  const written = typeof node.value === 'string' ? node.value : node.source;
  if (written !== undefined) into.add(written);
}

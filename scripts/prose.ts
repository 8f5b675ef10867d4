import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A habit of writing that a reader stumbles over. */
interface Habit {
  readonly name: string;
  /** The advice for the one who sees the count. */
  readonly write: string;
  /** Found in prose of which each sentence begins a line. */
  readonly pattern: RegExp;
  /** A tenth of the count in November 2026; a larger count fails. Never raised. */
  readonly max: number;
}

const habits: readonly Habit[] = [
  { name: 'sentence that begins with "Of"', write: 'begin with the subject', pattern: /^Of /gm, max: 51 },
  { name: '"Where" for if or when', write: 'if, when, without', pattern: /^Where .*[,:]/gm, max: 26 },
  { name: '"What" as a noun', write: 'the noun itself', pattern: /^What [^?\n]*$/gm, max: 191 },
  {
    name: 'somebody, nobody, whoever',
    write: 'the program, the user, no one by role',
    pattern: /\b(?:somebody|nobody|whoever|whomever)\b/gi,
    max: 91,
  },
  { name: 'stands, lies', write: 'is', pattern: /\b(?:stands?|stood|lies)\b(?! for\b| alone\b)/gi, max: 91 },
  {
    name: 'told, tells, hears',
    write: 'called with, receives, prints',
    pattern: /\b(?:tells?|told|hears?)\b/gi,
    max: 40,
  },
  {
    name: 'anew, beside, in vain, meanwhile, for ever',
    write: 'again, next to, without result, (drop it), permanently',
    pattern: /\b(?:anew|beside|in vain|meanwhile|for ever)\b/gi,
    max: 42,
  },
];

/** Comments of a source file, without their marks, a line for each sentence. */
export function commentsOf(code: string): string {
  const comments = code.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];
  return sentencesOf(
    comments.map((comment) => comment.replaceAll(/^\s*(?:\/\*\*?|\*\/?|\/\/)|\*\/$/gm, '')).join('\n\n'),
  );
}

/** Prose of a Markdown page: without its blocks and spans of code, tables kept, a line for each sentence. */
export const proseOf = (page: string): string =>
  sentencesOf(
    page
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .replaceAll(/`[^`\n]*`/g, 'x')
      .replaceAll(/^#+ |^[-*] |^\d+\. |\|/gm, '\n\n'),
  );

const sentencesOf = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .join('\n')
    .replaceAll(/(?<=[.!?:;]) (?=[A-Z])/g, '\n');

/** How often each habit is in the comments and pages of the files that git knows. */
export function countHabits(
  paths: readonly string[],
  read: (path: string) => string,
): readonly (Habit & { count: number })[] {
  const texts = paths.map((path) => (path.endsWith('.md') ? proseOf(read(path)) : commentsOf(read(path))));
  return habits.map((habit) => ({
    ...habit,
    count: texts.reduce((sum, text) => sum + (text.match(habit.pattern)?.length ?? 0), 0),
  }));
}

export const prosePaths = (): string[] =>
  execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'scripts', 'docs', '*.md'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(?:ts|md)$/.test(path) && !/\/(?:cases|fixtures)\//.test(path));

/** Prints the counts; exit code 1 where one is above its limit. */
if (import.meta.main) {
  const counts = countHabits(prosePaths(), (path) => readFileSync(path, 'utf8'));
  for (const { name, count, max, write } of counts) {
    const excess = count > max ? `  above the limit of ${max}: write ${write}` : '';
    process.stdout.write(`${String(count).padStart(5)}  ${name}${excess}\n`);
  }
  process.exitCode = counts.some(({ count, max }) => count > max) ? 1 : 0;
}

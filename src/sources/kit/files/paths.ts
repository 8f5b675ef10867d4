import { isClutter } from '../../../io/input/clutter.ts';
import type { Entry } from '../../../model/entry.ts';
import { foreignReason } from './foreign-files.ts';

/** Use of a path: it is read as one of the source's kinds of file, known and skipped, a chat that this source cannot read, or unknown. */
export type PathVerdict<Kind extends string> = Kind | { readonly skip: string } | { readonly chat: string } | undefined;

/** Every path of an export, sorted into what is done with it. Each list keeps the order of the paths. */
export interface SortedPaths<Kind extends string> {
  /** Paths of one kind; none if there are none. */
  of(kind: Kind): readonly string[];
  /** Known, and left out with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Chats, left out for the reason: the user decides. */
  readonly chats: readonly { readonly path: string; readonly reason: string }[];
  /** Not known: the report lists them. */
  readonly unknown: readonly string[];
}

/**
 * Sorts every path of an export, because files that are not read must be accounted for too.
 *
 * const sorted = sortPaths(await input.paths(), (path) => { if (path === 'users.json') return 'people'; if
 * (/^messages\/.*\.json$/.test(path)) return 'messages'; return path.startsWith('media/') ? { skip: 'Copy of a file;
 * messages name it' } : undefined; }); yield* inLists(leftOut(sorted)); yield* readRowFiles({ paths:
 * sorted.of('messages'), … });
 *
 * Files of operating systems (`.DS_Store`, `._a.json`, `Thumbs.db`) are skipped before the callback is called.
 */
export function sortPaths<Kind extends string>(
  paths: readonly string[],
  verdictOf: (path: string) => PathVerdict<Kind>,
): SortedPaths<Kind> {
  const found = new Map<Kind, string[]>();
  const { own, clutter } = withoutClutter(paths);
  const skipped = [...clutter];
  const chats: { path: string; reason: string }[] = [];
  const unknown: string[] = [];
  for (const path of own) {
    const verdict = verdictOf(path);
    if (verdict === undefined) unknown.push(path);
    else if (typeof verdict === 'object' && 'chat' in verdict) chats.push({ path, reason: verdict.chat });
    else if (typeof verdict === 'object') skipped.push({ path, reason: verdict.skip });
    else if (!found.get(verdict)?.push(path)) found.set(verdict, [path]);
  }
  return { of: (kind) => found.get(kind) ?? [], skipped, chats, unknown };
}

/** The paths of an export without what operating systems leave behind, and that as skipped files. */
export function withoutClutter(paths: readonly string[]): {
  readonly own: readonly string[];
  readonly clutter: readonly { readonly path: string; readonly reason: string }[];
} {
  const clutter = paths.filter(isClutter).map((path) => ({ path, reason: 'Left behind by an operating system' }));
  return { own: clutter.length === 0 ? paths : paths.filter((path) => !isClutter(path)), clutter };
}

type LeftOut = Pick<SortedPaths<string>, 'skipped' | 'unknown'> & Partial<Pick<SortedPaths<string>, 'chats'>>;

/** The `file` entries of what is not read: each path of an input has one, so that nothing is left out in silence. */
export function* leftOut({ skipped, chats = [], unknown }: LeftOut): Generator<Entry> {
  for (const { path, reason } of chats) yield { type: 'file', path, role: 'unknown', reason, isChat: true };
  for (const { path, reason } of skipped) yield { type: 'file', path, role: 'skipped', reason };
  for (const path of unknown) {
    const reason = foreignReason(path);
    yield { type: 'file', path, role: 'unknown', ...(reason !== undefined && { reason }) };
  }
}

/**
 * Returns the single folder around everything in a repacked archive, with its slash; `''` if there is none.
 *
 * @param isTelling Whether a path identifies an export by its location: `result.json`, `channels.json`.
 * @returns undefined if several folders hold an export each: the user must name them one by one.
 */
export function findWrapper(paths: readonly string[], isTelling: (path: string) => boolean): string | undefined {
  if (paths.some(isTelling)) return '';
  const wrappers = new Set<string>();
  for (const path of paths) {
    const end = path.indexOf('/') + 1;
    if (end > 0 && isTelling(path.slice(end))) wrappers.add(path.slice(0, end));
  }
  const [wrapper = ''] = wrappers;
  return wrappers.size > 1 ? undefined : wrapper;
}

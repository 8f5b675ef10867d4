import type { Database } from 'better-sqlite3';
import { type KnownFile, SourceFiles } from '../checkpoint/staging/source-files.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import type { SourceAdapter } from '../sources/source.ts';
import type { FinishedFile, ReadEntry, ReadRequest, VerifiedEnd } from './reading/protocol.ts';

/** How an input differs from what the last plan left of it. */
export interface InputChanges {
  /** Paths that are new or whose fingerprint changed. */
  readonly changed: readonly string[];
  /** Files that are read from where they ended: those that have grown, and shared ones that stayed as they were. */
  readonly ends: ReadonlyMap<string, VerifiedEnd>;
  /** The shared ones among them. */
  readonly sharedEnds: ReadonlySet<string>;
  readonly fileCount: number;
  /** Whether every file must be read from its start. */
  readonly isAll: boolean;
  /** Files that it no longer has. */
  readonly gone: readonly KnownFile[];
}

/** By whom and how files are read; absent where each is read from its start. */
export type GoingOn = { readonly adapter: SourceAdapter; readonly options: unknown } | undefined;

/** @param isOwn Whether a file is of the part that the store holds: others are not looked at. */
export async function changesOf(
  db: Database,
  input: ExportInput,
  {
    goingOn,
    isOwn = () => true,
  }: { readonly goingOn: GoingOn; readonly isOwn?: ((path: string) => boolean) | undefined },
): Promise<InputChanges> {
  const before = new SourceFiles(db, input.key);
  const paths = (await input.paths()).filter(isOwn);
  const changed: string[] = [];
  const ends = new Map<string, VerifiedEnd>();
  const sharedEnds = new Set<string>();
  let metCount = 0;
  for (const path of paths) {
    const known = before.find(path);
    if (known && known.role !== 'gone') metCount++;
    const isChanged = known?.fingerprint !== (await input.stat(path)).fingerprint;
    if (isChanged) changed.push(path);
    if (!known || !goingOn || !(isChanged || known.role === 'shared')) continue;
    const end = before.endOf(known);
    if (!end || (isChanged && !(await canGoOn(input, path, end, goingOn)))) continue;
    ends.set(path, end);
    if (known.role === 'shared') sharedEnds.add(path);
  }
  const isAll = changed.length === paths.length && !changed.some((path) => ends.has(path));
  const gone = metCount === before.count() ? [] : goneFiles(before, new Set(paths));
  return { changed, ends, sharedEnds, fileCount: paths.length, isAll, gone };
}

/** Whether a file that changed has only grown: everything up to its end is as it was, and is understood as it was. */
async function canGoOn(
  input: ExportInput,
  path: string,
  end: VerifiedEnd,
  { adapter, options }: NonNullable<GoingOn>,
): Promise<boolean> {
  const found = await input.growing?.(path)?.sumAt(end.byteOffset);
  if (found?.sum !== end.sum) return false;
  return (await adapter.canGoOn?.({ input, path, end, options })) ?? false;
}

function goneFiles(before: SourceFiles, present: ReadonlySet<string>): KnownFile[] {
  const gone: KnownFile[] = [];
  for (const file of before.all()) if (file.role !== 'gone' && !present.has(file.path)) gone.push(file);
  return gone;
}

/** What was added to a shared file describes somebody, or a conversation: rows of other files were read without that. */
export const isForOthers = (entry: ReadEntry, sharedEnds: ReadonlySet<string> | undefined): boolean =>
  entry.type === 'record' &&
  (entry.record.kind === 'user' || entry.record.kind === 'conversation') &&
  sharedEnds?.has(entry.location.path) === true;

/** A shared file (people, channels) that changed since the last plan concerns rows everywhere. */
export function isChangedShared({ path, role, stat }: FinishedFile, before: SourceFiles): boolean {
  return role === 'shared' && !before.isNew && before.find(path)?.fingerprint !== stat.fingerprint;
}

/** What one pass reads. */
export interface Reading extends Pick<ReadRequest, 'wanted' | 'ends'> {
  /** Files in which a new description would concern rows of others. */
  readonly sharedEnds?: readonly ReadonlySet<string>[];
}

export const everyFile = (inputs: readonly unknown[]): Reading => ({ wanted: inputs.map(() => 'all') });

/** What changed, from where it ended where it has only grown. */
export function changedFiles(changes: readonly InputChanges[]): Reading {
  const isAlone = changes.length === 1 && changes[0]!.fileCount === 1;
  return {
    wanted: changes.map(({ changed }) => changed),
    ends: changes.map(({ ends }) => ends),
    ...(!isAlone && { sharedEnds: changes.map((input) => input.sharedEnds) }),
  };
}

import type { KnownFile, InputFiles, TakenTimes } from '../../store/files.ts';
import type { Store } from '../../store/open.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { takenTimes } from '../../mapping/checks.ts';
import { ageStartMs } from '../../mapping/rules.ts';
import { isTableSource } from '../../sources/table-source.ts';
import type { PlanInput, PlanRules } from '../plan-options.ts';
import { type FinishedFile, queryStat, type WantedFiles } from '../reading/read-entries.ts';

/** How an input differs from what the last plan left of it. */
export interface InputChanges {
  /** Paths that are new or whose fingerprint changed. */
  readonly changed: readonly string[];
  readonly isAll: boolean;
  /** Files that it no longer has. */
  readonly gone: readonly KnownFile[];
}

/** Returns, for each input, how it differs from what the last plan left of it. */
export async function changesSince(
  store: Store,
  { reader, adapter, sourceOptions }: PlanInput,
): Promise<InputChanges[]> {
  const changes: InputChanges[] = [];
  const queryPaths = isTableSource(adapter) ? adapter.queryPaths(sourceOptions) : [];
  for (const input of await reader.inputs()) changes.push(await findChanges(store, input, queryPaths));
  return changes;
}

/** @param queryPaths Paths of the source that are no files of the input, and change when these do. */
async function findChanges(store: Store, input: ExportInput, queryPaths: readonly string[]): Promise<InputChanges> {
  const before = store.files.openInput(input.key);
  const paths = [...(await input.paths()), ...queryPaths];
  const changed: string[] = [];
  let knownCount = 0;
  for (const path of paths) {
    const known = before.find(path);
    if (known && known.role !== 'gone') knownCount++;
    const { fingerprint } = queryPaths.includes(path) ? queryStat : await input.stat(path);
    if (known?.fingerprint !== fingerprint) changed.push(path);
  }
  const gone = knownCount === before.count() ? [] : goneFiles(before, new Set(paths));
  return { changed, isAll: changed.length === paths.length, gone };
}

function goneFiles(before: InputFiles, present: ReadonlySet<string>): KnownFile[] {
  const gone: KnownFile[] = [];
  for (const file of before.all()) if (file.role !== 'gone' && !present.has(file.path)) gone.push(file);
  return gone;
}

/** A shared file (people, channels) that changed since the last plan concerns rows everywhere. */
export function isChangedShared({ path, role, stat }: FinishedFile, before: InputFiles): boolean {
  return role === 'shared' && !before.isNew && before.find(path)?.fingerprint !== stat.fingerprint;
}

export const everyFile = (inputs: readonly unknown[]): WantedFiles => inputs.map(() => 'all');

/** The times of messages that are taken now, and by the plan before. An interrupted plan may have used any clock. */
export function listTakenTimes(
  store: Store,
  { mapping, profile, nowMs }: PlanRules,
  isContinued: boolean,
): [TakenTimes, TakenTimes | undefined] {
  const timesAt = (ms: number) => takenTimes(ms, profile.limits, ageStartMs(mapping.rules.messages.olderThan, ms));
  const judgedAt = isContinued ? undefined : store.facts.read('judgedAt');
  return [timesAt(nowMs), judgedAt === undefined ? undefined : timesAt(Number(judgedAt))];
}

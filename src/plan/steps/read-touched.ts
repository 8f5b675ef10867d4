import type { RowWriter } from '../../checkpoint/staging.ts';
import type { Store } from '../../checkpoint/open.ts';
import { countOf, formatCount } from '../../lib/text/count.ts';
import type { Planning } from '../plan-options.ts';
import type { Touched } from '../touched.ts';
import { changesSince, timesOf } from './changed-files.ts';
import { readOnce } from './one-pass.ts';
import { UnchangedNames } from './unchanged-names.ts';

/** The result of reading touched files. */
export interface ReadAgain {
  readonly rowCount: number;
  /** In words, how many files were read: `3 of 63,168 files were read again`. */
  readonly note: string;
}

/**
 * Reads again the files that a changed mapping touches, and checks on the way that everything else comes out as before.
 *
 * @returns Undefined if it does not, or the export is another: then everything is to be read again.
 */
export async function readTouched(planning: Planning, touched: Touched): Promise<ReadAgain | undefined> {
  const { store, inputs, isSeen, commit } = planning;
  const changes = isSeen ? [] : await changesSince(planning);
  if (changes.some(({ changed, gone }) => changed.length > 0 || gone.length > 0)) return undefined;
  store.staging.createMergeIndexes();
  const files = [...touched.files, ...store.staging.filesJudgedOtherwise(...timesOf(planning, false))];
  store.totalsCache?.invalidate();
  store.assertSound?.();
  // Should this plan be killed, an older program that continues it reads them too.
  store.staging.reopenFiles(files);
  const wanted = inputs.map(({ key }) => store.staging.pathsOfFiles(key, files));
  const readCount = store.staging.countReadFiles() + wanted.flat().length;
  const names = new UnchangedNames(store);
  const rows = new UnchangedRows(store);
  const { outcome, writer } = await readOnce(planning, wanted, rows, names);
  const isDescribed = touched.described.every((id) => names.described.has(id));
  if (outcome !== 'done' || !names.isAsStored || !rows.isAsStored || !isDescribed) return undefined;
  if (store.staging.dropUnmet().length > 0 || !store.staging.forgetUnmentioned(names.seen.people)) return undefined;
  commit();
  store.writeMeta('independence', touched.independence);
  return { rowCount: writer.rowCount, note: noteOf(wanted.flat().length, readCount) };
}

const noteOf = (some: number, all: number) =>
  `${formatCount(some)} of ${countOf(all, 'file')} ${some === 1 ? 'was' : 'were'} read again`;

/** Rows of files that did not change. Notices if one is new, or if its author counts as a bot now and did not before, or the other way round. */
class UnchangedRows implements RowWriter {
  isAsStored = true;
  readonly #rows: RowWriter;
  readonly #factsOf: ReturnType<Store['staging']['stagedFactsReader']>;

  constructor(store: Store) {
    this.#factsOf = store.staging.stagedFactsReader();
    // Nothing was sent, so that no change is noted.
    this.#rows = store.staging.mergeRows({ onChangedAfterSending() {}, areRulesSame: false });
  }

  beginFile(file: number): void {
    this.#rows.beginFile(file);
  }

  save(...[row, home]: Parameters<RowWriter['save']>): void {
    if (row.muid !== null) {
      const before = this.#factsOf(row.muid);
      if (before === undefined || isOfBot(before) !== isOfBot(row.facts ?? '')) this.isAsStored = false;
    }
    this.#rows.save(row, home);
  }

  flush(): void {
    this.#rows.flush();
  }
}

const isOfBot = (facts: string) => facts.includes('"bot":1');

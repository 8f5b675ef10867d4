/**
 * The path of a message in a plan, which reads the exports and sends nothing. Step by step:
 *
 * | step | where |
 * |---|---|
 * | check whether the exports changed at all | `same-listing.ts` |
 * | open and detect | `reading/export-reader.ts`, `choose-source.ts` |
 * | claim the store | `claim-store.ts` |
 * | save the rules | `note-rules.ts` |
 * | choose what to read | `read-exports.ts`, `changed-files.ts` |
 * | note which tables there are | `note-tables.ts` |
 * | read | `reading/`; the source's adapter |
 * | map and check | `one-pass.ts`, `entry-mapper.ts`: `mapping/` |
 * | stage | `item-writer.ts`: `store/messages.ts` |
 * | look at what else the tables hold | `note-beside.ts` |
 * | decide what needs all messages | `after-reading.ts` |
 * | pin | `store/files.ts` |
 */
import type { Settings } from '../lib/settings.ts';
import { isTableSource } from '../sources/table-source.ts';
import type { Store } from '../store/open.ts';
import { afterReading } from './steps/after-reading.ts';
import { hashCollisions } from './steps/collisions.ts';
import { parseSourceOptions, sourceNamed } from './choose-source.ts';
import { claimStore } from './steps/claim-store.ts';
import { listTables, SortingWords } from './export-tables.ts';
import { noteBeside } from './steps/note-beside.ts';
import { notePlan, plannedActions } from './steps/note-rules.ts';
import type { PlanOptions } from './plan-options.ts';
import { readExports } from './steps/read-exports.ts';
import { noteTables } from './steps/note-tables.ts';
import { listExports } from './steps/same-listing.ts';
import { ExportReader } from './reading/export-reader.ts';

/**
 * Reads the exports, maps every record, and stages what would be sent.
 *
 * Files whose fingerprint did not change are not read again. If the mapping, a profile limit or a shared file (people,
 * channels) changed, everything is read. An interrupted plan continues with the files that it had not finished.
 *
 * All its writes belong to transactions that begin before the rules are noted and end after some thousand items: an
 * export that is refused at its first rows leaves the store as it was.
 *
 * @throws SourceError, UsageError, StoreError
 */
export async function plan(store: Store, options: PlanOptions): Promise<void> {
  const { mapping, profile } = options;
  const nowMs = options.clock.now();
  const reader = new ExportReader(options.exports, mapping.rules.files.ignore);
  try {
    const seen = listExports(store, options);
    const isSeen = seen.unchanged !== undefined;
    const { source, inputs } = seen.unchanged ?? (await reader.open(options.source));
    const corrections = claimStore(store, source, options);
    const adapter = sourceNamed(source);
    const sourceOptions = parseSourceOptions(adapter, mapping);
    // Corrections go with what is staged.
    const actions = plannedActions(store, mapping.rules, corrections ? undefined : options.actions);
    const stage = options.progress.stage('Reading');
    const words = new SortingWords();
    const isChanged = await store.inStagingTransactions(async (commit) => {
      const input = { reader, inputs, isSeen, adapter, sourceOptions, corrections };
      const rules = { ...options, nowMs, actions };
      const planning = { store, input, rules, run: { ...options, commit, onWord: words.note, update: stage.update } };
      const needs = notePlan(planning);
      const isKnown = (isSeen && !needs.everything) || corrections !== undefined || !isTableSource(adapter);
      const tables = isKnown ? undefined : await listTables(adapter, await reader.inputs(), sourceOptions as Settings);
      if (tables) await noteBeside(planning, tables);
      let read = await readExports(planning, needs);
      // At most once for most exports: a hash may itself be what another has.
      while (read.isChanged && hashCollisions(store, rules, commit))
        read = await readExports(planning, { ...needs, everything: true });
      afterReading(planning, read);
      noteTables(store, tables, { words, isWhole: needs.everything });
      store.files.pin({ mappingHash: mapping.hash, profile, isExportChanged: read.isChanged });
      seen.remember(inputs);
      store.facts.write('judgedAt', String(nowMs));
      store.facts.write('isComplete', 'yes');
      return read.isChanged;
    });
    stage.finish(isChanged ? undefined : 'nothing changed since the last plan');
  } finally {
    await reader.close();
  }
}

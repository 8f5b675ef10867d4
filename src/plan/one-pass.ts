import { setImmediate as nextTurn } from 'node:timers/promises';
import { peopleWithHashes } from '../checkpoint/staging/collisions.ts';
import { personIds, storedPersonReader } from '../checkpoint/staging/people.ts';
import { SpilledMap } from '../checkpoint/staging/spilled-map.ts';
import type { RowWriter } from '../checkpoint/staging/stage-rows.ts';
import { stagedTextReader } from '../checkpoint/staging/staged-content.ts';
import { isChangedShared } from './changed-files.ts';
import { EntryMapper } from './entry-mapper.ts';
import { ItemWriter } from './item-writer.ts';
import type { Planning } from './plan-options.ts';
import type { WantedFiles } from './reading/read-entries.ts';

/** Items per transaction: enough to make the cost of a commit disappear. */
const itemsPerCommit = 5_000;

/** How a pass ended. If a shared file turned out to have changed, the pass stops, and everything must be read. */
export interface PassResult {
  readonly outcome: 'done' | 'read-everything';
  readonly writer: ItemWriter;
}

/** One pass over the exports: everything wanted is read, mapped and written. */
export async function readOnce(planning: Planning, wanted: WantedFiles, rows: RowWriter): Promise<PassResult> {
  const { reader, inputs, adapter, sourceOptions, corrections, options, commit, update } = planning;
  const { signal, workspace } = options;
  const readsAll = corrections === undefined && wanted.every((paths) => paths === 'all');
  // One writer and one mapper for all inputs: people of one input are known in the next.
  const writer = new ItemWriter(planning.store, rows);
  const mapper = openMapper(planning, writer, readsAll);
  let input = -1;
  for await (const list of reader.read({ adapter, sourceOptions, workspace, wanted }, signal)) {
    while (input < list.input) {
      const { key } = inputs[++input]!;
      writer.beginInput(key);
      corrections?.beginInput(key);
    }
    for (const entry of list.entries) {
      corrections?.check(entry);
      if (entry.type !== 'file') mapper.add(entry);
      else if (wanted[input] !== 'all' && isChangedShared(entry, writer.files))
        return { outcome: 'read-everything', writer };
      else writer.closeFile(entry);
    }
    if (writer.itemCount < itemsPerCommit) continue;
    writer.beforeCommit();
    commit();
    update({ done: writer.rowCount });
    // Signals and timers get a turn here; reading itself never waits.
    await nextTurn();
    signal.throwIfAborted();
  }
  signal.throwIfAborted();
  writer.beforeCommit();
  update({ done: writer.rowCount });
  return { outcome: 'done', writer };
}

/** @param readsAll Otherwise people of files that are not read again are known from the store. */
function openMapper({ store, options, actions, nowMs }: Planning, writer: ItemWriter, readsAll: boolean): EntryMapper {
  const { db } = store;
  const { mapping, profile, only } = options;
  if (!readsAll) for (const id of personIds(db)) writer.seePerson(id);
  const readStored = storedPersonReader(db);
  return new EntryMapper(
    {
      mapping,
      limits: profile.limits,
      nowMs,
      only,
      hashed: mapping.rules.people.collisions === 'hash' ? peopleWithHashes(db) : undefined,
      replaysReactions: actions.includes('reactions'),
      stagedText: stagedTextReader(db),
      people: new SpilledMap(db, 'people'),
      storedPerson: readsAll ? undefined : (sourceId) => readStored(sourceId)?.record,
    },
    (item) => writer.write(item),
  );
}

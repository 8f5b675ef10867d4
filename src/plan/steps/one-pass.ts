import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowWriter } from '../../store/messages.ts';
import { isChangedShared } from './changed-files.ts';
import { EntryMapper } from '../entry-mapper.ts';
import { Looks, type Seen } from '../looks.ts';
import { ItemWriter } from './item-writer.ts';
import type { Planning } from '../plan-options.ts';
import type { WantedFiles } from '../reading/read-entries.ts';
import type { Progress } from '../../lib/flow/progress.ts';
import { isTableSource } from '../../sources/table-source.ts';
import { formatLocation, type Location } from '../../lib/text/location.ts';

/** Enough to make the cost of a commit disappear. */
const itemsPerCommitDefault = 5_000;

/** How a pass ended. If a shared file turned out to have changed, the pass stops, and everything must be read. */
export interface PassResult {
  readonly outcome: 'done' | 'read-everything';
  readonly writer: ItemWriter;
  readonly seen: Seen;
}

/** One pass over the exports: everything wanted is read, mapped and written. */
export async function readOnce(planning: Planning, wanted: WantedFiles, rows: RowWriter): Promise<PassResult> {
  const { store, run } = planning;
  const { reader, inputs, adapter, sourceOptions, corrections } = planning.input;
  const { signal, workspace, onWord, itemsPerCommit = itemsPerCommitDefault } = run;
  const readsAll = corrections === undefined && wanted.every((paths) => paths === 'all');
  // One writer and one mapper for all inputs: people of one input are known in the next.
  const writer = new ItemWriter(store, rows);
  const mapper = openMapper(planning, writer, readsAll);
  const looks = new Looks(isTableSource(adapter));
  let input = -1;
  for await (const list of reader.read({ adapter, sourceOptions, workspace, wanted, onWord }, signal)) {
    while (input < list.input) {
      const { key } = inputs[++input]!;
      writer.beginInput(key);
      corrections?.beginInput(key);
    }
    for (const entry of list.entries) {
      corrections?.check(entry);
      if (entry.type === 'record') {
        run.onRecord?.(entry.record, entry.location, list.input);
        looks.add(entry.record, list.input);
      }
      if (entry.type !== 'file') mapper.add(entry);
      else if (wanted[input] !== 'all' && isChangedShared(entry, writer.files))
        return { outcome: 'read-everything', writer, seen: looks.seen() };
      else writer.closeFile(entry);
    }
    if (writer.itemCount < itemsPerCommit) continue;
    writer.beforeCommit();
    run.commit();
    run.update({ done: writer.rowCount });
    // Signals and timers get a turn here; reading itself never waits.
    await nextTurn();
    signal.throwIfAborted();
  }
  signal.throwIfAborted();
  writer.beforeCommit();
  run.update({ done: writer.rowCount });
  return { outcome: 'done', writer, seen: looks.seen() };
}

/** @param readsAll Otherwise people of files that are not read again are known from the store. */
function openMapper(
  { store, input: { adapter }, rules, run }: Planning,
  writer: ItemWriter,
  readsAll: boolean,
): EntryMapper {
  const { mapping, profile, only, actions, nowMs } = rules;
  if (!readsAll) for (const id of store.people.ids()) writer.seePerson(id);
  return new EntryMapper(
    {
      mapping,
      limits: profile.limits,
      nowMs,
      isName: (userId) => adapter.isName?.(userId) === true,
      only,
      hashed: mapping.rules.people.collisions === 'hash' ? store.people.withHashes() : undefined,
      replaysReactions: actions.includes('reactions'),
      stagedText: store.messages.isIndexed() ? (muid) => store.messages.text(muid) : undefined,
      people: store.people.openSpilledMap(),
      conversations: store.conversations.openSpilledMap(),
      storedPerson: readsAll ? undefined : (sourceId) => store.people.find(sourceId)?.record,
      onUnforeseen: unforeseenLog(run.progress),
    },
    (item) => writer.write(item),
  );
}

/** Number of different stacks that are logged: to fix the reader, each is needed once, not a million times. */
const stacksMax = 100;

/** Hands on what rows threw to the log of a run, each stack with the first place at which it came up. */
export function unforeseenLog({ unforeseen }: Progress): ((error: unknown, location: Location) => void) | undefined {
  if (!unforeseen) return undefined;
  const seen = new Set<string>();
  return (error, location) => {
    const stack = stackFrames(error);
    if (seen.has(stack) || seen.size >= stacksMax) return;
    seen.add(stack);
    unforeseen({ place: formatLocation(location), error: error instanceof Error ? error.name : typeof error, stack });
  };
}

/** Returns the stack without the message in front of it, which may quote text that a person wrote. */
const stackFrames = (error: unknown): string => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join('\n');
};

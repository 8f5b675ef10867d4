import { setImmediate as nextTurn } from 'node:timers/promises';
import { storedConversations } from '../checkpoint/staging/conversations.ts';
import { peopleWithHashes } from '../checkpoint/staging/collisions.ts';
import type { DoubtedNames } from '../checkpoint/staging/doubted-names.ts';
import { personIds, storedPersonReader } from '../checkpoint/staging/people.ts';
import { SpilledMap } from '../checkpoint/staging/spilled-map.ts';
import type { RowWriter } from '../checkpoint/staging/stage-rows.ts';
import { stagedTextReader } from '../checkpoint/staging/staged-content.ts';
import { isChangedShared, isForOthers, type Reading } from './changed-files.ts';
import { EntryMapper } from './entry-mapper.ts';
import { ItemWriter } from './item-writer.ts';
import type { Planning } from './plan-options.ts';
import type { EntryList, MappingOrder, ReadRequest, StepList } from './reading/protocol.ts';

/** Items per transaction: enough that its commit costs nothing beside them. */
const itemsPerCommit = 5_000;

/** What came of a pass. Where a shared file turned out to have changed, everything must be read, and this one is over. */
export interface PassResult {
  readonly outcome: 'done' | 'read-everything';
  readonly writer: ItemWriter;
}

/**
 * One pass over the exports: everything wanted is read, mapped and written.
 *
 * @param doubted Whose names may have been cut when an earlier plan read them.
 */
export async function readOnce(
  planning: Planning,
  reading: Reading,
  rows: RowWriter,
  doubted?: DoubtedNames,
): Promise<PassResult> {
  const { reader, inputs, corrections, options, keep, update } = planning;
  const { ends } = reading;
  const stations = openStations(planning, reading, rows, doubted);
  const { writer } = stations;
  let input = -1;
  for await (const list of reader.read(requestOf(planning, reading, stations.order), options.signal)) {
    for (; input < list.input; input++) {
      const { key } = inputs[input + 1]!;
      writer.beginInput(key, ends?.[input + 1]);
      corrections?.beginInput(key);
    }
    if ('steps' in list) takeSteps(list, stations);
    else if (takeEntries(list, planning, reading, stations) === 'read-everything')
      return { outcome: 'read-everything', writer };
    if (writer.itemCount < itemsPerCommit) continue;
    writer.beforeCommit();
    keep();
    update({ done: writer.rowCount });
    // Signals and timers get their turn; reading itself never waits.
    await nextTurn();
    options.signal.throwIfAborted();
  }
  options.signal.throwIfAborted();
  writer.beforeCommit();
  update({ done: writer.rowCount });
  return { outcome: 'done', writer };
}

/** What was mapped where it was read is written; what a thread could not know is mapped here. */
function takeSteps({ steps }: StepList, { mapper, writer }: Stations): void {
  for (const step of steps) {
    if (step.type === 'file') writer.closeFile(step);
    else if (step.type === 'read-end') writer.endWholeLines(step);
    else if (step.type === 'left') mapper.add(step.entry);
    else if (step.type === 'packed') writer.writePacked(step);
    else writer.write(step);
  }
}

/** What was only read is mapped and written. @returns `read-everything` at once where a shared file turns out to have changed. */
function takeEntries(
  { input, entries }: EntryList,
  { corrections }: Planning,
  { wanted, ends, sharedEnds }: Reading,
  { mapper, writer }: Stations,
): PassResult['outcome'] {
  for (const entry of entries) {
    corrections?.check(entry);
    if (entry.type === 'read-end') writer.endWholeLines(entry);
    else if (entry.type !== 'file') {
      if (sharedEnds && isForOthers(entry, sharedEnds[input])) return 'read-everything';
      mapper.add(entry);
    } else if (wanted[input] !== 'all' && !ends?.[input]?.has(entry.path) && isChangedShared(entry, writer.files))
      return 'read-everything';
    else writer.closeFile(entry);
  }
  return 'done';
}

const requestOf = (
  { adapter, sourceOptions, options, part }: Planning,
  { wanted, ends }: Reading,
  mapping: MappingOrder | undefined,
): ReadRequest => ({
  mapping,
  source: adapter.name,
  sourceOptions,
  workspace: options.workspace,
  wanted,
  ...(part && { part }),
  ...(ends && { ends }),
});

/** What is read, mapped and written with, and by which rules another thread may map. */
interface Stations {
  readonly mapper: EntryMapper;
  readonly writer: ItemWriter;
  readonly order: MappingOrder | undefined;
}

/** One mapper and one writer for all inputs: who is known from one is known in the next. */
function openStations(
  { store, options, actions, corrections, nowMs }: Planning,
  { wanted, ends }: Reading,
  rows: RowWriter,
  doubted?: DoubtedNames,
): Stations {
  const { db, path } = store;
  const { mapping, profile, only } = options;
  const writer = new ItemWriter(db, path, rows, doubted);
  const isDoubted = (person: number) => doubted?.people.has(person) === true;
  // The files that are left out may be those that describe the people of the others.
  const knowsStored = corrections !== undefined || wanted.some((paths) => paths !== 'all');
  if (knowsStored) for (const id of personIds(db)) if (!isDoubted(id)) writer.know(id);
  const readStored = storedPersonReader(db);
  const storedPerson = (sourceId: string) => {
    const stored = readStored(sourceId);
    return stored && !isDoubted(stored.id) ? stored.record : undefined;
  };
  const stagedText = stagedTextReader(db);
  const rulesOfMapper = {
    mapping,
    limits: profile.limits,
    nowMs,
    only,
    hashed: mapping.rules.people.collisions === 'hash' ? peopleWithHashes(db) : undefined,
    replaysReactions: actions.includes('reactions'),
  };
  const mapper = new EntryMapper(
    {
      ...rulesOfMapper,
      stagedText,
      people: new SpilledMap(() => db, 'people'),
      storedPerson: knowsStored ? storedPerson : undefined,
    },
    (item) => writer.write(item),
  );
  if (ends?.some(({ size }) => size > 0)) {
    for (const { id, record } of storedConversations(db)) {
      if (doubted?.conversations.has(id)) continue;
      mapper.knowConversation(record);
      writer.knowConversation(record.id, id);
    }
  }
  // What an earlier plan has staged, only this thread can ask; and code cannot cross to another.
  const quotesStored = mapping.rules.messages.threads === 'quote' && stagedText !== undefined;
  const mayCross = !knowsStored && !quotesStored && mapping.module === undefined;
  return { mapper, writer, order: mayCross ? rulesOfMapper : undefined };
}

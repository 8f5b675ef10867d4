import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../src/lib/flow/progress.ts';
import type { MessageRecord } from '../../src/model/records.ts';
import { driftScene, people } from '../scenes/drift-scene.ts';
import { atUpdate } from '../scenes/session-request.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { channel, noonMs, says, writeRecords } from '../scenes/write-records.ts';
import { testSeed } from '../seed.ts';
import { Dice } from '../simulate/dice.ts';
import { countOf } from '../tier.ts';

const home = temporaryFolderInMemory();
const histories = countOf({ ci: 1, nightly: 3 });
const rounds = 9;
const messages = 14;
const general = channel('general', { members: ['ann', 'bob'] });

/** A message as the old system has it, and in which of its files. */
interface Kept {
  readonly record: MessageRecord;
  readonly isGone: boolean;
  readonly file: string;
}

/** Changes that the old system makes to a message. */
const changes: readonly ((kept: Kept, round: number, dice: Dice) => Kept)[] = [
  // Edited, whether the system says so or not; and as it was once: an old copy was put back.
  ({ record, ...kept }, round) => ({
    ...kept,
    record: { ...record, text: textOf(record, round), edited: { atMs: noonMs + round * 60_000 } },
  }),
  ({ record, ...kept }, round) => ({ ...kept, record: { ...record, text: textOf(record, round) } }),
  ({ record, ...kept }) => {
    const { edited: _, isDeleted: __, ...before } = record;
    return { ...kept, record: { ...before, text: textOf(record, 0) } };
  },
  // Deleted, with a mark and without, and back.
  ({ record, ...kept }) => {
    const { edited: _, ...rest } = record;
    return { ...kept, record: { ...rest, text: '', isDeleted: true } };
  },
  (kept) => ({ ...kept, isGone: true }),
  ({ record, ...kept }, round) => {
    const { isDeleted, ...rest } = record;
    return { ...kept, isGone: false, record: isDeleted ? { ...rest, text: textOf(record, round) } : record };
  },
  ({ record, ...kept }, _, dice) => ({
    ...kept,
    record: { ...record, reactions: dice.pick([thumbs(1), thumbs(2), []]) },
  }),
  ({ record, ...kept }) => ({ ...kept, record: { ...record, isPinned: !record.isPinned } }),
];

const textOf = ({ origin }: MessageRecord, version: number) => `[${origin.id}] version ${version}`;
const thumbs = (count: number) => [{ emoji: '👍', users: ['ann', 'bob'].slice(0, count), count }];

/** A folder of a few files. One of them may be cut off in the middle of a line, and is whole again the next time. */
function writeFolder(folder: string, kept: readonly Kept[], dice: Dice, isCut: boolean): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  writeRecords(join(folder, 'about.ndjson'), [...people, general]);
  const files = Map.groupBy(
    kept.filter(({ isGone }) => !isGone),
    ({ file }) => file,
  );
  const cut = isCut ? dice.pick([...files.keys()]) : undefined;
  for (const [name, rows] of files) {
    const path = join(folder, name);
    const records = rows.map(({ record }) => record);
    writeRecords(path, name === cut ? records.slice(0, dice.between(0, records.length - 1)) : records);
    if (name === cut) appendFileSync(path, '{"kind":"message","origin":{"sou');
  }
}

/** Knowledge of a message from the destination alone. */
interface Heard {
  readonly text: string;
  readonly isDeleted: boolean;
  /** As the last follow-up about them alone says; undefined before one, and once another one repeats the text. */
  readonly reactions?: string | undefined;
}

const repeated = /^(?:Edited|Changed|Restored at the source) \(message of [^)]*\): (.*)$/;

/**
 * Reads the messages at the destination in order.
 * @returns The known state by id, and any inconsistencies.
 */
function listen(texts: readonly string[], metadata: readonly Record<string, unknown>[]) {
  const heard = new Map<string, Heard>();
  const ids = new Map<unknown, string>();
  const complaints: string[] = [];
  for (const [index, text] of texts.entries()) {
    const { key, follows, change, deleted } = metadata[index]!;
    if (follows === undefined) {
      const id = /^\[(.*)\]/.exec(text)![1]!;
      if (heard.has(id)) complaints.push(`${id} is there twice`);
      ids.set(key, id);
      heard.set(id, { text, isDeleted: deleted === true });
      continue;
    }
    const id = ids.get(follows)!;
    const before = heard.get(id)!;
    if (before.isDeleted && change !== 'restored') complaints.push(`${id} was deleted, and then: ${text}`);
    if (change === 'deleted') heard.set(id, { ...before, isDeleted: true });
    else if (change === 'reactions') heard.set(id, { ...before, reactions: text.split(': ')[1]! });
    else heard.set(id, { text: repeated.exec(text)![1]!, isDeleted: false });
  }
  return { heard, complaints };
}

function* judge(kept: readonly Kept[], heard: ReadonlyMap<string, Heard>) {
  for (const { record, isGone } of kept) {
    const { id } = record.origin;
    const isOver = isGone || record.isDeleted === true;
    const known = heard.get(id);
    if (!known && !isOver) yield `${id} is lost`;
    if (!known) continue;
    if (known.isDeleted !== isOver) yield `${id} is ${isOver ? 'deleted' : 'there'}, and that is not told`;
    if (isOver) continue;
    const reactions = (record.reactions ?? []).map(({ emoji, count }) => `${emoji} ${count}`).join() || 'none any more';
    // A pin is not reported, nor anything that changes together with one.
    if (record.isPinned === undefined && known.reactions !== undefined && known.reactions !== reactions)
      yield `${id} has reactions: ${reactions}, and heard: ${known.reactions}`;
    if (known.text !== record.text) yield `${id} is "${record.text}", and heard as "${known.text}"`;
  }
}

/** A plan that is killed at one of its passes, if it has so many. */
async function killed(pass: number, plan: (progress: Progress) => Promise<unknown>): Promise<void> {
  const kill = new Error('killed');
  const progress = atUpdate(pass, () => {
    throw kill;
  });
  await plan(progress).catch((error) => expect(error).toBe(kill));
}

describe('follow-ups to a destination for a changing source', () => {
  it.each(Array.from({ length: histories }, (_, index) => testSeed + index))(
    'lead to the final state of the source, seed %i',
    async (seed) => {
      const dice = new Dice(seed);
      const scene = driftScene(home.make());
      const folder = join(scene.folder, 'export');
      mkdirSync(folder);
      let kept: Kept[] = Array.from({ length: messages }, (_, index) => ({
        record: says(index + 1, 'general', dice.pick(['ann', 'bob']), `[m${index + 1}] version 0`),
        isGone: dice.chance(0.1),
        file: dice.pick(['a.ndjson', 'm.ndjson']),
      }));
      const clock = new VirtualClock(noonMs + 3_600_000);
      for (let round = 1; round <= rounds; round++) {
        const isLast = round === rounds;
        writeFolder(folder, kept, dice, !isLast && dice.chance(0.2));
        const request = { from: [folder], drift: 'send', clock, mapping: 'messages: { deleted: keep }' } as const;
        if (isLast || dice.chance(0.5)) expect((await scene.import(request)).exit).toBeOneOf([0, 3]);
        else if (dice.chance(0.7)) await scene.plan(request);
        else await killed(dice.between(1, 2), (progress) => scene.plan({ ...request, progress }));
        if (isLast) break;
        const rolled = dice.chance(0.4) ? dice.pick(['a.ndjson', 'm.ndjson', 'z.ndjson']) : undefined;
        kept = kept.map((one) => {
          const changed = dice.chance(0.4) ? dice.pick(changes)(one, round, dice) : one;
          return rolled !== undefined && dice.chance(0.7) ? { ...changed, file: rolled } : changed;
        });
        await clock.sleep(3_600_000);
      }
      const { heard, complaints } = listen(scene.texts(), scene.metadata());
      expect([...complaints, ...judge(kept, heard)]).toEqual([]);
      clock.stop();
    },
  );
});

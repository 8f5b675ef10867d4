import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { type Collision, type TakenName, takenNames } from '../../../src/checkpoint/staging/taken-names.ts';
import type { ChatRecord, ConversationRecord } from '../../../src/model/records.ts';
import { collided } from '../../../src/plan/collisions.ts';
import { partsOf, planPart } from '../../scenes/parts-scene.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../../scenes/write-records.ts';

const home = temporaryFolder();

const direct = (id: string, ...members: string[]): ConversationRecord => channel(id, { type: 'direct', members });

/** The names of each of two parts. */
async function namesOf(records: readonly ChatRecord[], placed: Readonly<Record<string, number>>) {
  const folder = home.make();
  const from = [writeRecords(join(folder, 'export.ndjson'), records)];
  const names: TakenName[][] = [];
  for (const part of partsOf(2)) {
    const db = new Database((await planPart(folder, { ...part, placed }, { from })).store, { readonly: true });
    names.push([...takenNames(db)]);
    db.close();
  }
  return names;
}

/** What the parts take for different people or conversations, as a table with one row for each name finds it. */
function collisionsOf(names: readonly TakenName[]): Collision[] {
  const byName = Map.groupBy(names, ({ kind, id }) => `${kind} ${id}`);
  return [...byName.values()].flatMap(([first, ...others]) => {
    const sourceIds = [...new Set([first!, ...others].map(({ sourceId }) => sourceId))];
    return sourceIds.length > 1 ? [{ kind: first!.kind, id: first!.id, sourceIds }] : [];
  });
}

it('lists the names of those who come with the messages of a part, and of its conversations', async () => {
  const records = [
    person('ann'),
    person('bob'),
    person('nobody'),
    channel('Room'),
    channel('empty'),
    direct('dm', 'ann', 'bob'),
    says(1, 'Room', 'cleo', 'a'),
    says(2, 'dm', 'bob', 'b'),
  ];
  const [first, second] = await namesOf(records, { Room: 0, dm: 1, empty: 0 });
  expect(first).toEqual([
    { kind: 'uid', id: 'cleo', sourceId: 'cleo' },
    { kind: 'guid', id: 'room', sourceId: 'Room' },
  ]);
  expect(second).toEqual([
    { kind: 'uid', id: 'ann', sourceId: 'ann' },
    { kind: 'uid', id: 'bob', sourceId: 'bob' },
    { kind: 'pair', id: 'ann bob', sourceId: 'dm' },
  ]);
});

it('shows what no part can see alone: one name for two, in the words of a plan', async () => {
  const records = [
    direct('dm 1', 'ann', 'bob'),
    direct('dm 2', 'bob', 'ann'),
    says(1, 'ROOM', 'Cleo', 'a'),
    says(2, 'room', 'cleo', 'b'),
    says(3, 'dm 1', 'ann', 'c'),
    says(4, 'dm 2', 'ann', 'd'),
  ];
  const names = await namesOf(records, { ROOM: 0, room: 1, 'dm 1': 0, 'dm 2': 1 });
  const error = collided(collisionsOf(names.flat()));
  expect(error).toMatchObject({ name: 'UsageError' });
  expect(error.message).toContain('the people "Cleo" and "cleo" would all become uid "cleo"');
  expect(error.message).toContain('the conversations "ROOM" and "room" would all become guid "room"');
  expect(error.message).toContain(
    'the conversations "dm 1" and "dm 2" would all become the one conversation of "ann bob"',
  );
  expect(error.hint).toContain('conversations.merge');
});

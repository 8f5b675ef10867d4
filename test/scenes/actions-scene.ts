import type Database from 'better-sqlite3';
import type { ChatRecord } from '../../src/model/records.ts';
import { channel, person, says } from './write-records.ts';

const reacts = (emoji: string, ...users: string[]) => ({ emoji, users, count: users.length });

/** Four people who write in a room and to each other, are friends, block each other; one has left. */
export const sceneRecords: readonly ChatRecord[] = [
  person('ann'),
  person('bob'),
  person('cleo', { isDeleted: true }),
  person('dov'),
  // Never wrote, so does not exist at the destination.
  person('eve', { isDeleted: true }),
  channel('room', { members: ['ann', 'bob', 'cleo', 'dov'] }),
  { kind: 'conversation', id: 'pair', type: 'direct', name: '', members: ['ann', 'bob'] },
  { kind: 'relation', type: 'friend', from: 'bob', to: 'ann' },
  { kind: 'relation', type: 'friend', from: 'ann', to: 'bob' },
  { kind: 'relation', type: 'friend', from: 'ann', to: 'dov' },
  { kind: 'relation', type: 'block', from: 'dov', to: 'bob' },
  says(1, 'room', 'ann', 'one', { reactions: [reacts('👍', 'bob', 'cleo', 'bob'), reacts(':ship:', 'ann')] }),
  says(2, 'room', 'bob', 'two'),
  says(3, 'room', 'cleo', 'three', { reactions: [reacts('👍', 'ann')] }),
  says(4, 'room', 'dov', 'four'),
  says(5, 'pair', 'ann', 'five', { reactions: [{ emoji: '🎉', users: ['bob'], count: 3 }] }),
];

/** Required effects, from the author of the export. */
export const sceneEffects = [
  'ann and bob are friends',
  'ann and dov are friends',
  'ann reacts to "one" with :ship:',
  'ann reacts to "three" with 👍',
  'bob reacts to "five" with 🎉',
  'bob reacts to "one" with 👍',
  'cleo is deactivated',
  'cleo reacts to "one" with 👍',
  'dov blocks bob',
];

/** Returns the actions in a sandbox's tables, each row a line, in alphabetical order: a duplicate effect occurs twice. */
export function effectsIn(db: Database.Database): string[] {
  return db
    .prepare<[], string>(
      `SELECT uid || ' and ' || friend || ' are friends' AS line FROM friend WHERE uid < friend
       UNION ALL SELECT uid || ' blocks ' || blocked FROM block
       UNION ALL SELECT id || ' is deactivated' FROM user WHERE deactivated_at IS NOT NULL
       UNION ALL SELECT r.uid || ' reacts to "' || (m.data ->> '$.text') || '" with ' || r.reaction
         FROM reaction r JOIN message m ON m.id = r.message
       ORDER BY line`,
    )
    .pluck()
    .all();
}

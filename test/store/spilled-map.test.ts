import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { SpilledMap } from '../../src/store/base/spilled-map.ts';
import { anyCharacter } from '../arbitrary-text.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', '', 'A', 'é', '\ud83d\ude00', '\ud83d', '\ude00', '\ufffed83d');
const step = fc.oneof(fc.tuple(id, fc.string({ unit: anyCharacter })), fc.tuple(id));

it.each([1, 2, 3, 100])('SpilledMap answers as a Map does, with %i values in memory', (max) => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const spilled = new SpilledMap<{ name: string }>(db, 'names', max);
      const map = new Map<string, { name: string }>();
      for (const [key, name] of steps) {
        expect(spilled.get(key)).toEqual(map.get(key));
        if (name === undefined) continue;
        spilled.set(key, { name });
        map.set(key, { name });
      }
      for (const [key, value] of map) expect(spilled.get(key)).toEqual(value);
    }),
  );
});

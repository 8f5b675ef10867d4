import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { openStoreToRead } from '../../../src/store/open.ts';
import { planTemplate } from '../../scenes/bench.ts';
import { message, user, userId, writeFiles } from '../../scenes/make-export.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { VirtualClock } from '../../scenes/virtual-clock.ts';

const home = temporaryFolder();
const [ann, bob, cem, out] = [userId(1), userId(2), userId(3), userId(4)];
const at = (day: number, second: number) => `${Date.UTC(2024, 2, day) / 1000 + second}.000100`;

const files = {
  'users.json': [user(ann, 'Ann'), user(bob, 'Bob'), user(cem, 'Cem')],
  'channels.json': [
    { id: 'C00000001', name: 'one', members: [ann, bob, cem] },
    { id: 'C00000002', name: 'two', members: [ann, bob] },
  ],
  'dms.json': [{ id: 'D00000001', members: [ann, bob] }],
  'one/2024-03-01.json': [
    message(at(1, 1), ann, 'a'),
    message(at(1, 2), bob, 'b'),
    message(at(1, 3), cem, 'joined', { subtype: 'channel_join' }),
    message(at(1, 4), cem, 'c'),
    message(at(1, 5), out, 'd'),
  ],
  'two/2024-03-01.json': [1, 2, 3, 4].map((second) => message(at(1, second), ann, `${second}`)),
  'D00000001/2024-03-01.json': [message(at(1, 1), bob, 'to Ann')],
};

async function resultOf(folder: string) {
  await planTemplate(join(folder, 'chatferry.db'), [join(folder, 'export')], new VirtualClock());
  const store = openStoreToRead(join(folder, 'chatferry.db'));
  const result = store.facts.reading();
  store.close();
  return result;
}

describe('noteReading()', () => {
  it('keeps who wrote, where, and what was left out, also after a plan that read one file again', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), files);
    const first = await resultOf(folder);
    expect(first).toMatchObject({
      messages: 9,
      invalid: 0,
      skipped: [{ name: 'system message: channel_join', count: 1 }],
      people: {
        described: 3,
        wrote: 4,
        top: [
          { name: 'Ann', count: 5 },
          { name: 'Bob', count: 2 },
          { name: 'Cem', count: 1 },
          { name: out, count: 1 },
        ],
        once: 2,
        unknown: 1,
        nobody: 0,
        names: { name: 3, id: 1, hash: 0, mail: 0 },
      },
      conversations: {
        count: 3,
        ofTwo: 1,
        top: [
          { name: 'one', count: 4 },
          { name: 'two', count: 4 },
          { name: 'Ann, Bob', count: 1 },
        ],
        oneMessage: 1,
        oneWriter: 2,
        voice: { name: 'Ann', count: 1 },
      },
    });
    writeFiles(join(folder, 'export'), {
      'D00000001/2024-03-01.json': [message(at(1, 1), bob, 'to Ann'), message(at(1, 2), ann, 'to Bob')],
    });
    const second = await resultOf(folder);
    expect(second).toMatchObject({ messages: 10, conversations: { oneMessage: 0, oneWriter: 1 } });
    expect(second?.skipped).toEqual(first?.skipped);
  });
});

import { expect, it } from 'vitest';
import { type Poison, importWithPoison } from '../scenes/import-with-poison.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

const poisons: readonly Poison[] = [
  { status: 400, others: 'stored', share: 0.27 },
  { status: 500, others: 'not stored', share: 0.27 },
];

const messageCount = 75;

// test/nightly/poison.test.ts does the same with forty times as many, and the other two pairs.
it.each(poisons)(
  'import sends all other messages; messages that no request can carry fail, immediately or once the user decides: status $status, the others are $others',
  async (poison) => {
    const { json, code, first, ...found } = await importWithPoison(
      home.make(),
      { messages: messageCount, conversations: 6 },
      poison,
    );
    const { poisoned } = found;
    expect(found).toEqual({ poisoned, lost: poisoned, duplicated: 0, outOfOrder: 0, late: 0, blamedWrongly: 0 });
    expect(first).toMatchObject({ imported: messageCount - poisoned, unconfirmed: 0 });
    expect(json).toMatchObject({ imported: messageCount - poisoned, failed: poisoned, pending: 0, unconfirmed: 0 });
    expect(code).toBe(3);
  },
);

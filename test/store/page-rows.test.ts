import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { createMessageIndexes } from '../../src/store/base/message-indexes.ts';
import { RowAppender } from '../../src/store/messages/append.ts';
import { addCast, addDestination, addFiles, deliver, nowMs, openTestStore, rowOf } from './fixture.ts';

/** Nine messages of C1 and one of D1, all of them delivered. */
async function opened() {
  const store = openTestStore();
  const db = databaseOf(store);
  const { people, conversations } = addCast(db);
  const [file] = addFiles(db, '/a', 'day.json') as [number];
  const writer = new RowAppender(db);
  for (let id = 1; id <= 10; id++) {
    const conversation = id === 10 ? conversations.D1! : conversations.C1!;
    writer.save(rowOf(id), { file, path: 'a.json', conversation, sender: people.U1! });
  }
  writer.flush();
  createMessageIndexes(db);
  const destination = addDestination(store);
  const c1 = { conversation: conversations.C1!, receiverType: 'group' };
  await deliver(destination, c1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 'imported');
  const reader = () => store.lanes.openRowsByMuid(destination.id);
  return { db, conversations, reader };
}

const start = [Number.MIN_SAFE_INTEGER, '', 0] as const;
const muids = (...ids: number[]) => ids.map((id) => `m1${id}`);

describe('RowsByMuid.load()', () => {
  it.each([
    ['in the order of the source', [1, 2, 3, 4]],
    ['with others in between', [1, 99, 2, 3, 98]],
    ['in another order, with one of another conversation', [7, 10, 2, 2, 9]],
  ])('reads what look-ups find, of a page %s', async (_, ids) => {
    const { reader, conversations } = await opened();
    const [loaded, lookUps] = [reader(), reader()];
    loaded.load(muids(...ids), { conversation: conversations.C1!, cursor: start });
    for (const muid of muids(...ids)) expect(loaded.find(muid)).toEqual(lookUps.find(muid));
  });

  it('leaves messages that have another muid there to look-ups', async () => {
    const { db, reader, conversations } = await opened();
    db.exec(`UPDATE delivery SET muid = 'm2new' WHERE message = 2`);
    const rows = reader();
    rows.load(['m11', 'm12', 'm2new'], { conversation: conversations.C1!, cursor: start });
    expect(rows.find('m12')).toBeUndefined();
    expect(rows.find('m2new')).toMatchObject({ seq: 2, muid: 'm2new' });
  });

  it('names the place behind the last message that it found, wherever the page began', async () => {
    const { reader, conversations } = await opened();
    const behindFour = { conversation: conversations.C1!, cursor: [nowMs + 4000, '4', 4] };
    expect(reader().load(muids(1, 4, 99), { conversation: conversations.C1!, cursor: start })).toEqual(behindFour);
    expect(reader().load(muids(4), { conversation: conversations.C1!, cursor: [nowMs + 8000, '8', 8] })).toEqual(
      behindFour,
    );
    expect(reader().load(muids(99))).toBeUndefined();
  });
});

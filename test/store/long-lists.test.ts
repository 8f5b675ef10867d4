import { describe, expect, it, onTestFinished } from 'vitest';
import { plannedPeople } from '../../src/report/report-files.ts';
import { databaseOf, openStoreToRead, readStore, type Store } from '../../src/store/open.ts';
import { Conversations } from '../../src/store/conversations.ts';
import { People } from '../../src/store/people.ts';
import { conversationOf, openTestStore, personOf, rowOf, storePath } from './fixture.ts';

const count = 2500;
const ids = Array.from({ length: count }, (_, index) => `U${index}`);

/** A store of many people and conversations that another process, which is this one, goes on to write to. */
function openedTwice() {
  const path = storePath();
  const store = openTestStore(path);
  const db = databaseOf(store);
  const [people, conversations, rows] = [new People(db), new Conversations(db), store.messages.append()];
  const add = db.transaction((id: string) => {
    const sender = people.save(personOf(id));
    const conversation = conversations.save(conversationOf(id), null);
    rows.save(rowOf(sender), { file: 1, path: 'export.ndjson', conversation, sender });
  });
  db.transaction(() => ids.forEach(add))();
  rows.flush();
  return { path, db, add };
}

describe('a list of many rows', () => {
  it.each([
    ['people', plannedPeople],
    ['conversations', (store: Store): Iterable<unknown> => store.totals.largestConversations(null)],
  ])(
    'leaves the log free to be emptied by a process that writes, while its reader waits with a row of %s',
    (_, list) => {
      const { path, db, add } = openedTwice();
      const reader = openStoreToRead(path);
      onTestFinished(() => reader.close());
      const rows = list(reader)[Symbol.iterator]();
      rows.next();
      add('late');
      expect(db.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
      expect([...Iterator.from(rows)].length).toBeGreaterThanOrEqual(count - 1);
    },
  );
});

describe('readStore()', () => {
  it('sees one state of the store, whatever is written in between', () => {
    const { path, add } = openedTwice();
    readStore(path, (store) => {
      const before = store.totals.countPeople();
      add('late');
      expect(store.totals.countPeople()).toEqual(before);
    });
    expect(readStore(path, (store) => store.totals.countPeople().total)).toBe(count + 1);
  });
});

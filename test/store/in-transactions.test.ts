import { describe, expect, it, onTestFinished } from 'vitest';
import { plannedPeople } from '../../src/report/report-files.ts';
import { listConversations } from '../../src/report/collect-report.ts';
import { Tally } from '../../src/report/tally.ts';
import { databaseOf, openStoreToRead, readStore, type Store } from '../../src/store/open.ts';
import { Conversations } from '../../src/store/conversations.ts';
import { People } from '../../src/store/people.ts';
import { conversationOf, openTestStore, personOf, storePath } from './fixture.ts';

const count = 2500;
const ids = Array.from({ length: count }, (_, index) => `U${index}`);

/** A store of many people and conversations that another process, which is this one, goes on to write to. */
function openedTwice() {
  const path = storePath();
  const db = databaseOf(openTestStore(path));
  const [people, conversations] = [new People(db), new Conversations(db)];
  const add = db.transaction((id: string) => {
    people.save(personOf(id));
    conversations.save(conversationOf(id), null);
  });
  db.transaction(() => ids.forEach(add))();
  return { path, db, add };
}

/** Every conversation with a message, as conversations.csv has them. */
function conversationsOf(store: Store): Iterable<unknown> {
  const tally = new Tally();
  const row = { sender: 1, sentAt: 1, verdict: 'planned', reason: null, facts: null, state: null } as const;
  for (const index of ids.keys())
    tally.add({ ...row, conversation: index + 1, seq: index + 1, code: null, isLate: null, bytes: 1 });
  return store.inTransactions(listConversations(tally, store));
}

describe('a list of many rows', () => {
  it.each([
    ['people', plannedPeople],
    ['conversations', conversationsOf],
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
  it('sees one state of the store, whatever is written meanwhile', () => {
    const { path, add } = openedTwice();
    readStore(path, (store) => {
      const before = store.totals.countPeople();
      add('late');
      expect(store.totals.countPeople()).toEqual(before);
    });
    expect(readStore(path, (store) => store.totals.countPeople().total)).toBe(count + 1);
  });
});

import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { RowAppender } from '../../src/store/messages/append.ts';
import { addCast, addFiles, conversationOf, openTestStore, personOf, rowOf } from './fixture.ts';

/** Messages by writer and conversation, such as `U3 D1`. */
function opened(...written: readonly string[]) {
  const store = openTestStore();
  const db = databaseOf(store);
  const { people, conversations } = addCast(db) as {
    people: Record<string, number>;
    conversations: Record<string, number>;
  };
  const [file] = addFiles(db, '/a', 'day.json') as [number];
  const writer = new RowAppender(db);
  for (const [index, words] of written.entries()) {
    const [who, where] = words.split(' ') as [string, string];
    writer.save(rowOf(index + 1, words), {
      file,
      path: 'a.json',
      conversation: conversations[where]!,
      sender: people[who]!,
    });
  }
  writer.flush();
  store.messages.collectWriters();
  const verdicts = () => db.prepare('SELECT verdict, reason FROM message ORDER BY seq').raw().all();
  const receiverType = (id: string) =>
    db.prepare('SELECT receiver_type FROM conversation WHERE source_id = ?').pluck().get(id);
  return { store, db, people, conversations, file, verdicts, receiverType };
}

describe('placeOutsiders()', () => {
  it.each(['group', 'reject'] as const)('leaves a direct conversation of two alone (%s)', (policy) => {
    const { store, verdicts, receiverType } = opened('U1 D1', 'U2 D1', 'U3 C1');
    store.conversations.placeOutsiders(policy);
    expect(receiverType('D1')).toBe('user');
    expect(verdicts()).toEqual(Array(3).fill(['planned', null]));
  });

  it('makes a direct conversation in which a third one wrote a group', () => {
    const { store, verdicts, receiverType } = opened('U1 D1', 'U3 D1');
    store.conversations.placeOutsiders('group');
    store.conversations.placeOutsiders('group');
    expect(receiverType('D1')).toBe('group');
    expect(verdicts()).toEqual(Array(2).fill(['planned', null]));
  });

  it('rejects only messages of the third person there', () => {
    const { store, verdicts, receiverType } = opened('U1 D1', 'U3 D1', 'U3 C1');
    store.conversations.placeOutsiders('reject');
    expect(receiverType('D1')).toBe('user');
    expect(verdicts()).toEqual([
      ['planned', null],
      ['invalid', 'outsider'],
      ['planned', null],
    ]);
  });

  it('does not mind messages that are not sent', () => {
    const { store, db, receiverType } = opened('U3 D1');
    db.exec(`UPDATE message SET verdict = 'skipped'`);
    store.messages.collectWriters();
    store.conversations.placeOutsiders('group');
    expect(receiverType('D1')).toBe('user');
  });
});

describe('separateDuplicateDirects()', () => {
  it('makes further direct conversations of the same two people groups, where something is written in them', () => {
    const { store, db, people, file, receiverType } = opened('U1 D1');
    const direct = (id: string, [a, b]: readonly [string, string]) =>
      store.conversations.save(conversationOf(id, { receiverType: 'user' }), [people[a]!, people[b]!]);
    const duplicates = [direct('D7', ['U2', 'U1']), direct('D8', ['U1', 'U3'])];
    direct('D9', ['U1', 'U2']);
    const writer = new RowAppender(db);
    for (const [index, conversation] of duplicates.entries())
      writer.save(rowOf(20 + index), { file, path: 'a.json', conversation, sender: people.U1! });
    writer.flush();
    store.messages.collectWriters();
    expect(store.conversations.separateDuplicateDirects()).toEqual([{ sourceId: 'D7', other: 'D1' }]);
    expect(['D1', 'D7', 'D8', 'D9'].map(receiverType)).toEqual(['user', 'group', 'user', 'user']);
    expect(store.conversations.separateDuplicateDirects()).toEqual([]);
  });
});

describe('collisions()', () => {
  it('finds none among different ids', () => {
    expect(opened().store.people.collisions()).toEqual([]);
  });

  it('names all people, and all conversations that are groups, with the same id', () => {
    const { store, db, people, file } = opened('U1 C1');
    store.people.save(personOf('u1', { uid: 'u1' }));
    const duplicate = store.conversations.save(conversationOf('c1'), null);
    store.conversations.save(conversationOf('C1 ', { guid: 'c1' }), null);
    store.conversations.save(conversationOf('d1', { receiverType: 'user' }), [people.U1!, people.U2!]);
    // Nothing is sent for "C1 ": it does not take a group's place.
    const writer = new RowAppender(db);
    writer.save(rowOf(9), { file, path: 'a.json', conversation: duplicate, sender: people.U1! });
    writer.flush();
    store.messages.collectWriters();
    expect(store.people.collisions()).toEqual([
      { kind: 'uid', id: 'u1', sourceIds: ['U1', 'u1'] },
      { kind: 'guid', id: 'c1', sourceIds: ['C1', 'c1'] },
    ]);
  });
});

describe('markRepeated()', () => {
  it('may be called again at any time: it keeps settled rows', () => {
    const { store, db, file } = opened('U1 C1', 'U1 C1');
    db.exec(`UPDATE message SET muid = 'm1same'`);
    store.messages.markRepeated();
    const settled = () => db.prepare('SELECT seq, verdict, payload IS NULL FROM message ORDER BY seq').raw().all();
    const once = settled();
    expect(once).toEqual([
      [1, 'duplicate', 1],
      [2, 'planned', 0],
    ]);
    // A mark that a later plan leaves, behind the version that counts.
    db.prepare(`INSERT INTO message (muid, verdict, file, place) VALUES ('m1same', 'duplicate', ?, '/9')`).run(file);
    store.messages.markRepeated();
    expect(settled()).toEqual([...once, [3, 'duplicate', 1]]);
    // A load that was interrupted after it had appended the message once more.
    db.exec(`UPDATE message SET verdict = 'planned', payload = '{}' WHERE seq = 1`);
    store.messages.markRepeated();
    expect(settled()).toEqual([...once, [3, 'duplicate', 1]]);
  });

  it('leaves rows without an identity alone', () => {
    const { store, db, verdicts } = opened('U1 C1', 'U1 C1');
    db.exec(`UPDATE message SET muid = NULL, verdict = 'invalid', reason = 'bad-row'`);
    store.messages.markRepeated();
    expect(verdicts()).toEqual(Array(2).fill(['invalid', 'bad-row']));
  });
});

describe('forget()', () => {
  it('takes rows and problems of files that are gone out of the totals', () => {
    const { store, db, file } = opened('U1 C1');
    db.prepare(`INSERT INTO problem (file, code, reason, place) VALUES (?, 'x', 'x', 'x')`).run(file);
    store.files.forget([file]);
    store.messages.dropUnmet();
    expect(db.prepare('SELECT (SELECT count(*) FROM message), (SELECT count(*) FROM problem)').raw().get()).toEqual([
      0, 0,
    ]);
    expect(db.prepare('SELECT role, fingerprint FROM source_file').raw().all()).toEqual([['gone', '']]);
  });
});

describe('countSilentMembers()', () => {
  it('counts members of groups who never wrote there', () => {
    const { store } = opened('U1 C1', 'U1 D1');
    store.conversations.save(conversationOf('C1', { record: '{"members":["U1","U2","U3"]}' }), null);
    expect(store.conversations.countSilentMembers()).toBe(2);
  });
});

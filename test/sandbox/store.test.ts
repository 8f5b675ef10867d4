import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../src/lib/errors.ts';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { ask, direct, importAll, importOne, list, sandboxOf, toGroup } from './fixture.ts';

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'sandbox.db');
}

describe('the data of a sandbox', () => {
  it('is there again when the file is opened again, under the same id', () => {
    const path = newPath();
    const first = sandboxOf({ store: openSandboxStore(path) });
    importAll(first, direct('m1'), toGroup('m2'));
    const before = list(first, '').json.data;
    first.close();

    const second = sandboxOf({ store: openSandboxStore(path) });
    expect(second.id).toBe(first.id);
    expect(list(second, '').json.data).toEqual(before);
    expect(ask(second, { path: '/v3/groups/g' }).json.data).toMatchObject({ name: 'The group', membersCount: 1 });
    const bare = { senderUserDetails: undefined, receiverUserDetails: undefined };
    const { json } = importAll(second, direct('m1'), direct('m3', bare), toGroup('m4', bare));
    expect(json.data).toMatchObject({
      m1: { error: { code: 'ERR_IMPORT_MUID_ALREADY_EXISTS' } },
      m3: { success: true, data: { id: '3' } },
      m4: { success: true, data: { id: '4' } },
    });
    expect(ask(second, { path: '/v3/groups/g' }).json.data.membersCount).toBe(1);
  });

  it('does not count a member twice who writes again after the file was opened again', () => {
    const path = newPath();
    const first = sandboxOf({ store: openSandboxStore(path) });
    importAll(first, toGroup('m1'));
    first.close();
    const second = sandboxOf({ store: openSandboxStore(path) });
    expect(importOne(second, toGroup('m2')).data.data.entities.receiver.entity.membersCount).toBe(1);
  });

  it('is committed when the answer is given: another reader sees it', () => {
    const path = newPath();
    const sandbox = sandboxOf({ store: openSandboxStore(path) });
    importAll(sandbox, direct('m1'));
    const reader = openDatabase(path, { readonly: true });
    onTestFinished(() => void reader.close());
    expect(reader.prepare('SELECT muid FROM message').pluck().all()).toEqual(['m1']);
  });

  it('has an id of its own in every file', () => {
    expect(sandboxOf().id).not.toBe(sandboxOf().id);
  });

  it.skipIf(process.platform === 'win32')('is readable for its owner alone', () => {
    const path = newPath();
    sandboxOf({ store: openSandboxStore(path) });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['FULL', 2],
    ['NORMAL', 1],
  ] as const)('is written with synchronous=%s, the second time too', (synchronous, level) => {
    const path = newPath();
    openSandboxStore(path, { synchronous }).close();
    const store = openSandboxStore(path, { synchronous });
    onTestFinished(() => store.close());
    expect(store.db.pragma('synchronous', { simple: true })).toBe(level);
  });

  it('is found by the index of its conversation, page by page', () => {
    const store = openSandboxStore(':memory:');
    onTestFinished(() => store.close());
    const plan = store.db
      .prepare('EXPLAIN QUERY PLAN SELECT * FROM message WHERE conversation = ? AND id > ? ORDER BY id ASC LIMIT ?')
      .all(1, 1, 1);
    expect(plan).toMatchObject([
      { detail: 'SEARCH message USING INDEX message_conversation (conversation=? AND rowid>?)' },
    ]);
  });

  it('is not taken from a file of something else', () => {
    const path = newPath();
    const other = openDatabase(path);
    other.exec('CREATE TABLE something (else_ TEXT)');
    other.close();
    expect(() => openSandboxStore(path)).toThrow(StoreError);
    expect(() => openSandboxStore(path)).toThrow('another program');
    const text = newPath();
    writeFileSync(text, 'This is no database, but it is long enough to be looked at.'.repeat(20));
    expect(() => openSandboxStore(text)).toThrow(StoreError);
  });

  it.each([
    [999, 'a newer version of Chatferry wrote it'],
    [3, 'it was made before 0.1'],
  ])('is not taken from a file with the version number %i', (number, words) => {
    const path = newPath();
    openSandboxStore(path).close();
    const later = openDatabase(path);
    later.pragma(`user_version = ${number}`);
    later.close();
    expect(() => openSandboxStore(path)).toThrow(words);
  });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { chatwoot } from '../../../src/sources/chatwoot/index.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/chatwoot/answers/export');

it('answers are inspected, planned and imported as a user would, and private notes stay where they are', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Chatwoot');
  expect(inspected.stdout).toMatch(
    /Messages +13 +9 of people and bots, 1 internal \(notes of agents\), 3 written by the platform/,
  );
  const counted = await runJson(['inspect', path], { folder });
  expect(counted.json).toMatchObject({ rows: 13, messages: 9, internal: 1, system: 3 });

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 13, planned: 8, skipped: 5, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 13, imported: 8, verify: { same: 8, missing: 0, different: 0 } });
  const texts = JSON.stringify([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()]);
  expect(texts).toContain('My boat leaks');
  expect(texts).not.toMatch(/She never pays|It came back/);
});

it('a message of another account is invalid: its conversation has the number of another one', async () => {
  const answer = (account_id: number) => ({
    payload: [
      {
        ...{ id: account_id, account_id, content: 'Hi', conversation_id: 7, message_type: 0, private: false },
        ...{ inbox_id: 1, created_at: 1772442900, sender: { id: account_id, name: 'Ines', type: 'contact' } },
      },
    ],
  });
  const entries = await readAll(chatwoot, memoryInput({ 'a.json': answer(1), 'b.json': answer(2) }));
  expect(messagesOf(entries).length).toBe(1);
  expect(entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.reason] : []))).toEqual([
    'Expected messages of account 1, found account 2: both have a conversation of each number',
  ]);
});

it('a conversation keeps its name and people, whatever other file has messages of it and no more', async () => {
  const ines = { id: 3, name: 'Ines', type: 'contact' };
  const list = { id: 7, inbox_id: 1, status: 'open', meta: { sender: ines, assignee: null }, created_at: 1772442000 };
  const message = (id: number) => ({
    ...{ id, content: 'Hi', conversation_id: 7, message_type: 0, private: false, inbox_id: 1, account_id: 1 },
    ...{ created_at: 1772442900 + id, sender: ines },
  });
  const answers: Readonly<Record<string, object>> = {
    'a/list.json': { data: { payload: [list] } },
    'a/m.json': { payload: [message(1)] },
    'b/m.json': { payload: [message(2)] },
  };
  const event = { event: 'conversation_created', ...list, messages: [] };
  const events = { 'c/a.json': [event, { event: 'message_created', ...message(1) }], 'c/b.json': [message(2)] };
  const namesIn = async (files: Readonly<Record<string, object>>, ...inputs: readonly string[]) => {
    const folder = home.make();
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), JSON.stringify(content));
    }
    const { json } = await runJson(['plan', ...inputs, '--quiet'], { folder });
    expect(json).toMatchObject({ planned: 2, invalid: 0 });
    const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
    const names = db.prepare('SELECT name, record FROM conversation').all() as { name: string; record: string }[];
    db.close();
    return names.map(({ name, record }) => [name, (JSON.parse(record) as { members: unknown }).members]);
  };
  const whole = [['Ines', ['Contact:3']]];
  expect(await namesIn(answers, 'a', 'b')).toEqual(whole);
  expect(await namesIn(answers, 'b', 'a')).toEqual(whole);
  expect(await namesIn(events, 'c')).toEqual(whole);
});

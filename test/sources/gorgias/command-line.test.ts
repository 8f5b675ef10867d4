import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { gorgias } from '../../../src/sources/gorgias/index.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/gorgias/answers/export');

it('saved answers are inspected, planned and imported as a user would, and notes stay where they are', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Gorgias');
  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 14, planned: 7, skipped: 7, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 14, imported: 7, verify: { same: 7, missing: 0, different: 0 } });
  const texts = JSON.stringify([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()]);
  expect(texts).toContain('It has power, too');
  expect(texts).not.toMatch(/never pays|Tagged|We answer|never arrived|still waits|Taken back|Wrong number/);
});

const row = {
  ...{ id: 1, ticket_id: 12, public: true, channel: 'chat', from_agent: true, sender: { id: 7, name: 'Bo' } },
  ...{ body_text: 'Hi', created_datetime: '2026-03-02T09:00:00.1+00:00', sent_datetime: '2026-03-02T09:00:01+00:00' },
};
const one = async (fields: object) =>
  messagesOf(await readAll(gorgias, memoryInput({ 'a.json': { data: [{ ...row, ...fields }] } })))[0];

const ticket = { id: 12, customer: { id: 8, email: 'i@example.com' }, assignee_user: null, trashed_datetime: null };

it.each([
  [{ receiver: { id: 8 } }, undefined],
  [{ receiver: null }, undefined],
  [{ receiver: { id: 9 } }, 'side-conversation'],
  [{ receiver: { id: 9 }, source: { cc: [{ address: 'i@example.com' }] } }, undefined],
  [{ receiver: { id: 9 }, from_agent: false }, undefined],
])('a message with %j to others than the customer of its ticket is %s', async (fields, internal) => {
  const message = { ...row, ...fields };
  const files = { 'a.json': { data: [ticket] }, 'b.json': { data: [message] } };
  for (const entries of [
    await readAll(gorgias, memoryInput(files)),
    await readAll(gorgias, memoryInput({ 'c.json': { ...ticket, messages: [message] } })),
  ])
    expect(messagesOf(entries).map((one) => one.internal)).toEqual([internal]);
});

it.each([
  [{ public: false }, { internal: 'note' }],
  [{ channel: 'internal-note' }, { internal: 'note' }],
  [{ public: null, channel: 'internal-note' }, { internal: 'note' }],
  [{ source: { type: 'internal-note' } }, { internal: 'note' }],
  [{ public: false, rule_id: 3 }, { internal: 'automation' }],
  [{ meta: { is_hidden: true } }, { internal: 'restricted' }],
  [{ rule_id: 3 }, { systemEvent: 'rule' }],
  [{ sent_datetime: null }, { systemEvent: 'unsent' }],
  [{ failed_datetime: '2026-03-02T09:00:02+00:00' }, { systemEvent: 'failed' }],
  [{ failed_datetime: '2026-03-02T09:00:00+00:00' }, { systemEvent: undefined }],
  [
    { from_agent: false, sent_datetime: null },
    { systemEvent: undefined, author: 'customer:7' },
  ],
  [{ sender: { name: 'Bo' } }, { author: 'agent:Bo' }],
  [{ sender: null, source: { from: { address: 'a@example.com' } } }, { author: 'agent:a@example.com' }],
])('a message with %j is %j', async (fields, record) => {
  expect(await one(fields)).toMatchObject(record);
});

it('messages inside of a ticket that are no list, or in another list of it, are invalid rows', async () => {
  const invalidIn = async (fields: object) =>
    (
      await readAll(gorgias, memoryInput({ 'a.json': { data: [row, { ...ticket, subject: 'Kite', ...fields }] } }))
    ).flatMap((entry) => (entry.type === 'invalid' ? [entry.location.pointer] : []));
  expect(await invalidIn({ messages: [row] })).toEqual([]);
  expect(await invalidIn({ messages: { 0: row } })).toEqual(['/data/1/messages']);
  expect(await invalidIn({ messages: [], earlier: [row] })).toEqual(['/data/1/earlier/0']);
});

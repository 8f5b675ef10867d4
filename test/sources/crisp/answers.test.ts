import { describe, expect, it } from 'vitest';
import { crisp } from '../../../src/sources/crisp/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';

const row = {
  ...{ session_id: 'session_1', website_id: 'w', fingerprint: 1, type: 'text', from: 'user', content: 'Hi' },
  ...{ timestamp: 1772442900123, user: { user_id: 'session_1', nickname: 'Ines' } },
};
const answer = (data: readonly object[]) => ({ error: false, reason: 'listed', data });
const read = (files: Readonly<Record<string, object>>) => readAll(crisp, memoryInput(files));
const one = async (fields: object) => messagesOf(await read({ 'a.json': answer([{ ...row, ...fields }]) }))[0];
const reasonsOf = async (fields: object) =>
  (await read({ 'a.json': answer([{ ...row, ...fields }]) })).flatMap((entry) =>
    entry.type === 'invalid' ? [entry.code] : [],
  );

describe('a message of Crisp', () => {
  it('is private if it is a note, also if it is stealthy', async () => {
    expect(await one({ type: 'note', from: 'operator' })).toMatchObject({ internal: 'note' });
    expect(await one({ type: 'note', from: 'operator', stealth: true })).toMatchObject({ internal: 'note' });
  });

  it.each([
    ['of an unknown type', { type: 'memo' }],
    ['whose type has a name that objects have', { type: 'constructor' }],
    ['of an unknown side', { from: 'bot' }],
    ['that is stealthy', { stealth: true }],
    ['whose stealth is a word', { stealth: 'yes' }],
  ])('%s is invalid: it may be private', async (_, fields) => {
    expect(await reasonsOf(fields)).toEqual(['crisp-unclear-visibility']);
  });

  it.each([
    ['a text that is an object', { content: { text: 'Hi' } }],
    ['a note that is a list', { type: 'note', content: ['Hi'] }],
    ['a file that is a text', { type: 'file', content: 'https://example.com/a.png' }],
    ['a picker without a text', { type: 'picker', content: { choices: [] } }],
    ['a field whose answer is an object', { type: 'field', content: { text: 'Your number?', value: {} } }],
    ['a picker whose choice is a list', { type: 'picker', content: { text: 'Which?', choices: [['North']] } }],
    [
      'a card whose link is a list',
      { type: 'carousel', content: { text: 'Pumps', targets: [{ actions: [{ label: [] }] }] } },
    ],
    ['an event without a namespace', { type: 'event', content: { text: 'Resolved' } }],
  ])('with %s is invalid, and not empty', async (_, fields) => {
    expect(await reasonsOf(fields)).toEqual(['crisp-bad-content']);
  });

  it('keeps visitors and operators apart, even with the same id', async () => {
    expect(await one({})).toMatchObject({ author: 'user:session_1' });
    expect(await one({ from: 'operator' })).toMatchObject({ author: 'operator:session_1' });
  });

  it('without an id of the author is of the visitor, if the visitor wrote it', async () => {
    expect(await one({ user: { nickname: 'Ines' } })).toMatchObject({ author: 'user:session_1' });
    const byMail = await one({ user: { nickname: 'Jo', type: 'participant' } });
    expect(byMail).toMatchObject({ author: 'user:Jo' });
  });

  it('without an id of the author is of a bot of that name, if it is automatic', async () => {
    const automatic = { from: 'operator', automated: true };
    expect(await one({ ...automatic, user: { nickname: 'Tide bot' } })).toMatchObject({ author: 'bot:Tide bot' });
    expect(await one({ ...automatic, user: { nickname: 'Gate bot' } })).toMatchObject({ author: 'bot:Gate bot' });
  });

  it('has an id of any length, digit by digit', async () => {
    const text = JSON.stringify(answer([row])).replace('"fingerprint":1', '"fingerprint":900719925474099267');
    const [message] = messagesOf(await readAll(crisp, memoryInput({ 'a.json': text })));
    expect(message?.origin.id).toBe('900719925474099267');
  });

  it('has the order of the answer among others of its time, from the latest too', async () => {
    const at = (fingerprint: number, timestamp: number) => ({ ...row, fingerprint, timestamp });
    const rows = [at(3, 1772442900200), at(2, 1772442900100), at(1, 1772442900100)];
    const messages = messagesOf(await read({ 'a.json': answer(rows) }));
    const sorted = messages.toSorted((a, b) => a.sentAtMs - b.sentAtMs || (a.sortKey < b.sortKey ? -1 : 1));
    expect(sorted.map(({ origin }) => origin.id)).toEqual(['1', '2', '3']);
  });
});

describe('an answer of Crisp', () => {
  it('may be one conversation', async () => {
    const data = {
      session_id: 'session_1',
      website_id: 'w',
      state: 'resolved',
      meta: { nickname: 'Ines', email: 'a@example.com' },
    };
    const entries = await read({
      'session_1.json': { error: false, reason: 'resolved', data },
      'a.json': answer([row]),
    });
    const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
    expect(records).toMatchObject([
      { kind: 'user', id: 'user:session_1', email: 'a@example.com' },
      { kind: 'conversation', id: 'session_1', name: 'Ines', metadata: { status: 'resolved' } },
      { kind: 'message' },
    ]);
  });

  it('that refuses the request, has one message or is empty is named with the reason', async () => {
    const entries = await read({
      'a.json': answer([row]),
      'empty.json': answer([]),
      'message.json': { error: false, reason: 'resolved', data: row },
      'refused.json': { error: true, reason: 'not_allowed', data: {} },
    });
    const files = entries.flatMap((entry) => (entry.type === 'file' ? [[entry.path, entry.role, entry.reason]] : []));
    expect(files).toEqual([
      ['message.json', 'unknown', 'An answer with one message: fetch the list of messages instead'],
      ['refused.json', 'unknown', 'Crisp refused the request (not_allowed): fetch it again'],
      ['empty.json', 'skipped', 'An answer with an empty list'],
      ['a.json', 'rows', undefined],
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { mattermost } from '../../../src/sources/mattermost/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();

const read = (files: MemoryFiles) => readAll(mattermost, memoryInput(files));
const messagesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const version = { type: 'version', version: 1 };
const post = (fields: object) => ({
  type: 'post',
  post: { team: 't', channel: 'c', user: 'ann', message: 'Hi', create_at: 1_700_000_000_000, ...fields },
});
const idsOf = async (files: MemoryFiles) =>
  new Map(messagesOf(await read(files)).map(({ origin, text }) => [`${origin.conversation} ${origin.id}`, text]));

it('an export that was made has as many messages as were made, each once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 200_000);
  const ids = await idsOf({ 'import.jsonl': readFileSync(join(folder, 'import.jsonl'), 'utf8') });
  expect(ids.size).toBe(count);
});

describe('ids of posts', () => {
  it.each([
    ['every-feature', 'import.jsonl'],
    ['older-server', 'export.json'],
    ['damaged-lines', 'import.jsonl'],
  ])('are the same in a later export of %s with more posts in another order', async (sample, file) => {
    const text = readFileSync(`samples/mattermost/${sample}/export/${file}`, 'utf8');
    const before = await idsOf({ [file]: text });
    const later = text.split('\n').flatMap((line) => {
      const parsed =
        /^\{"type":"post","post":\{"team"/.test(line) && line.endsWith('}}') ? JSON.parse(line) : undefined;
      if (!parsed) return [line];
      const replies = [
        ...(parsed.post.replies ?? []),
        { user: 'late', message: 'Later', create_at: 1_800_000_000_000 },
      ];
      const others = post({
        user: 'late',
        message: 'In between',
        create_at: 1_800_000_000_000 + parsed.post.create_at,
      });
      return [JSON.stringify(others), JSON.stringify({ ...parsed, post: { ...parsed.post, edit_at: 1, replies } })];
    });
    const after = await idsOf({ [file]: later.join('\n') });
    expect(after.size).toBeGreaterThan(before.size);
    for (const [id, words] of before) expect(after.get(id)).toBe(words);
  });

  it('stay when a post is edited, and differ for posts that differ only in their text', async () => {
    const [edited] = messagesOf(await read({ 'a.jsonl': lines(version, post({ message: 'Hello', edit_at: 5 })) }));
    const [first, second] = messagesOf(await read({ 'a.jsonl': lines(version, post({}), post({ message: 'Ho' })) }));
    expect(edited!.origin.id).toBe(first!.origin.id);
    expect(second!.origin.id).toBe(`${first!.origin.id}-2`);
  });

  it('of webhooks are distinguished by their text, however far apart they are', async () => {
    const hook = (message: string) => post({ message, props: { from_webhook: 'true' } });
    const ids = messagesOf(await read({ 'a.jsonl': lines(version, hook('a'), hook('b')) })).map(
      ({ origin }) => origin.id,
    );
    expect(ids.every((id) => /^[a-z2-7]{26}$/.test(id))).toBe(true);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('a reply', () => {
  it('keeps its thread if the answered post has no time', async () => {
    const replies = [{ user: 'bob', message: 'Yes', create_at: 1_700_000_000_001 }];
    const entries = await read({ 'a.jsonl': lines(version, post({ create_at: 0, replies })) });
    expect(messagesOf(entries)).toMatchObject([{ text: 'Yes', threadRoot: expect.stringMatching(/./) }]);
    expect(entries.filter(({ type }) => type === 'invalid').length).toBe(1);
  });
});

describe('files of a Mattermost export', () => {
  const attached = (path: string) => lines(version, post({ attachments: [{ path }] }));
  it.each([
    ['2021/a.txt', 'data/2021/a.txt'],
    ['data/2021/a.txt', 'data/2021/a.txt'],
    ['attachments/b.txt', 'attachments/b.txt'],
    ['2021/e\u0301.txt', 'data/2021/%C3%A9.txt'],
  ])('are found by %j', async (path, url) => {
    const files = { 'data/2021/a.txt': 'a', 'data/2021/\u00e9.txt': 'e', 'attachments/b.txt': 'b' };
    const [message] = messagesOf(await read({ 'import.jsonl': attached(path), ...files }));
    expect(message!.attachments).toMatchObject([{ url, sizeBytes: 1 }]);
  });

  it.each([['../secret.txt'], ['/etc/passwd'], ['gone.txt']])('keep their name alone: %j', async (path) => {
    const [message] = messagesOf(await read({ 'import.jsonl': attached(path) }));
    expect(message!.attachments).toEqual([{ name: path.split('/').at(-1), unavailable: 'not-in-export' }]);
  });
});

describe('the lines of a Mattermost export', () => {
  it('may be in a folder, and are not read from attached files', async () => {
    const files = { 'x/import.jsonl': lines(version, post({})), 'x/data/a.jsonl': lines(version, post({})) };
    const entries = await read({ ...files, 'x/warnings.txt': '', 'notes.txt': '' });
    expect(messagesOf(entries).length).toBe(1);
    expect(entries.flatMap((entry) => (entry.type === 'file' ? [`${entry.role} ${entry.path}`] : []))).toEqual([
      'skipped x/data/a.jsonl',
      'skipped x/warnings.txt',
      'unknown notes.txt',
      'rows x/import.jsonl',
    ]);
  });

  it('describe a channel again if a person comes after its posts', async () => {
    const channel = { type: 'channel', channel: { team: 't', name: 'c', display_name: 'C', type: 'O' } };
    const user = { type: 'user', user: { username: 'Bob', teams: [{ name: 't', channels: [{ name: 'c' }] }] } };
    const entries = await read({ 'a.jsonl': lines(version, channel, post({}), user) });
    const described = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record.members] : [],
    );
    expect(described).toEqual([[], ['bob']]);
  });
});

describe('a post under a name of its own', () => {
  const props = { from_webhook: 'true', override_username: 'Crane' };
  const usersOf = (entries: readonly Entry[]) =>
    entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'user' ? [entry.record] : []));

  it('belongs to an author of this name, described once, whose id includes the owner of the webhook', async () => {
    const posts = [post({ props }), post({ props, message: 'Again' }), post({ message: 'Myself' })];
    const entries = await read({ 'import.jsonl': lines(version, ...posts) });
    expect(messagesOf(entries).map(({ author }) => author)).toEqual(['ann:Crane', 'ann:Crane', 'ann']);
    expect(usersOf(entries)).toMatchObject([{ id: 'ann:Crane', name: 'Crane', isBot: true }]);
  });

  it('belongs to the author in a direct channel: the name would be a third person in it', async () => {
    const direct = { channel_members: ['ann', 'ben'], user: 'ann', message: 'Hi', create_at: 1_700_000_000_000, props };
    const entries = await read({ 'import.jsonl': lines(version, { type: 'direct_post', direct_post: direct }) });
    expect(messagesOf(entries)).toMatchObject([{ author: 'ann', custom: { shownAs: 'Crane' } }]);
  });
});

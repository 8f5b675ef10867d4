import { describe, expect, it } from 'vitest';
import { chatferry } from '../../../src/sources/chatferry/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const line = (value: object) => `${JSON.stringify(value)}\n`;
const header = line({ kind: 'chatferry', version: 1 });
const ann = line({ kind: 'user', id: 'ann', name: 'Ann' });
const bob = line({ kind: 'user', id: 'bob', name: 'Bob' });
const room = line({ kind: 'conversation', id: 'room', type: 'private', name: 'Room', members: [] });
const message = (id: string, author: string) =>
  line({
    kind: 'message',
    origin: { source: 's', workspace: '', conversation: 'room', id },
    author,
    sortKey: '',
    sentAtMs: 1,
    text: id,
  });

const probe = (files: MemoryFiles) => chatferry.probe(memoryInput(files));

describe('chatferry probe', () => {
  it('is certain of a header, whatever its version, and of a whole record', async () => {
    const newer = line({ kind: 'chatferry', version: 9 });
    for (const text of [header, newer, ann, room, message('1', 'ann')]) {
      expect(await probe({ 'a.ndjson': text })).toMatchObject({ match: 'certain' });
      expect(await probe({ 'any.name': text })).toMatchObject({ match: 'certain' });
      expect(await probe({ 'a.ndjson': text, 'b.txt': '', 'c.txt': '', 'd.txt': '' })).toMatchObject({
        match: 'certain',
      });
    }
  });

  it('finds likely what has the telling fields of a record, and faults', async () => {
    const wrong = line({ kind: 'message', origin: {}, sentAtMs: 'today' });
    expect(await probe({ 'a.ndjson': wrong })).toMatchObject({ match: 'likely' });
  });

  it.each([
    ['messages of somebody else', line({ kind: 'message', text: 'hi', from: 'ann' })],
    ['other JSON', line({ id: 1, text: 'hi' })],
    ['an array', '[{"kind":"user","id":"1","name":"Ann"}]'],
    ['nothing', ''],
  ])('answers "no" to %s', async (_, text) => expect(await probe({ 'a.ndjson': text })).toEqual({ match: 'no' }));
});

describe('several files', () => {
  const rolesOf = async (files: MemoryFiles) =>
    (await readAll(chatferry, memoryInput(files))).flatMap((entry) =>
      entry.type === 'file' ? [`${entry.role} ${entry.path}`] : [],
    );

  it('are read in order: people, then files that begin with people, then files with late people, then messages', async () => {
    const roles = await rolesOf({
      'a.ndjson': message('1', 'ann'),
      'b.ndjson': message('2', 'ann') + bob,
      'c.ndjson': room + message('3', 'ann'),
      'd.ndjson': header + ann,
      'notes.txt': 'tea',
      '.DS_Store': '',
    });
    expect(roles).toEqual([
      ...['shared d.ndjson', 'shared c.ndjson', 'shared b.ndjson'],
      ...['skipped .DS_Store', 'unknown notes.txt', 'rows a.ndjson'],
    ]);
  });

  it('may have any name if their first lines identify them', async () => {
    expect(await rolesOf({ 'people.txt': ann, 'log.txt': message('1', 'ann') })).toEqual([
      ...['shared people.txt', 'rows log.txt'],
    ]);
  });
});

describe('people who are described late', () => {
  const lateIn = async (files: MemoryFiles) =>
    (await readAll(chatferry, memoryInput(files))).flatMap((entry) =>
      entry.type === 'problem' ? [`${entry.code} ${entry.location.path}:${entry.location.line}`] : [],
    );

  it('are reported once in a file, if an earlier message named one', async () => {
    const text =
      ann + room + message('1', 'bob') + message('2', 'cy') + bob + line({ kind: 'user', id: 'cy', name: 'C' });
    expect(await lateIn({ 'a.ndjson': text })).toEqual(['described-late a.ndjson:5']);
  });

  it('are not reported if no message named them, or if they are described again', async () => {
    expect(await lateIn({ 'a.ndjson': ann + room + message('1', 'ann') + bob + ann })).toEqual([]);
  });

  it('are reported in a file of messages wherever reading begins', async () => {
    const rows = Array.from({ length: 4000 }, (_, index) => message(String(index), 'ann')).join('');
    expect(await lateIn({ 'a.ndjson': ann + room, 'b.ndjson': rows + bob })).toEqual(['described-late b.ndjson:4001']);
  });
});

import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { irc } from '../../../src/sources/irc/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const opened = '--- Log opened Mon Mar 02 09:00:00 2026\n';
const log = (...lines: readonly string[]) => opened + lines.map((line) => `${line}\n`).join('');
const read = (files: MemoryFiles, options: object = { zone: 'UTC' }) => readAll(irc, memoryInput(files), {}, options);
const messagesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const authorsOf = async (...lines: readonly string[]) =>
  messagesOf(await read({ '#a.log': log(...lines) })).map(({ author }) => author);

describe('people of a log', () => {
  it('stay who they are when they change their nick, there and back', async () => {
    const lines = [
      '09:00 <a> 1',
      '09:01 -!- a is now known as a_',
      '09:02 <a_> 2',
      '09:03 -!- a_ is now known as a',
      '09:04 <A> 3',
    ];
    expect(await authorsOf(...lines)).toEqual(['a', 'a', 'a', 'a', 'a']);
  });

  it('stay who they are over several changes', async () => {
    const lines = ['09:00 -!- a is now known as b', '09:01 -!- b is now known as c', '09:02 <c> 1'];
    expect(await authorsOf(...lines)).toEqual(['a', 'a', 'a']);
  });

  it('keep a nick under which they wrote before, whoever takes it in between', async () => {
    const lines = ['09:00 <ines> 1', '09:01 -!- Guest7 is now known as ines', '09:02 <ines> 2'];
    expect(await authorsOf(...lines)).toEqual(['ines', 'guest7', 'ines']);
  });

  it('are nobody where a server speaks', async () => {
    expect(await authorsOf('09:00 -irc.example.com- Hello', '09:01 -!- Irssi: x')).toEqual([undefined, undefined]);
  });
});

describe('ids of messages', () => {
  const lines = ['09:00 <a> hi', '09:00 <a> hi', '09:00  * a hi', '09:01 <a> hi'];

  it('are as many as there are messages, equal ones too', async () => {
    const ids = messagesOf(await read({ '#a.log': log(...lines) })).map(({ origin }) => origin.id);
    expect(new Set(ids).size).toBe(4);
  });

  it('stay as they are when the log grows, when it begins later, and in another zone', async () => {
    const idsOf = async (text: string, options?: object) =>
      messagesOf(await read({ '#a.log': text }, options)).map(({ origin }) => origin.id);
    const ids = await idsOf(log(...lines));
    expect((await idsOf(log(...lines, '09:02 <b> yo'))).slice(0, 4)).toEqual(ids);
    expect((await idsOf(log('08:00 <b> yo', ...lines))).slice(1)).toEqual(ids);
    expect(await idsOf(log(...lines), { zone: 'Asia/Tokyo' })).toEqual(ids);
  });

  it('are the same in two logs of one channel', async () => {
    const files = { 'ann/net/#a.log': log(...lines), 'bob/net/#a.log': log(...lines) };
    const origins = messagesOf(await read(files)).map(({ origin }) => JSON.stringify(origin));
    expect(origins.slice(4)).toEqual(origins.slice(0, 4));
  });
});

describe('what is said of a log', () => {
  const problemsOf = async (files: MemoryFiles, options?: object) =>
    (await read(files, options)).flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []));

  it('is once that no zone is known, unless its lines have one', async () => {
    expect(await problemsOf({ '#a.log': log('09:00 <a> 1', '09:01 <a> 2') }, {})).toEqual(['zone-assumed']);
    expect(await problemsOf({ '#a.log': '[2026-03-02T09:00:00.000Z] <a> 1\n' }, {})).toEqual([]);
  });

  it('is once that lines are not UTF-8, which are read in the encoding of the mapping', async () => {
    const line = Buffer.from([...Buffer.from(`${opened}09:00 <a> `), 0xd0, 0xc9, 0x0a]);
    expect(await problemsOf({ '#a.log': line })).toEqual(['encoding-assumed']);
    const [message] = messagesOf(await read({ '#a.log': line }, { encoding: 'koi8-r' }));
    expect(message?.text).toBe('пи');
  });

  it('is nothing of a chat of two whose people are known', async () => {
    expect(await problemsOf({ 'ines.log': log('09:00 <ines> 1') }, { zone: 'UTC', nick: 'tom' })).toEqual([]);
    expect(await problemsOf({ 'ines.log': log('09:00 <ines> 1') })).toEqual(['no-members']);
  });
});

describe('the probe', () => {
  const probe = (files: MemoryFiles) => irc.probe(memoryInput(files));

  it('is certain of a channel, or of lines that say the day', async () => {
    expect(await probe({ '#a.log': '[09:00] <a> 1\n' })).toEqual({
      match: 'certain',
      because: 'lines of an IRC log in "#a.log"',
    });
    expect(await probe({ 'a.log': log('09:00 <a> 1') })).toMatchObject({ match: 'certain' });
    expect(await probe({ 'a.log': '[09:00] <a> 1\n' })).toMatchObject({ match: 'likely' });
  });

  it('does not take logs of programs for chats', async () => {
    for (const line of [
      '2026-03-02 09:00:00 INFO started\n',
      '[09:00:00] [main/INFO]: x\n',
      'Mar 02 09:00:00 host sshd: x\n',
      '',
    ]) {
      expect(await probe({ 'server.log': line.repeat(5) })).toEqual({ match: 'no' });
    }
  });
});

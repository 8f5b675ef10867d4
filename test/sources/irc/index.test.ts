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

  it('keep a nick they used before, even if another person takes it in between', async () => {
    const lines = ['09:00 <ines> 1', '09:01 -!- Guest7 is now known as ines', '09:02 <ines> 2'];
    expect(await authorsOf(...lines)).toEqual(['ines', 'guest7', 'ines']);
  });

  it('are absent if a server writes', async () => {
    expect(await authorsOf('09:00 -irc.example.com- Hello', '09:01 -!- Irssi: x')).toEqual([undefined, undefined]);
  });
});

describe('people of several logs', () => {
  const authors = async (files: MemoryFiles, options?: object) =>
    messagesOf(await read(files, options)).map(({ author }) => author);

  it('stay who they are in the file of the next day', async () => {
    const files = {
      'net/#a/2026-03-02.log': '[09:00:00] <mei> 1\n[09:01:00] *** mei is now known as mei_\n',
      'net/#a/2026-03-03.log': '[09:00:00] <mei_> 2\n',
    };
    expect(await authors(files)).toEqual(['mei', 'mei', 'mei']);
  });

  it('stay who they are in another channel of the network, and are others on another network', async () => {
    const files = {
      'net/#a.log': log('09:00 <mei> 1', '09:01 -!- mei is now known as mei_'),
      'net/#b.log': log('09:00 <tom> 2', '09:02 <mei_> 3'),
      'oftc/#a.log': log('09:02 <mei_> 4'),
    };
    expect(await authors(files)).toEqual(['mei', 'mei', 'tom', 'mei', 'mei_']);
  });

  it('are in order of time, whatever the order of the names', async () => {
    const files = {
      'net/#a.log': log('10:00 <mei_> 3'),
      'net/#b.log': log('09:00 <mei> 1', '09:01 -!- mei is now known as mei_'),
      'net/#c.log': log('08:00 <tom_> 0', '09:01 -!- tom is now known as tom_', '09:02 <tom_> 4'),
    };
    // `tom_` wrote before tom took the nick.
    expect(await authors(files)).toEqual(['mei', 'mei', 'mei', 'tom_', 'tom', 'tom_']);
  });

  it('stay who they are when only one of the files is wanted', async () => {
    const files = {
      'net/#a/2026-03-02.log': '[09:00:00] <mei> 1\n[09:01:00] *** mei is now known as mei_\n',
      'net/#a/2026-03-03.log': '[09:00:00] <mei_> 2\n',
    };
    const wants = (path: string) => path.endsWith('03.log');
    const entries = await readAll(irc, memoryInput(files), { wants }, { zone: 'UTC' });
    expect(messagesOf(entries).map(({ author }) => author)).toEqual(['mei']);
  });

  it('may be different if another person takes the nick on another day', async () => {
    const files = {
      'net/#a/2026-03-02.log': '[09:00:00] <mei> 1\n[09:01:00] *** mei is now known as guest\n[09:02:00] <guest> 2\n',
      'net/#a/2026-03-03.log': '[09:00:00] <tom> 1\n[09:01:00] *** tom is now known as guest\n[09:02:00] <guest> 2\n',
    };
    expect(await authors(files)).toEqual(['mei', 'mei', 'mei', 'tom', 'tom', 'tom']);
  });

  it('are asked about when one nick is on two networks, and can be two', async () => {
    const files = { 'net/#a.log': log('09:00 <mei> 1'), 'oftc/#a.log': log('09:00 <mei> 2', '09:01 <mei> 3') };
    const codes = (await read(files)).flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []));
    expect(codes).toEqual(['irc-nick-on-networks', 'irc-nick-on-networks']);
    expect(await authors(files, { zone: 'UTC', people: 'one-per-network' })).toEqual([
      'net/mei',
      'oftc/mei',
      'oftc/mei',
    ]);
  });
});

describe('dialects', () => {
  const rejectsOf = async (files: MemoryFiles) =>
    (await read(files)).flatMap((entry) => (entry.type === 'invalid' ? [`${entry.code} ${entry.location.line}`] : []));

  it('that write events like actions have actions of known nicks only', async () => {
    const lines = ['[09:00] * tom sets mode: +o mei', '[09:01] * mei waves', '[09:02] * Cannot find the harbour'];
    const files = { 'net/#a.2026-03-02.log': `${lines.join('\n')}\n` };
    expect(await rejectsOf(files)).toEqual(['irc-unclear-star 3']);
    expect(messagesOf(await read(files)).map(({ text }) => text)).toEqual(['tom sets mode: +o mei', '_waves_']);
  });

  it('of one conversation are detected from all of its files', async () => {
    const action = '[09:00:00] <tom> 1\n[09:00:00] * tom is now known as winner\n';
    const files = {
      'net/#a/2026-03-02.log': action,
      'net/#a/2026-03-03.log': '[09:00:00] *** Joins: tom (t@example.com)\n',
    };
    expect(messagesOf(await read(files)).map(({ systemEvent }) => systemEvent)).toEqual([undefined, undefined, 'join']);
  });

  it('that are not known make an invalid line, and never words of a person', async () => {
    const lines = ['09:00 <tom> 1', '09:01 * tom (t@pier.example.com) does what no program does', 'tom: 2'];
    expect(await rejectsOf({ '#a.log': log(...lines) })).toEqual(['irc-unknown-line 3', 'irc-unknown-line 4']);
  });

  it('leave no address in an event', async () => {
    const lines = [
      '09:00 -!- mode/#a [+b *!*@pier4.example.com] by tom',
      '09:01 -!- Irssi: Found your IP: [192.0.2.7]',
    ];
    const texts = messagesOf(await read({ '#a.log': log(...lines) })).map(({ text }) => text);
    expect(texts).toEqual(['mode/#a [+b *] by tom', 'Irssi: Found your IP: […]']);
  });
});

describe('logs that nothing names a network of', () => {
  const codesOf = async (files: MemoryFiles) =>
    (await read(files)).flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []));
  const day = '2026-03-02.log';

  it('are kept apart, and asked about, when they have other lines at the same time', async () => {
    const files = { [`#a_${day}`]: '09:00 <a> 1\n10:00 <a> 2\n', [`#a.${day}`]: '09:30 <b> 3\n' };
    expect(await codesOf(files)).toEqual(['irc-network-unknown', 'irc-network-unknown']);
    expect(new Set(messagesOf(await read(files)).map(({ origin }) => origin.conversation)).size).toBe(2);
  });

  it('are one channel when a line is in both, or when one follows the other', async () => {
    expect(await codesOf({ [`#a_${day}`]: '09:00 <a> 1\n10:00 <a> 2\n', [`#a.${day}`]: '09:00 <a> 1\n' })).toEqual([]);
    expect(await codesOf({ [`#a_${day}`]: '09:00 <a> 1\n', [`#a.${day}`]: '10:00 <a> 2\n' })).toEqual([]);
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

describe('the report about a log', () => {
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

  it('is empty for a chat of two known people', async () => {
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

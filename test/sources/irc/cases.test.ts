import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { irc } from '../../../src/sources/irc/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const folder = join(import.meta.dirname, 'cases');

/** The files of a case, by their paths in it. */
function filesOf(name: string): Record<string, string> {
  const found = readdirSync(join(folder, name), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const root = join(folder, name).length + 1;
  return Object.fromEntries(
    found
      .map((file) => join(file.parentPath, file.name))
      .map((path) => [path.slice(root), readFileSync(path, 'utf8')] as const),
  );
}

/** The messages of people, `#` for events, `!` for what is wrong, each in a line; and the conversations. */
async function shown(name: string, options: object = { zone: 'UTC' }) {
  const entries = await readAll(irc, memoryInput(filesOf(name)), {}, options);
  const lines: string[] = [];
  const conversations = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'invalid' || entry.type === 'problem') lines.push(`! ${entry.code}`);
    if (entry.type !== 'record') continue;
    const { record } = entry;
    if (record.kind === 'conversation') conversations.add(`${record.type} ${record.id}`);
    if (record.kind !== 'message') continue;
    const time = new Date(record.sentAtMs).toISOString().slice(0, 19);
    lines.push(
      record.systemEvent === undefined ? `${time} ${record.author} ${record.text}` : `# ${record.systemEvent}`,
    );
  }
  return { conversations: [...conversations], lines, people: lines.filter((line) => !/^[#!]/.test(line)) };
}

const countOf = (lines: readonly string[], mark: string) => lines.filter((line) => line.startsWith(mark)).length;

it('names that begin with the day are one channel', async () => {
  const { conversations, people, lines } = await shown('day-first');
  expect(conversations).toEqual(['private harbour']);
  expect(people).toHaveLength(6);
  expect(people.at(-1)).toBe('2026-03-03T09:16:00 tomasz hi');
  expect(countOf(lines, '!')).toBe(0);
});

it('Eggdrop writes events without a star', async () => {
  const { conversations, lines } = await shown('eggdrop');
  expect(conversations).toEqual(['private libera/#harbour']);
  expect(lines).toEqual([
    ...['# join', '2026-03-02T09:15:00 ines hello', '2026-03-02T09:15:00 tomasz _waves_'],
    ...['# quit', '# nick', '# topic', '# mode'],
  ]);
});

it('HexChat has the year in its header, and January follows December', async () => {
  const { people, lines } = await shown('hexchat');
  expect(people).toEqual([
    ...['2026-03-02T09:15:00 ines hello', '2026-03-02T09:15:05 tomasz _waves_', '2026-03-02T09:15:09 priya a notice'],
    ...['2026-12-31T23:59:00 ines soon', '2027-01-01T00:01:00 tomasz happy new year'],
  ]);
  expect(countOf(lines, '#')).toBe(4);
});

it.each(['a', 'c', 'd', 'e'])('layout %s of folders has two networks', async (layout) => {
  const files = Object.entries(filesOf('layouts')).filter(([path]) => path.startsWith(`${layout}/`));
  const entries = await readAll(irc, memoryInput(Object.fromEntries(files)), {}, { zone: 'UTC' });
  const ids = entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record.id] : [],
  );
  expect(ids).toEqual(['libera/#harbour', 'oftc/#harbour']);
});

it('the same channel name on two networks is two conversations', async () => {
  expect((await shown('two-networks')).conversations).toEqual(['private libera/#harbour', 'private oftc/#harbour']);
});

it('days in the names of Limnoria are no part of the channel', async () => {
  const { conversations, people } = await shown('limnoria-days');
  expect(conversations).toEqual(['private libera/#harbour']);
  expect(people).toEqual(['2026-03-02T09:15:00 ines monday', '2026-03-03T09:15:00 ines tuesday']);
});

it('The Lounge of 2017 names the kind of each line, and no host is in a text', async () => {
  const { lines } = await shown('lounge-2017');
  expect(lines).toEqual([
    ...['join', 'quit', 'part', 'nick', 'mode', 'topic', 'kick'].map((event) => `# ${event}`),
    ...['2017-08-02T10:00:07 tomasz hello', '2017-08-02T10:00:08 tomasz _waves_'],
  ]);
});

it('a message of The Lounge continues in lines with a bar', async () => {
  const { lines } = await shown('lounge-multiline', {});
  expect(lines[0]).toBe('2026-03-02T09:15:00 ines first line\nsecond line\nthird line');
  expect(lines.slice(1)).toEqual([
    '2026-03-02T09:15:05 mei who wrote this',
    '# nick',
    '2026-03-02T09:15:07 mei the same person',
  ]);
});

it('a change of nick in The Lounge is followed', async () => {
  const { lines, people } = await shown('lounge-nick', {});
  expect(people[2]).toBe('2026-03-02T09:15:07 mei still me');
  expect(lines.filter((line) => line.startsWith('#'))).toEqual(
    ['join', 'nick', 'mode', 'topic', 'part', 'quit', 'kick', 'host'].map((event) => `# ${event}`),
  );
});

it('irssi may write no space behind the time', async () => {
  const { lines } = await shown('nospace');
  expect(lines).toEqual([
    ...['2019-09-30T16:59:05 nick2 nick1: redacted', '2019-09-30T17:01:04 nick2 redacted'],
    ...['# join', '2019-09-30T17:01:06 nick2 _waves_'],
  ]);
});

it('times with an offset need no zone', async () => {
  const { lines } = await shown('offset', {});
  expect(lines.map((line) => line.slice(11, 19))).toEqual([
    ...['08:15:00', '08:15:01', '08:15:02', '08:15:03', '09:15:04', '09:15:05', '09:15:06'],
  ]);
});

it('events after a star are distinguished from actions by their whole form', async () => {
  const { lines, people } = await shown('star-events');
  expect(countOf(lines, '#')).toBe(24);
  expect(people.map((line) => line.slice(20))).toEqual([
    ...['ines hello', 'tomasz _waves_', 'tomasz _has joined the queue_', 'tomasz _has left for lunch_'],
    ...['tomasz _is now known as the winner, he thinks_', 'tomasz _sets mode to party_'],
  ]);
});

it('Textual has kinds of windows for folders, and events without a mark', async () => {
  const { conversations, lines } = await shown('textual', {});
  expect(conversations).toEqual(['private libera (1a2b3)/#harbour']);
  expect(lines).toEqual([
    ...['2026-03-02T08:15:00 ines hello', '2026-03-02T08:15:05 tomasz _waves_', '# join'],
    '2026-03-02T08:15:12 priya a notice',
  ]);
});

it('RRSAgent says channel and day in its log', async () => {
  const { conversations, lines } = await shown('txt-exit0', {});
  expect(conversations).toEqual(['private #harbour']);
  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe('# join');
  expect(lines.at(-1)).toBe('2026-03-02T14:01:20 mei _waves_');
});

it('folders of Ubuntu say the day, and events have no time', async () => {
  const { conversations, lines } = await shown('ubuntu-path');
  expect(conversations).toEqual(['private #ubuntu-harbour']);
  expect(lines).toEqual([
    ...['# join', '2026-03-02T00:01:00 ines hello', '2026-03-02T00:02:00 tomasz _waves_'],
    ...['# nick', '2026-03-02T09:03:00 tomasz late'],
  ]);
});

it.each([
  ['chatzilla', ['# join', 'ines hello', 'tomasz _waves_', '# join', '# quit', '# nick']],
  ['konversation', ['ines hello', 'tomasz _waves_', '# join']],
  ['kvirc', ['ines hello', 'tomasz _waves_']],
  ['limechat', ['ines hello', 'tomasz hi', '# join']],
  ['meetbot', ['ines #startmeeting', 'meetbot Meeting', 'tomasz #info', 'mei _waves_']],
  ['pidgin', ['ines hello', 'tomasz _waves_', '# join', 'priya two\nlines']],
  ['quassel', ['ines hello', 'tomasz _waves_', '# join', '# quit', '# mode']],
])('every line of %s is read', async (program, said) => {
  const files = Object.entries(filesOf('dialects')).filter(([path]) => path.startsWith(`${program}/`));
  const entries = await readAll(irc, memoryInput(Object.fromEntries(files)), {}, { zone: 'UTC' });
  expect(entries.filter(({ type }) => type === 'invalid' || type === 'problem')).toEqual([]);
  const lines = entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'message'
      ? [
          entry.record.systemEvent === undefined
            ? `${entry.record.author} ${entry.record.text}`
            : `# ${entry.record.systemEvent}`,
        ]
      : [],
  );
  expect(lines).toEqual(said.map((line) => expect.stringContaining(line)));
});

it('no host of any case leaves the source', async () => {
  for (const name of readdirSync(folder)) {
    const entries = await readAll(irc, memoryInput(filesOf(name)), {}, {});
    const texts = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.text] : [],
    );
    expect(
      texts.filter((text) => /pier\d|@|\bx\.example/.test(text)),
      name,
    ).toEqual([]);
  }
});

it('BotBot writes the seconds since 1970 in every line', async () => {
  const { conversations, lines } = await shown('botbot', {});
  expect(conversations).toEqual(['private tidenet/harbour']);
  expect(lines).toEqual([
    ...['# join', '2026-03-02T09:15:03 ines Good morning', '2026-03-02T09:15:03 tomasz [1] is the <b> berth: free'],
    ...['2026-03-02T09:16:00 tomasz _waves at ines_', '# nick', '# topic', '# info'],
    ...['2026-03-03T09:15:00 tomasz Next day', '# part', '# quit', '! irc-unknown-line'],
  ]);
});

it('Pidgin writes HTML whose lines are recognised by their marks', async () => {
  const { conversations, lines } = await shown('pidgin-html', {});
  expect(conversations).toEqual(['private irc.example.com/#harbour']);
  expect(lines).toEqual([
    '# join',
    '2026-03-02T08:15:00 ines Good **morning** & <hello> https://example.com/a?b=1&c=2',
    ...['2026-03-02T08:15:05 tomasz _waves_', '2026-03-02T11:15:06 tomasz one\ntwo', '# topic', '# nick'],
    ...['2026-03-02T11:17:00 tomasz still me', '! irc-unknown-line', '! irc-unknown-line'],
  ]);
});

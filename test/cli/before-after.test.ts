import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeBeforeAfter } from '../../src/cli/prepare/inspect.ts';
import type { BeforeAfter } from '../../src/rows/rows-with-messages.ts';
import { inspect } from '../../src/commands/prepare.ts';
import { displayWidth } from '../../src/lib/text/plain-text.ts';
import { loadMapping, parseRules } from '../../src/mapping/load.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';

const home = temporaryFolder();

const mappingText = (rules: string) => `source: { ${rules} }\n`;

async function shownOf(files: Readonly<Record<string, string>>, rules: string): Promise<readonly BeforeAfter[]> {
  const folder = home.make();
  mkdirSync(join(folder, 'export'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'export', name), text);
  writeFileSync(join(folder, 'm.yaml'), mappingText(rules));
  const mapping = await loadMapping(join(folder, 'm.yaml'));
  return (await inspect({ from: [join(folder, 'export')], source: undefined, workspace: undefined, mapping }))
    .beforeAfter;
}

const header = 'id,room,who,at,text,file,parent';
const plain = (id: number) => `${id},r,ann,2024-03-01T10:00:0${id % 10},Hello ${id},,`;
const rules =
  'tables: { messages: { file: m.csv }, users: { file: u.csv } }, zone: Europe/Berlin, users: { id: id, name: name }, ' +
  'messages: { id: id, conversation: room, author: who, time: at, text: text, attachments: [{ url: file }], reply: parent }';

describe('rows before and after', () => {
  it('are of different kinds, with the complete resulting messages', async () => {
    const rows = [
      ...[1, 2, 3, 4, 5].map(plain),
      '6,r,ann,2024-03-01T10:00:06,Look,https://example.com/a.png,',
      '7,r,bo,2024-03-01T10:00:07,"two\nlines",,1',
    ];
    const shown = await shownOf({ 'm.csv': [header, ...rows].join('\n'), 'u.csv': 'id,name\nann,Ann\n' }, rules);
    expect(shown.map(({ place }) => place)).toEqual(['m.csv:2', 'm.csv:8', 'm.csv:7']);
    expect(describeBeforeAfter(shown[1]!, 80)).toEqual([
      'm.csv:8',
      '  row           id: 7  room: r  who: bo  at: 2024-03-01T10:00:07',
      '                text: two\\nlines  parent: 1',
      '                empty: file',
      '  time          2024-03-01 10:00:07 Europe/Berlin (2024-03-01 09:00:07 UTC)',
      '  author        bo',
      '  conversation  r',
      '  text          two\\nlines',
      '  reply         to 1',
    ]);
    expect(describeBeforeAfter(shown[2]!, 80).slice(-4)).toEqual([
      '  author        Ann (ann)',
      '  conversation  r',
      '  text          Look',
      '  files         a.png (https://example.com/a.png)',
    ]);
  });

  it('are the first three if all are of one kind', async () => {
    const shown = await shownOf(
      { 'm.csv': [header, ...[1, 2, 3, 4].map(plain)].join('\n'), 'u.csv': 'id,name\n' },
      rules,
    );
    expect(shown.map(({ place }) => place)).toEqual(['m.csv:2', 'm.csv:3', 'm.csv:4']);
  });

  it('are shown for JSON as well, with paths of nested values', async () => {
    const rows = [{ _id: { $oid: '65e1' }, at: '2024-03-01T10:00:00Z', from: { id: 7 }, body: 'Hi', likes: ['👍'] }];
    const shown = await shownOf(
      { 'm.json': JSON.stringify(rows) },
      'messages: { id: _id, conversation: { constant: all }, author: from.id, time: at, text: body }',
    );
    expect(describeBeforeAfter(shown[0]!, 80).slice(0, 3)).toEqual([
      'm.json#/0',
      '  row           _id: 65e1  at: 2024-03-01T10:00:00Z  from.id: 7  body: Hi',
      '                likes: ["👍"]',
    ]);
  });

  it('fit the terminal, whatever the export holds', () => {
    const row = Array.from({ length: 60 }, (_, index): [string, string] => [
      `column ${index}\u001b[31m`,
      index % 3 === 0 ? '' : '漢字\u202e\n'.repeat(index),
    ]);
    const shown: BeforeAfter = {
      ...{ place: `${'deep/'.repeat(30)}a.csv:2`, row, names: { author: 'x\u001b'.repeat(90) }, open: ['time'] },
      message: {
        ...{ kind: 'message', sortKey: '', sentAtMs: 0, author: 'a', text: '\u0000'.repeat(500) },
        origin: { source: 'csv', workspace: '', conversation: 'c'.repeat(300), id: '1' },
        attachments: [{ name: 'x\ty' }],
        reactions: [{ emoji: '👍', users: [], count: 2 }],
        systemEvent: 'joined',
      },
    };
    for (const columns of [40, 80, 200]) {
      const lines = describeBeforeAfter(shown, columns);
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
      expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(lines).toContain('  time          ?');
      expect(lines).toContain('  files         x\\ty');
      expect(lines).toContain('  reactions     👍 2');
      expect(lines).toContain('  system line   joined');
      expect(lines.filter((line) => line.includes('more')).length).toBe(1);
    }
  });

  it('are none of a source that reads no tables', async () => {
    const folder = home.make();
    writeFiles(folder, {
      'users.json': [user(userId(1))],
      'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1)] }],
      'general/2024-03-01.json': [message('1709251201.000100', userId(1), 'Hello')],
    });
    const { beforeAfter, examples } = await inspect({ from: [folder], source: undefined, workspace: undefined });
    expect(beforeAfter).toEqual([]);
    expect(examples).toHaveLength(1);
  });
});

describe('a question mark in source', () => {
  const sourceOf = (text: string) => parseRules(mappingText(text), 'm.yaml').source;

  it('marks a key as open if it is the whole value, but means nothing in lists of conditions and texts of the user', () => {
    const decided =
      'messages: { only: { status: ["?"] }, skipWhen: { kind: ["?"], type: ["?"] }, custom: { mark: "?" }, ' +
      'author: { constant: "?" }, kind: { from: k, values: { a: "?" }, otherwise: "?" } }';
    expect(sourceOf(decided)).toEqual({
      messages: {
        ...{ only: { status: ['?'] }, skipWhen: { kind: ['?'], type: ['?'] }, custom: { mark: '?' } },
        ...{ author: { constant: '?' }, kind: { from: 'k', values: { a: '?' }, otherwise: '?' } },
      },
    });
    expect(sourceOf('zone: "?", messages: { only: "?", author: who, text: { from: body, markup: "?" } }')).toEqual({
      messages: { author: 'who', text: { from: 'body' } },
    });
  });

  it('gives way to a reading next to it, but is a text of the user elsewhere', () => {
    expect(sourceOf('messages: { only: "?", only: { a: ["?"] } }')).toEqual({ messages: { only: { a: ['?'] } } });
    expect(sourceOf('messages: { only: { a: "?", a: [b] } }')).toEqual({ messages: { only: { a: ['b'] } } });
    expect(() => sourceOf('messages: { custom: { a: "?", a: b } }')).toThrow('Cannot read the mapping');
  });
});

import { testMapping } from '../../src/commands/prepare.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { differences } from '../../src/commands/prepare/mapping-test.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

async function run(yaml: string, limits: Parameters<typeof testMapping>[1]['limits'] = {}) {
  const path = join(home.make(), 'my.yaml');
  writeFileSync(path, yaml);
  const results = await testMapping(path, { limits });
  return results.map(({ place, differences: found, ...rest }) => ({
    ...rest,
    place: place.slice(path.length - 'my.yaml'.length),
    differences: found.map(({ path: at, expected, found: was }) => `${at}: ${expected} / ${was}`),
  }));
}

const example = (yaml: string) => `examples:\n  - name: it\n${yaml.replaceAll(/^/gm, '    ')}\n`;
const differencesOf = async (yaml: string, mapping = '') => (await run(mapping + example(yaml)))[0]!.differences;

describe('testMapping()', () => {
  it('returns the differences and the place of the example, and ignores unnamed fields', async () => {
    const [result] = await run(
      `version: 1\n${example('record: { author: U1, text: hi }\npayload: { type: image, data: { text: ho } }')}`,
    );
    expect(result).toEqual({
      name: 'it',
      place: 'my.yaml:3:5',
      differences: ['payload.type: "image" / "text"', 'payload.data.text: "ho" / "hi"'],
    });
  });

  it.each([
    ['a message', 'record: { author: U1, text: hi }\nsender: u1\nconversation: c1\npayload: { category: message }'],
    ['a user', 'record: { kind: user, id: U1, name: Ann }\npayload: { uid: u1, name: Ann }'],
    [
      'a group',
      'record: { kind: conversation, id: C1, type: public, name: all, members: [] }\npayload: { guid: c1, type: public }',
    ],
    ['a rule', 'record: { text: x, systemEvent: join }\nskipped: "system message: join"'],
    ['an invalid row', 'record: { author: U1 }\ninvalid: blank-text'],
    [
      'what was read before',
      'given: [{ kind: user, id: U1, name: Ann, isBot: true }]\nrecord: { author: U1, text: x }\nsender: u1',
    ],
  ])('knows what becomes of %s', async (_, yaml) => {
    expect(await differencesOf(yaml)).toEqual([]);
  });

  it('asks for all parts of a text that is split, under the limits that are given', async () => {
    const yaml = `record: { author: U1, text: "${'word '.repeat(40).trim()}" }\nparts: [{ data: { metadata: { chatferry: { parts: 2 } } } }, { type: text }]`;
    expect(await differencesOf(yaml, 'messages: { overlong: split, textCharsMax: 100 }\n')).toEqual([]);
    const [whole] = await run(
      example('record: { author: U1, text: "long enough to be too large" }\ninvalid: data-too-large'),
      { dataBytesMax: 50 },
    );
    expect(whole?.differences).toEqual([]);
  });

  it('reads rows as the table is bound, text or JSON', async () => {
    const source =
      'source: { messages: { id: id, conversation: room, author: who.id, time: { from: at, format: iso }, text: { from: body, markup: plain } } }\n';
    const json =
      'row: { id: 1, room: R, who: { id: 7 }, at: "2024-01-01T00:00:00Z", body: hi }\nsender: "7"\nconversation: r';
    expect(await differencesOf(json, source)).toEqual([]);
    expect(await differencesOf('row: { id: 1, room: R, at: soon, body: hi }\ninvalid: bad-time', source)).toEqual([]);
    expect(await differencesOf('row: { id: 1 }\ninvalid: not-bound')).toEqual([]);
  });

  it('reports the errors in a record', async () => {
    expect(await differencesOf('record: { kind: user, id: U1 }\npayload: {}')).toEqual([
      'record: a record / name: Invalid input: expected string, received undefined',
    ]);
  });

  it.each([
    ['record: { text: x }', 'expected the result'],
    ['payload: {}', 'expected either a record or a row'],
    ['record: {}\nrow: {}\nskipped: x', 'expected either a record or a row'],
    ['record: {}\nskiped: x\nskipped: x', 'skiped: there is no such key'],
  ])('refuses an example that cannot be run: %j', async (yaml, words) => {
    await expect(run(example(yaml))).rejects.toThrow(UsageError);
    await expect(run(example(yaml))).rejects.toThrow(words);
  });
});

describe('differences()', () => {
  it('compares named keys at any depth, and lists element by element', () => {
    const found = { a: { b: 1, c: 2 }, list: [{ x: 1, y: 2 }] };
    expect(differences({ a: { b: 1 }, list: [{ x: 1 }] }, found)).toEqual([]);
    expect(differences({ a: { d: 1 }, list: [] }, found)).toEqual([
      { path: 'a.d', expected: '1', found: 'nothing' },
      { path: 'list', expected: '[]', found: '[{"x":1,"y":2}]' },
    ]);
  });

  it('finds no inherited keys', () => {
    expect(differences({ constructor: 1 }, {})).toEqual([{ path: 'constructor', expected: '1', found: 'nothing' }]);
  });
});

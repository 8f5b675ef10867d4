import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { loadMapping, parseRules } from '../../src/mapping/load.ts';
import { isObject } from '../../src/lib/maps/objects.ts';
import { defaultRules } from '../../src/mapping/rules.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';

const slack = sourceNamed('slack');

const parse = (text: string) => parseRules(text, 'my.yaml');

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-mapping-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'my.yaml');
  writeFileSync(path, text);
  return path;
}

const hashOf = async (text: string) => (await loadMapping(fileWith(text))).hash;

describe('mappings/slack.yaml', () => {
  const text = readFileSync('mappings/slack.yaml', 'utf8');

  it('says every default', () => {
    expect(parseRules(text, 'mappings/slack.yaml')).toEqual(defaultRules());
    expect(slack.options.parse(defaultRules().source)).toEqual({
      includeUnfurls: false,
      fileTokens: 'remove',
      escapeText: false,
    });
  });

  it('names every key, and the published schema in its first line', () => {
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./mapping.schema.json');
    for (const [section, values] of Object.entries(defaultRules())) {
      expect(text).toMatch(new RegExp(`^${section}:`, 'm'));
      for (const key of isObject(values) ? Object.keys(values) : []) {
        expect(text).toMatch(new RegExp(`^  ${key}: `, 'm'));
      }
    }
  });

  it('makes the same mapping as none at all, so that copying it changes nothing', async () => {
    expect((await loadMapping('mappings/slack.yaml')).hash).toBe((await loadMapping(undefined)).hash);
  });
});

describe('parseRules()', () => {
  it.each(['', '# nothing but a comment\n', '{}', 'people:\nmessages:\n', '\ufeffversion: 1\n'])(
    'takes %j as the defaults',
    (text) => {
      expect(parse(text)).toEqual(defaultRules());
    },
  );

  it('uses the given values, and the defaults for the rest', () => {
    const rules = parse('people: {bots: skip}\nmessages:\n  tags: [a, b]\n');
    expect(rules.people).toEqual({ ...defaultRules().people, bots: 'skip' });
    expect(rules.messages).toEqual({ ...defaultRules().messages, tags: ['a', 'b'] });
  });

  it('takes ids of the export as they are written', () => {
    const uids = parse('people:\n  uids:\n    12345678901234567890: a\n    0123: b\n    true: c\n    0x1F: d\n').people
      .uids;
    expect(uids).toEqual({ '12345678901234567890': 'a', '0123': 'b', true: 'c', '0x1F': 'd' });
  });

  it.each([
    ['people:\n  bots: maybe\n', 'my.yaml:2:3: people.bots: '],
    ['people:\n  uid: 5\n', 'my.yaml:2:3: people.uid: '],
    ['people:\n  bot: keep\n', 'my.yaml:2:3: people.bot: there is no such key'],
    ['peeple: {}\n', 'my.yaml:1:1: peeple: there is no such key'],
    ['version: 2\n', 'my.yaml:1:1: version: '],
    ['people:\n  uids: {U1: Not Allowed}\n', 'my.yaml:2:10: people.uids.U1: expected 1 to 100 characters'],
    ['people:\n  uids:\n    U1: 5\n', 'my.yaml:3:5: people.uids.U1: '],
    [
      'conversations:\n  guids:\n    12345678901234567890: A"B\n',
      'my.yaml:3:5: conversations.guids.12345678901234567890: ',
    ],
    ['conversations:\n  exclude:\n    - random\n    - 5\n', 'my.yaml:4:7: conversations.exclude.1: '],
    ['people:\n  uid: "{handel}"\n', 'my.yaml:2:3: people.uid: the field {handel} does not exist; fields here: {id}'],
    ['people:\n  uid: "{e-mail}"\n', 'my.yaml:2:3: people.uid: the field {e-mail} does not exist'],
    ['people:\n  uid: user\n', 'my.yaml:2:3: people.uid: "user" would be the same for all'],
    ['people:\n  uid: ""\n', 'my.yaml:2:3: people.uid: "" would be the same for all'],
    ['conversations: {guid: "{email}"}\n', 'my.yaml:1:17: conversations.guid: the field {email} does not exist'],
    ['- people\n', 'my.yaml:1:1: the mapping: '],
    ['just text', 'my.yaml:1:1: the mapping: '],
    ['people:\n  - bots\n', 'my.yaml:1:1: people: '],
  ])('names line and column of what cannot be used in %j', (text, words) => {
    expect(() => parse(text)).toThrow(UsageError);
    expect(() => parse(text)).toThrow(words);
  });

  it.each([
    ['people:\n\tbots: keep\n', 'my.yaml:2:1: '],
    ['people: {bots: keep\n', 'my.yaml:2:1: '],
    ['people: {}\npeople: {}\n', 'my.yaml:2:1: the key "people" is there twice'],
    ['messages:\n  tags: "open\n', 'my.yaml:'],
    ['version: 1\n---\nversion: 1\n', 'my.yaml:2:1: a line --- begins a second document'],
    [`source: ${'['.repeat(5000)}`, 'it is nested too deeply'],
    ['version: 1\npeople: *nobody\n', 'my.yaml:2:9: an alias (*name) has no anchor'],
  ])('names line and column of what cannot be read in %j', (text, words) => {
    expect(() => parse(text)).toThrow(UsageError);
    expect(() => parse(text)).toThrow('Cannot read the mapping at ');
    expect(() => parse(text)).toThrow(words);
  });

  it('names every fault, not the first one only', () => {
    expect(() => parse('people: {bot: 1, uidz: 2}\nmessages: {calls: no}\n')).toThrow(
      /people\.bot: .*people\.uidz: .*messages\.calls: /,
    );
  });
});

describe('loadMapping()', () => {
  it('names a file that is not there', async () => {
    await expect(loadMapping('nowhere.yaml')).rejects.toThrow('Cannot read the mapping "nowhere.yaml": ENOENT');
  });

  it('gives a hash that changes with the rules, not with their order or the comments', async () => {
    const hash = await hashOf('people:\n  uids: {U1: a, U2: b}\n  bots: skip\n');
    expect(await hashOf('# note\npeople: {bots: skip, uids: {U2: b, U1: a}}\nversion: 1\n')).toBe(hash);
    expect(await hashOf('people:\n  uids: {U1: b, U2: a}\n  bots: skip\n')).not.toBe(hash);
    expect(await hashOf('people: {bots: skip, uids: {U1: a, U2: b}}\nfiles: {ignore: ["*.bak"]}\n')).toBe(hash);
    expect(await hashOf('messages: {tags: [a, b]}')).not.toBe(await hashOf('messages: {tags: [b, a]}'));
  });
});

import { keysAt } from '../../src/lib/text/schema-words.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRules } from '../../src/mapping/load.ts';
import { composeMapping } from '../../src/commands/prepare/init/mapping.ts';
import type { Proposed } from '../../src/decisions/question.ts';
import { Counter, type Survey } from '../../src/decisions/survey.ts';
import { slack } from '../../src/sources/slack/index.ts';
import { anyText, naughtyStrings } from '../arbitrary-text.ts';
import { isNightly } from '../tier.ts';

const nothingSettled: Proposed = { options: {}, findings: [], open: [] };
const nobody: Survey = {
  messageCount: 0,
  invalidCount: 0,
  invalidRows: [],
  people: [],
  conversations: [],
  examples: [],
  beforeAfter: [],
  notMigrated: [],
  isCut: false,
  reading: new Counter().result().reading,
};

interface Changes {
  readonly text?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly proposed?: Proposed;
  readonly survey?: Survey | null;
}

const compose = ({ text, settings = {}, proposed = nothingSettled, survey = nobody }: Changes) =>
  composeMapping({ text, path: 'm.yaml', schemaPath: 's.json', adapter: slack, settings, proposed, survey });

const rulesOf = (text: string) => parseRules(text, 'm.yaml');

/** Every suggestion taken: the "#" of each is gone. */
const ownOptions = keysAt(slack.options, []).join('|');
const allTaken = (text: string) => text.replaceAll(new RegExp(`^( *)#(?=\\S)(?!${ownOptions})`, 'gm'), '$1');

const commentsOf = (text: string) => text.match(/#.*/g);

function surveyOf(texts: readonly { readonly id: string; readonly name: string }[]): Survey {
  const people = texts.map(({ id, name }, index) => ({ id, name, wrote: index + 1, received: 0 }));
  const conversations = texts.map(({ id, name }, index) => {
    return { id, name, type: 'public' as const, messageCount: index, firstAtMs: 0, lastAtMs: 1 };
  });
  return { ...nobody, people, conversations };
}

/** Keys that a table of the mapping cannot hold are left to those who read it. */
const distinct = fc.uniqueArray(fc.record({ id: anyText, name: anyText }), {
  selector: ({ id }) => id.toWellFormed(),
  maxLength: 8,
});

describe('a new mapping', () => {
  it('makes no decision that you have not made', () => {
    expect(rulesOf(compose({}).text)).toEqual(rulesOf(''));
  });

  it('contains the decisions passed to it, in any section', () => {
    const settings = {
      people: { uid: '{handle}', uids: { U1: 'ann' } },
      conversations: { exclude: ['random'] },
      messages: { tags: ['slack-2026'], deleted: 'keep' },
      source: { includeUnfurls: true },
    };
    const proposed = { ...nothingSettled, options: settings.source };
    expect(rulesOf(compose({ settings, proposed }).text)).toMatchObject(settings);
  });

  it('decides the same whatever people and conversations are called', () => {
    fc.assert(
      fc.property(distinct, (texts) => {
        expect(rulesOf(compose({ survey: surveyOf(texts) }).text)).toEqual(rulesOf(''));
      }),
      { numRuns: isNightly ? 50 : 15 },
    );
  });

  it('offers each person and conversation once, ready to be taken', () => {
    fc.assert(
      fc.property(distinct, (texts) => {
        const taken = rulesOf(allTaken(compose({ survey: surveyOf(texts) }).text));
        const wellFormed = texts.map(({ id }) => id).filter((id) => id !== '__proto__');
        expect(new Set(Object.keys(taken.people.uids))).toEqual(new Set(wellFormed));
        expect(new Set(Object.keys(taken.conversations.guids))).toEqual(new Set(wellFormed));
        expect(taken.conversations.exclude).toEqual(texts.map(({ id }) => id));
      }),
      { numRuns: isNightly ? 50 : 15 },
    );
  });

  const naughty = naughtyStrings();
  it.skipIf(naughty === null)('offers naughty names without falling for them', () => {
    const texts = [...new Set(naughty)].map((text) => ({ id: text, name: text }));
    for (let at = 0; at < texts.length; at += 150) {
      const { text } = compose({ survey: surveyOf(texts.slice(at, at + 150)) });
      expect(rulesOf(text)).toEqual(rulesOf(''));
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/);
      expect(rulesOf(allTaken(text)).conversations.exclude).toHaveLength(Math.min(150, texts.length - at));
    }
  });

  it('offers an id that is too long to be a simple key', () => {
    const id = 'x'.repeat(3000);
    const taken = rulesOf(allTaken(compose({ survey: surveyOf([{ id, name: 'Ann' }]) }).text));
    expect(Object.keys(taken.people.uids)).toEqual([id]);
  });

  it('lists the 200 who matter most, and leaves the others to another file', () => {
    const people = Array.from({ length: 250 }, (_, index) => ({ id: `U${index}`, name: '', wrote: 1, received: 0 }));
    const { text, leftOut } = compose({ survey: { ...nobody, people } });
    expect(Object.keys(rulesOf(allTaken(text)).people.uids)).toHaveLength(200);
    expect(leftOut.map(({ path }) => path.join('.'))).toEqual(['people.uids']);
    expect([...leftOut[0]!.suggestions()].map(({ subject }) => subject).slice(0, 2)).toEqual(['U200', 'U201']);
  });
});

describe('a mapping that is there', () => {
  const survey = surveyOf([
    { id: 'U1', name: 'Ann' },
    { id: 'U2', name: 'Ben' },
  ]);

  it('stays as it is, to the byte, where nothing is new', () => {
    fc.assert(
      fc.property(distinct, (texts) => {
        const { text } = compose({ survey: surveyOf(texts) });
        expect(compose({ text, survey: surveyOf(texts) }).text).toBe(text);
        const taken = allTaken(text).replaceAll('__proto__', 'proto');
        if (!texts.some(({ id }) => id.includes('proto'))) {
          expect(compose({ text: taken, survey: surveyOf(texts) }).text).toBe(taken);
        }
      }),
      { numRuns: isNightly ? 30 : 10 },
    );
  });

  it.each([
    ['a few keys', 'people:\n  uids: { U1: ann }\n  uid: "{handle}"\nmessages:\n  tags: [a]\n'],
    ['sections without anything', 'version: 1\npeople:\n  # nothing yet\nconversations:\n'],
    ['empty tables and lists', 'people:\n  uids: {}  # mine\nconversations:\n  guids: {}\n  exclude: []\n'],
    [
      'its own comments and depth',
      '# Mine\npeople: # all\n      # deep\n      uids:\n            U1: ann # me\n            U9: nine\n',
    ],
    ['lists at the depth of their key', 'conversations:\n  exclude:\n  - U9\n  - random\n'],
    ['Windows line ends', 'people:\r\n  uids:\r\n    U9: nine\r\nconversations:\r\n  exclude:\r\n    - U9\r\n'],
    ['no line at its end', 'messages: { tags: [a] }'],
    ['nothing', ''],
    ['only a comment', '# Later\n'],
    ['all on one line', '{ people: { uids: { U1: ann } } }'],
  ])('that holds %s decides the same with suggestions in it, and keeps every line', (_, text) => {
    const { text: amended, leftOut } = compose({ text, survey });
    expect(rulesOf(amended)).toEqual(rulesOf(text));
    const kept = text.split('\n').map((line) => line.replace(/ ?(\{\}|\[\])/, ''));
    expect(amended.split('\n').map((line) => line.replace(/ ?(\{\}|\[\])/, ''))).toEqual(
      expect.arrayContaining(kept.filter((line) => line !== '')),
    );
    const offered =
      amended + leftOut.flatMap(({ suggestions }) => [...suggestions()].flatMap(({ lines }) => lines)).join();
    expect(offered).toContain('U2: u2');
    expect(offered).toContain('- U1');
  });

  it('keeps the decisions of its owner and offers values that the owner removed only once', () => {
    const edited = compose({ survey })
      .text.replace('#U1: u1', 'U1: ann')
      .replace(/ *#U2: u2.*\n/, '')
      .replace('tags: []', 'tags: [mine]  # found by this');
    const again = compose({ text: edited, survey }).text;
    expect(rulesOf(again)).toMatchObject({ people: { uids: { U1: 'ann' } }, messages: { tags: ['mine'] } });
    expect(again).toContain('tags: [mine]  # found by this');
    expect(again.match(/#U2: u2/g)).toHaveLength(2);
  });

  it('gets the decisions passed to it, keeps comments and other values, and returns the changed keys', () => {
    const text = '# Mine\npeople:\n  # why\n  uid: "{id}" # short\nmessages:\n  deleted: skip\n';
    const { text: amended, setKeys } = compose({
      text,
      settings: { people: { uid: '{email}' }, messages: { calls: 'keep' } },
    });
    expect(setKeys).toEqual(['people.uid', 'messages.calls']);
    expect(rulesOf(amended)).toMatchObject({
      people: { uid: '{email}' },
      messages: { calls: 'keep', deleted: 'skip' },
    });
    expect(amended).toBe(text.replace('"{id}"', '"{email}"').replace('messages:\n', 'messages:\n  calls: keep\n'));
  });

  it.each([
    [
      'a section without anything',
      'people:\n  # later\nmessages:\n',
      'people:\n  uid: "{email}"\n  # later\nmessages:\n',
    ],
    ['no section', 'version: 1\n', 'version: 1\n\npeople:\n  uid: "{email}"\n'],
    ['nothing', '', '\npeople:\n  uid: "{email}"\n'],
    ['a table on one line', 'people: { uids: { 12345678901234567890: ann } } # x\n', null],
    ['everything on one line', '{ people: { bots: skip } }', null],
    ['a value without anything', 'people:\n  bots: skip\n  uid: # x\n', null],
  ])('that contains %s keeps its decisions when a value is set', (_, text, wanted) => {
    const { text: amended } = compose({ text, settings: { people: { uid: '{email}' } } });
    const before = rulesOf(text);
    expect(rulesOf(amended)).toEqual({ ...before, people: { ...before.people, uid: '{email}' } });
    if (wanted !== null) expect(amended).toBe(wanted);
    if (text.includes('# x')) expect(amended).toContain('# x');
  });

  it('gets a table in the place of a word, key by key into a table, and a word in the place of a table', () => {
    const table = (text: string, lookup: unknown) => compose({ text, settings: { people: { lookup } } }).text;
    const lookup = { file: 'people.csv', id: 'id', uid: 'uid' };
    for (const before of [compose({}).text, 'people:\n  lookup: none # nowhere\n', 'people: {}\n', '']) {
      const named = table(before, lookup);
      expect(rulesOf(named).people.lookup).toEqual({ ...lookup, by: 'id', missing: 'template' });
      const changed = table(named, { by: 'email' });
      expect(rulesOf(changed).people.lookup).toEqual({ ...lookup, by: 'email', missing: 'template' });
      const none = table(changed, 'none');
      expect(rulesOf(none).people.lookup).toBe('none');
      expect(commentsOf(none)).toEqual(commentsOf(before));
    }
  });

  it('gets lists in the place of lists, and leaves what follows', () => {
    const text = 'conversations:\n  exclude:\n    - a\n    - b\n  # why\n  guids: {}\n';
    const { text: amended } = compose({ text, settings: { conversations: { exclude: ['c', 'd'] } } });
    expect(rulesOf(amended).conversations.exclude).toEqual(['c', 'd']);
    expect(amended).toContain('  # why\n  guids: {}\n');
  });

  it('that cannot be used is refused with line and column', () => {
    expect(() => compose({ text: 'people:\n  uidd: x\n' })).toThrow('m.yaml:2:3: people.uidd: there is no such key');
  });
});

import { readFileSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { keyWords } from '../../src/decisions/key-words.ts';
import { questionDecision, type Question } from '../../src/decisions/question.ts';
import { askAll, askedExports } from '../scenes/asked-exports.ts';
import { everyNth } from '../tier.ts';

/** The first words of options. */
const verbs =
  /^(?:Attach|Decide|Import|Keep|Leave|Let|Make|Mark|Name|Pin|Put|Read|Send|Show|Split|Take|Tell|Treat)(?: |$)/;
/** Names of columns, tables and values are the owner's. */
const withoutNames = (text: string) => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
const machineWords = /[`={}]|\b(?:source|messages|tables|conversations|members|users)\.|\b(?:skipWhen|--set|null)\b/;

/** Faults in the words of a question and its options. */
function faultsIn({ question, options }: ReturnType<typeof questionDecision>): readonly string[] {
  return [
    ...(/^[A-Z].*\?$/.test(question) ? [] : [question]),
    ...options.flatMap(({ does }) => (verbs.test(does) ? [] : [does])),
    ...[question, ...options.map(({ does }) => does)].filter((text) => machineWords.test(withoutNames(text))),
  ];
}

describe('the words of questions', () => {
  it.each(everyNth(3, askedExports))(
    'are there for all of %s, without keys, and say one thing for each answer',
    async (path) => {
      for (const pick of [0, 1]) {
        const decisions = (await askAll(path, pick)).map((question) => questionDecision(question));
        expect(decisions.flatMap(faultsIn)).toEqual([]);
        for (const { options } of decisions) {
          const said = options.map(({ does, because }) => `${does} ${because}`);
          expect(said).toEqual([...new Set(said)]);
        }
      }
    },
  );

  it('are there for every key in the code that may have several readings', () => {
    const folder = fileURLToPath(new URL('../../src/sources/', import.meta.url));
    const files = globSync('{tables/propose/**,csv,json,database}/*.ts', { cwd: folder });
    const asked = files.flatMap((file) => askedKeys(readFileSync(`${folder}${file}`, 'utf8')));
    expect(asked.length).toBeGreaterThan(20);
    expect([...new Set(asked)].filter((key) => !Object.hasOwn(keyWords, key))).toEqual([]);
  });
});

/** Keys that a file gives to findings with alternatives, where it names them as they are. */
function askedKeys(code: string): readonly string[] {
  const constants = new Map([...code.matchAll(/^const (\w+) = '([\w.]+)';$/gm)].map(([, name, key]) => [name!, key!]));
  const calls = [
    ...code.matchAll(/(?:\.choose\(\s*|key: )(?:'([\w.]+)'|(\w+))(?:(?!\.choose\()[\s\S])*?\balternatives\b(: \[\])?/g),
  ].filter(([, , , none]) => none === undefined);
  return calls.flatMap(([, key, name]) => key ?? constants.get(name!) ?? []);
}

const question: Question = {
  key: 'messages.only.kind',
  because: '',
  choices: undefined,
  rows: undefined,
  readings: [],
  instead: [],
};

describe('questionDecision()', () => {
  const values = [
    { value: 'text', rows: 800 },
    { value: 'note', rows: 149 },
    { value: '', rows: 51 },
  ];
  const says = (key: string, value: unknown, isWhole: boolean | undefined) => {
    const rows = isWhole === undefined ? undefined : { count: 1000, isWhole, values: { kind: values } };
    return questionDecision({ ...question, key, rows, readings: [{ value, because: '' }] }).options[0]!.does;
  };

  it('counts the rows of an option exactly if the whole table was looked at', () => {
    expect(says('messages.only.kind', ['text', ''], true)).toBe('Leave out the 149 rows where "kind" is "note"');
    expect(says('messages.only.kind', ['note'], true)).toBe('Send only the 149 rows where "kind" is "note"');
    expect(says('messages.only.kind', { filled: false }, true)).toBe('Send only the 51 rows without a "kind"');
    expect(says('messages.skipWhen', { kind: ['note'] }, true)).toBe('Leave out the 149 rows where "kind" is "note"');
  });

  it('says of how many it counted if there are more', () => {
    expect(says('messages.only.kind', ['text', ''], false)).toBe(
      'Leave out the rows where "kind" is "note" (149 of 1,000 looked at)',
    );
  });

  it('says no number if nobody looked', () => {
    expect(says('messages.only.kind', ['note'], undefined)).toBe('Send only the rows where "kind" is "note"');
  });

  it('is about all rows of the table, or about a number that nobody knows', () => {
    const rows = { count: 7, isWhole: true, values: {} };
    expect(questionDecision({ ...question, rows }).about).toEqual({ count: 7, of: 'messages', isExact: true });
    expect(questionDecision({ ...question, rows: { ...rows, isWhole: false } }).about.count).toBeNull();
  });

  it('sets what --set takes, and marks what something speaks for', () => {
    const readings = [
      { value: { filled: false }, because: 'a', isEvident: true as const },
      { value: { any: true }, because: 'b', isLastResort: true as const },
    ];
    const { options, input } = questionDecision({ ...question, readings });
    expect(options.map(({ effect, isProposed, isLastResort }) => [effect, isProposed, isLastResort])).toEqual([
      [{ sets: { 'source.messages.only.kind': '{ filled: false }' } }, true, false],
      [{ sets: { 'source.messages.only.kind': '{ any: true }' } }, false, true],
    ]);
    expect(input).toMatchObject({ type: 'values', key: 'source.messages.only.kind' });
  });
});

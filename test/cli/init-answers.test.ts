import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { advisorFor } from '../../src/cli/init/advisor.ts';
import { describeInit } from '../../src/cli/init/init-describe.ts';
import { describeFindings } from '../../src/cli/terminal/findings.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { programName } from '../../src/cli/host.ts';
import { questionDecision } from '../../src/decisions/question.ts';
import { decideSource } from '../../src/decisions/proposal.ts';
import type { Finding, Reading, TableSource } from '../../src/sources/table-source.ts';
import { memoryInput } from '../contracts/memory-input.ts';
import { tableSource } from '../scenes/table-source.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testHost } from './in-process.ts';
import type { InitResult } from '../../src/commands/results.ts';

const home = temporaryFolder();
const inputs = [memoryInput({ 'chat.txt': '01/02/2024|ann|Hello' }, 'chat.txt')];

const finding = (key: string, alternatives: readonly Reading[], more: Partial<Finding> = {}): Finding => ({
  ...{ key, because: `about ${key}`, alternatives, isRequired: false },
  ...more,
});

const lastResort: Reading = { value: 'all', because: 'one for all', isLastResort: true };

/** A source that takes any answer, and finds this in each input. */
const sourceOf = (findingsIn: (label: string) => readonly Finding[]): TableSource => ({
  ...tableSource,
  options: z.looseObject({}),
  propose: async ({ label }) => ({ options: {}, findings: findingsIn(label) }),
});

const wishes = { yes: false, json: false, assume: true, explain: false };

async function assumeOf(findings: readonly Finding[]) {
  const { host, stdout } = testHost({ folder: home.make() });
  const advisor = advisorFor(wishes, { host, stopping: new AbortController().signal } as CommandContext);
  const adapter = sourceOf(() => findings);
  const proposed = await decideSource({ adapter, inputs }, {}, { advisor: advisor.own });
  return { assumed: advisor.assumed, printed: stdout.text, ...proposed };
}

const nothing: InitResult = {
  ...{
    source: 'csv',
    title: 'CSV',
    inputs: [],
    open: [],
    setKeys: [],
    kept: [],
    own: [],
    isExportNamed: true,
    unread: [],
    ignored: [],
  },
  ...{
    files: [{ path: 'm.yaml', how: 'new' }],
    examples: [],
    beforeAfter: [],
    invalidRows: [],
    isLarge: false,
    counts: null,
    reading: null,
  },
};
const next = { flags: [], counts: true, assume: false, isInside: false, isCounted: true, isShown: false, columns: 80 };

describe('--assume', () => {
  it('takes first readings that are harmless, whether chosen or alternatives, and nothing else', async () => {
    const harmless = { isHarmless: true } as const;
    const other = { value: 'b', because: 'why b' };
    const { assumed, open, printed } = await assumeOf([
      finding('one', [{ value: 'a', because: 'why a', ...harmless }, other]),
      finding('two', [other], { value: 'a', ...harmless }),
      finding('three', [
        { value: 'a', because: 'why a' },
        { ...other, ...harmless },
      ]),
      finding('four', [other], { value: 'a' }),
      finding('five', [lastResort]),
    ]);
    expect(assumed.map(({ key, value }) => [key, value])).toEqual([
      ['one', 'a'],
      ['two', 'a'],
    ]);
    expect(open.map(({ key }) => key)).toEqual(['three', 'four', 'five']);
    expect(printed).toContain('Assumed: Take "a" (--set source.one=a): why a\n');
  });

  it('takes no reading on which two inputs do not agree', async () => {
    const source = sourceOf((label) => [finding('one', [], { value: label, isHarmless: true, isEvident: true })]);
    const both = [memoryInput({}, 'a.txt'), memoryInput({}, 'b.txt')];
    const { open } = await decideSource({ adapter: source, inputs: both }, {});
    expect(open[0]!.readings).toEqual([
      { value: 'a.txt', because: 'about one', written: 'a.txt' },
      { value: 'b.txt', because: 'b.txt: about one', written: 'b.txt' },
    ]);
  });
});

describe('the next command', () => {
  it('answers only what something speaks for, and asks the rest', async () => {
    const { open } = await assumeOf([
      finding('messages.author', [lastResort, { value: 'who', because: 'no name says it' }]),
      finding('messages.conversation', [{ value: 'the room', because: 'named so', isEvident: true }, lastResort]),
      finding('messages.time.format', [{ value: 'dmy', because: 'fits' }], { value: 'mdy' }),
    ]);
    const text = describeInit(
      { ...nothing, open: open.map((question) => questionDecision(question)) },
      ['a b.csv'],
      next,
    );
    expect(text.split('\n').slice(-2)).toEqual([
      `  ${programName} init 'a b.csv' --yes --set 'source.messages.conversation=the room'`,
      `  ${programName} init 'a b.csv'`,
    ]);
    expect(text.indexOf('author=who')).toBeLessThan(text.indexOf('author=all'));
  });

  it('names the export if the configuration does not', () => {
    expect(describeInit({ ...nothing, isExportNamed: false }, ['-'], next)).toMatch(
      new RegExp(`\\n {2}${programName} plan -$`),
    );
    expect(describeInit(nothing, ['a.csv'], { ...next, flags: ['--config', 'c.yaml'] })).toMatch(
      new RegExp(`\\n {2}${programName} plan --config c.yaml$`),
    );
  });
});

describe('what init finds', () => {
  const scored = finding('messages.author', [], {
    value: 'user_id',
    explained: [
      'user_id    9.1  named "user_id"; 20 of 20 are in users.csv',
      'assignee   2.0  \u001b[31mnamed "assignee"',
    ],
  });
  const unread = finding('tables.audit', [], { because: 'audit.csv, 1,204 rows: used for nothing' });

  it('shows notes that need no answer with a dash, and again at the end', () => {
    expect(describeFindings([scored, unread], { columns: 80, explain: false }).split('\n')).toEqual([
      '  messages.author  user_id  about messages.author',
      '  tables.audit     -        audit.csv, 1,204 rows: used for nothing',
    ]);
    const told = [{ key: unread.key, because: unread.because }];
    expect(describeInit({ ...nothing, unread: told }, ['a.csv'], next)).toContain(
      '\nTables that nothing reads\n  audit  audit.csv, 1,204 rows: used for nothing\n',
    );
  });

  it('shows with --explain the candidates below each decision', () => {
    expect(describeFindings([scored, unread], { columns: 60, explain: true }).split('\n').slice(0, 3)).toEqual([
      '  messages.author  user_id  about messages.author',
      '    user_id 9.1 named "user_id"; 20 of 20 are in users.csv',
      '    assignee 2.0 named "assignee"',
    ]);
  });
});

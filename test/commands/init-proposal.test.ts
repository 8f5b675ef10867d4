import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseRules } from '../../src/mapping/load.ts';
import { composeMapping } from '../../src/commands/prepare/init/mapping.ts';
import { type Advisor, decideSource, keepColumns } from '../../src/decisions/proposal.ts';
import type { Settings } from '../../src/lib/settings.ts';
import { memoryInput } from '../contracts/memory-input.ts';
import { tableSource } from '../scenes/table-source.ts';

const inputs = [memoryInput({ 'chat.txt': '01/02/2024|ann|Hello' }, 'chat.txt')];

/** Answers from a list; what it does not hold is left open. */
function advisor(answers: Settings = {}) {
  const asked: string[] = [];
  const shown: string[] = [];
  const own: Advisor = {
    show: (findings) => void shown.push(...findings.map(({ key }) => key)),
    async decide({ key }) {
      asked.push(key);
      return key in answers ? { key, value: answers[key] } : undefined;
    },
  };
  return { own, asked, shown };
}

const decideWith = (decided: Settings, { own }: ReturnType<typeof advisor>) =>
  decideSource({ adapter: tableSource, inputs }, decided, { advisor: own });

const format = { 'messages.time.format': 'mdy' };

describe('decideSource()', () => {
  it('takes values with one reading, and leaves out the table with an open key', async () => {
    const { options, open } = await decideWith({}, advisor());
    expect(options).toEqual({ messages: { author: 'who' } });
    expect(open.map(({ key, path }) => [key, path.join('.')])).toEqual([['messages.time.format', 'messages.time']]);
    expect(open[0]!.readings.map(({ value, written }) => [value, written])).toEqual([
      ['dmy', { from: 'day', format: 'dmy' }],
      ['mdy', { from: 'day', format: 'mdy' }],
    ]);
    const parsed = tableSource.options.safeParse(options);
    expect(parsed.error?.issues[0]?.path).toEqual(['messages', 'time']);
  });

  it('asks each question once, and again what an answer has raised', async () => {
    const human = advisor({ ...format, 'messages.text': 'note' });
    const { options, open } = await decideWith({}, human);
    expect(human.asked).toEqual(['messages.time.format', 'messages.text']);
    expect(open).toEqual([]);
    expect(options).toEqual({ messages: { time: { from: 'day', format: 'mdy' }, author: 'who', text: 'note' } });
  });

  it('proposes once for all questions that stay open, and again for each answer', async () => {
    const calls: unknown[] = [];
    const key = (name: string) => `messages.${name}`;
    const open = (name: string) => ({
      key: key(name),
      because: '',
      alternatives: [
        { value: 1, because: '' },
        { value: 2, because: '' },
      ],
    });
    const source = {
      ...tableSource,
      options: z.record(z.string(), z.record(z.string(), z.number())),
      async propose(_: unknown, answers: Settings) {
        calls.push(answers);
        return { options: {}, findings: ['one', 'two', 'three', 'four'].map(open) };
      },
    } as unknown as typeof tableSource;
    const silent = advisor();
    await decideSource({ adapter: source, inputs }, {}, { advisor: silent.own });
    expect({ asked: silent.asked.length, calls }).toEqual({ asked: 4, calls: [{}] });
    calls.length = 0;
    await decideSource({ adapter: source, inputs }, {}, { advisor: advisor({ [key('two')]: 1 }).own });
    expect(calls).toEqual([{}, { messages: { two: 1 } }]);
  });

  it('shows a finding once, and again when it has changed', async () => {
    const human = advisor(format);
    await decideWith({}, human);
    expect(human.shown).toEqual(['messages.author', 'messages.time.format', 'messages.time.format', 'messages.text']);
  });

  it('does not ask about decided values, and keeps them', async () => {
    const human = advisor();
    const decided = { messages: { time: { format: 'mdy' }, author: 'whom', text: 'note' } };
    const { options, open } = await decideWith(decided, human);
    expect({ open, asked: human.asked }).toEqual({ open: [], asked: [] });
    expect(options).toEqual({ messages: { time: { from: 'day', format: 'mdy' }, author: 'whom', text: 'note' } });
  });

  it('says why an answer cannot be, and asks again', async () => {
    const answers = ['soon', 'mdy'];
    const refused: string[] = [];
    const human: Advisor = {
      decide: async ({ key }) =>
        key === 'messages.time.format' && answers.length > 0 ? { key, value: answers.shift() } : undefined,
      refuse: (reason) => void refused.push(reason),
    };
    const { options } = await decideSource({ adapter: tableSource, inputs }, {}, { advisor: human });
    expect(options).toMatchObject({ messages: { time: { format: 'mdy' } } });
    expect(refused).toEqual([expect.stringContaining('mdy')]);
    const nobody = advisor({ 'messages.time.format': 'soon' });
    await expect(decideWith({}, nobody)).rejects.toThrow('source.messages.time.format: ');
  });

  it('makes a question of what two inputs do not agree on', async () => {
    const adapter = {
      ...tableSource,
      propose: async ({ label }: { readonly label: string }) => ({
        options: { messages: { author: label } },
        findings: [{ key: 'messages.author', value: label, because: 'its name', alternatives: [], isRequired: false }],
      }),
    };
    const both = [memoryInput({}, 'a.txt'), memoryInput({}, 'b.txt')];
    const { open } = await decideSource({ adapter, inputs: both }, {});
    expect(open[0]!.readings.map(({ value }) => value)).toEqual(['a.txt', 'b.txt']);
  });
});

describe('a mapping with open questions', () => {
  const compose = async (text: string | undefined, decided: Settings, answers: Settings = {}) => {
    const proposed = await decideWith(decided, advisor(answers));
    const path = 'm.yaml';
    return composeMapping({ text, path, schemaPath: 's', settings: {}, adapter: tableSource, proposed, survey: null })
      .text;
  };

  it('shows the evidence for decided values, and offers the readings of open ones', async () => {
    const text = await compose(undefined, {});
    expect(text).toContain('    # named "who"\n    author: who\n');
    expect(text).toContain(' (messages.time.format: nothing is planned before) Take the "#" of one line away:\n');
    expect(text).toContain('    # Needs your decision: How are the times written? 12 of 12 values');
    expect(text).toContain('    #time: { from: day, format: dmy }  # Read the times as "dmy"\n');
    expect(text).toContain('    #time: { from: day, format: mdy }  # Read the times as "mdy": as likely\n');
    expect(parseRules(text, 'm.yaml').source).toEqual({ messages: { author: 'who' } });
  });

  it('reads right when the "#" of one reading is taken away', async () => {
    const text = (await compose(undefined, {})).replace(
      '#time: { from: day, format: mdy }',
      'time: { from: day, format: mdy }',
    );
    expect(parseRules(text, 'm.yaml').source).toEqual({
      messages: { author: 'who', time: { from: 'day', format: 'mdy' } },
    });
  });

  it('loses the readings of a question that is answered, and gains those of the next', async () => {
    const text = await compose(undefined, {});
    const again = await compose(text, { messages: { author: 'who' } }, format);
    expect(again).not.toContain('messages.time.format: nothing is planned');
    expect(again).not.toContain('#time');
    expect(again).toContain(' (messages.text: nothing is planned before) ');
    expect(again).toContain('    #text: body  # Take "body": named so\n    #text: note  # Take "note": longer\n');
    expect(parseRules(again, 'm.yaml').source).toEqual({
      messages: { author: 'who', time: { from: 'day', format: 'mdy' } },
    });
    expect(await compose(again, parseRules(again, 'm.yaml').source)).toBe(again);
  });

  it('keeps the values of a source section on one line', async () => {
    const text = 'source: { messages: { author: whom } }  # by hand\n';
    const again = await compose(text, { messages: { author: 'whom' } }, { ...format, 'messages.text': 'note' });
    expect(parseRules(again, 'm.yaml').source).toEqual({
      messages: { author: 'whom', time: { from: 'day', format: 'mdy' }, text: 'note' },
    });
    expect(again).toContain('# by hand');
  });
});

describe('keepColumns()', () => {
  const columns = [
    { name: 'status', rows: 9 },
    { name: 'files[].caption', rows: 7 },
    { name: 'files[].width', rows: 5 },
    { name: 'colour', rows: 4, table: 'conversations' as const },
    { name: 'token', rows: 2 },
  ];
  const proposed = { options: { messages: { author: 'who' } }, findings: [], open: [] };

  it('offers the columns that messages may keep, with their row counts, and keeps the chosen ones', async () => {
    let offered: unknown;
    const keep: Advisor['keep'] = async (given) => {
      offered = given;
      return ['status', 'files'];
    };
    const kept = await keepColumns(proposed, columns, { ...advisor().own, keep });
    expect(offered).toEqual([
      { name: 'status', rows: 9 },
      { name: 'files', rows: 7 },
      { name: 'token', rows: 2 },
    ]);
    expect(kept.proposed.options).toEqual({
      messages: { author: 'who', custom: { status: 'status', files: 'files' } },
    });
    expect(kept.notMigrated.map(({ name }) => name)).toEqual(['colour', 'token']);
  });

  it('keeps nothing if no user can choose', async () => {
    const kept = await keepColumns(proposed, columns, advisor().own);
    expect(kept).toEqual({ proposed, notMigrated: columns });
  });
});

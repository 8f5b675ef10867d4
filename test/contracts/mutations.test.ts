import { describe, expect, it } from 'vitest';
import { defineSource } from '../../src/sources/source.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import { ExitTable } from './mutations/exit-table.ts';
import { valuesIn } from './mutations/json-values.ts';
import { mutableSample, tried } from './mutations/mutated-sample.ts';
import { jsonMutations, tableMutations } from './mutations/mutation.ts';
import { faultsOf } from './mutations/mutation-checks.ts';
import { samplesOf } from './samples.ts';

const slack = sourceNamed('slack');

const pointersIn = (text: string) => valuesIn(text).map(({ line, pointer }) => `${line}${pointer}`);

describe('the values of a JSON file', () => {
  it('are all found, each after its nested values', () => {
    const text = '{"a~/b": [1, {"c": "x,]}"}, []], "d": null}';
    expect(pointersIn(text)).toEqual([
      '1/a~0~1b/0',
      '1/a~0~1b/1/c',
      '1/a~0~1b/1',
      '1/a~0~1b/2',
      '1/a~0~1b',
      '1/d',
      '1',
    ]);
    const [, quoted] = valuesIn(text);
    expect(text.slice(quoted!.start, quoted!.end)).toBe('"x,]}"');
  });

  it('are those of each line, and in a document that breaks off those before the break', () => {
    expect(pointersIn('{"a":1}\nno JSON\n{"b":[2]}')).toEqual(['1/a', '1', '3/b/0', '3/b', '3']);
    expect(pointersIn('[{"a":1},{"b":')).toEqual(['1/0/a', '1/0']);
  });
});

describe('mutations', () => {
  it('change exactly one value of the JSON', () => {
    const text = '{"a":[1,2],"b":"x"}';
    const made = jsonMutations('a.json', text).map((mutation) => [
      `${mutation.pointer} ${mutation.kind}`,
      JSON.parse(mutation.text()),
    ]);
    const found = Object.fromEntries(made);
    expect(found['/a/0 null']).toEqual({ a: [null, 2], b: 'x' });
    expect(found['/a/1 missing']).toEqual({ a: [1], b: 'x' });
    expect(found['/b missing']).toEqual({ a: [1, 2] });
    expect(found['/a missing']).toEqual({ b: 'x' });
    expect(found['/b duplicate key']).toEqual({ a: [1, 2], b: { twice: [7] } });
    expect(found['/b huge text'].b).toHaveLength(100_000);
    expect(new Set(made.map(([name]) => name)).size).toBe(made.length);
  });

  it('reach every cell of a table', () => {
    const text = 'id;text\n1;"two; ""words""\nand more"\n3;x\n';
    const emptied = tableMutations('a.csv', text).filter(({ kind }) => kind === 'empty');
    expect(emptied.map((mutation) => mutation.text())).toContain('id;text\n1;\n3;x\n');
    expect(emptied.map(({ place }) => place).slice(-2)).toEqual(['a.csv:4, column 1', 'a.csv:4, column 2']);
  });

  it('show a source that throws, and one that loses another row', async () => {
    const sample = await mutableSample(slack, samplesOf('slack')[0]!);
    const mutation = sample.mutations.find(
      ({ pointer, kind }) => /^\/\d+\/text$/.test(pointer ?? '') && kind === 'object',
    )!;
    const throwing = defineSource({
      ...slack,
      read() {
        throw new TypeError('text.trim is not a function');
      },
    });
    expect(faultsOf(sample, mutation, await tried(throwing, sample, mutation)).join()).toContain(
      'ends with 1: TypeError',
    );
    const silent = defineSource({ ...slack, async *read() {} });
    expect(faultsOf(sample, mutation, await tried(silent, sample, mutation)).join()).toContain('changes');
    expect(faultsOf(sample, mutation, await tried(slack, sample, mutation))).toEqual([]);
  });

  it('are counted by source, kind and exit code', () => {
    const table = new ExitTable();
    for (const exit of [0, 0, 3]) table.add('slack', 'object', exit);
    table.add('irc', 'null', 4);
    expect(table.print().split('\n')).toEqual([
      '| source | object | null |',
      '|---|---:|---:|',
      '| slack | 3, 3: 1 |  |',
      '| irc |  | 1, 4: 1 |',
    ]);
  });
});

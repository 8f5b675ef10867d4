import { expect, it } from 'vitest';
import { silent, type UnforeseenFault } from '../../../src/lib/flow/progress.ts';
import { unforeseenLog } from '../../../src/plan/steps/one-pass.ts';

function fail(text: string): unknown {
  try {
    JSON.parse(text);
  } catch (error) {
    return error;
  }
}

it('unforeseenLog() passes on each stack once, with its first location and without user content', () => {
  const logged: UnforeseenFault[] = [];
  const log = unforeseenLog({ ...silent, unforeseen: (fault) => logged.push(fault) })!;
  for (const number of [1, 2]) log(fail('secret words'), { path: 'a.json', pointer: `/${number}` });
  log('no error', { path: 'b.json' });
  expect(logged).toEqual([
    { place: 'a.json#/1', error: 'SyntaxError', stack: expect.stringMatching(/^at .*unforeseen-log\.test\.ts/ms) },
    { place: 'b.json', error: 'string', stack: '' },
  ]);
  expect(JSON.stringify(logged)).not.toContain('secret');
});

it('unforeseenLog() is nothing for a run without a log', () => {
  expect(unforeseenLog(silent)).toBeUndefined();
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Decision } from '../../src/decisions/decision.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';
import { damagedRows } from './samples.ts';

const home = temporaryFolder();

it('a decision whose answer is a list offers the ids that it is about, and to accept it as it is', async () => {
  const folder = home.make();
  const init = (...sets: readonly string[]) =>
    run(['init', damagedRows, '--yes', ...sets.flatMap((set) => ['--set', set])], { folder });
  const decisions = async () => {
    await run(['plan', '--quiet'], { folder });
    const report = JSON.parse(readFileSync(join(folder, 'chatferry.report', 'report.json'), 'utf8'));
    return (id: string) => (report.decisions as readonly Decision[]).find((one) => one.id === id);
  };
  await init();
  const found = await decisions();
  const pair = ['D05TWIN001', 'D05INESTOM'];
  expect(found('second-direct-conversation')!.options).toMatchObject([
    { effect: { sets: { 'conversations.merge': `[[${pair.join(', ')}]]` } } },
    ...pair.map((id) => ({
      does: 'Leave one of the two out',
      because: id,
      effect: { sets: { 'conversations.exclude': `[${id}]` } },
    })),
    { does: 'Accept it as it is', because: 'the second becomes a group' },
  ]);
  const unlisted = found('unlisted-folder')!;
  const [accept] = unlisted.options.slice(-1);
  expect(unlisted).toMatchObject({
    answer: null,
    options: expect.arrayContaining([
      expect.objectContaining({ effect: { sets: { 'conversations.exclude': '[launch-party]' } } }),
    ]),
  });
  expect(accept).toMatchObject({
    does: 'Accept it as it is',
    effect: { sets: { 'reading.seen.unlisted-folder': '1 message' } },
  });

  await init('reading.seen.unlisted-folder=1 message', 'conversations.exclude=[D05TWIN001]');
  const after = await decisions();
  expect(after('unlisted-folder')).toMatchObject({
    answer: { holds: true, value: '1 message', option: unlisted.options.indexOf(accept!) },
  });
  expect(after('second-direct-conversation')?.answer?.holds).not.toBe(false);
});

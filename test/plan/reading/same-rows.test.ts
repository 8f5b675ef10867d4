import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSamples, onePerSource, samplesOf } from '../../contracts/samples.ts';
import { message, user, userId, writeFiles } from '../../scenes/make-export.ts';
import { plannedRows } from '../../scenes/planned-rows.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { threadsHere } from '../../scenes/threads-here.ts';

const home = temporaryFolder();

/** One of every source, three of the one whose files several threads may read; `test/nightly/same-rows.test.ts` has all. */
const chosen = [...onePerSource(), ...samplesOf('slack').slice(1, 3)];

describe('a plan', () => {
  it.each(chosen.map((sample) => [`${sample.source}/${sample.name}`, sample] as const))(
    'stages the same rows in the same order of %s, however many threads read',
    async (_, sample) => {
      const alone = await plannedRows(home.make(), { ...sample, threads: 0 });
      for (const count of sample.source === 'slack' ? [1, 3] : [1])
        expect(await plannedRows(home.make(), { ...sample, threads: threadsHere(count) })).toEqual(alone);
    },
  );

  it.each([
    'people: { unknownAuthors: reject, bots: skip, collisions: hash }',
    'messages: { threads: quote, reactions: replay, system: keep }',
    'conversations: { exclude: [C05QUIET01], merge: [[C05GENERAL, C05DESIGN1]] }',
    'people: { merge: [[U05HLINES1, U05HLTOMA2], [U-NOBODY, U05HLPRIY3]] }\nmessages: { mentions: metadata, edited: skip }',
  ])('does so where rules lean on what was read before: %s', async (rules) => {
    const sample = listSamples().find(({ source, name }) => source === 'slack' && name === 'every-feature')!;
    const alone = await plannedRows(home.make(), { ...sample, rules, threads: 0 });
    expect(await plannedRows(home.make(), { ...sample, rules, threads: threadsHere(3) })).toEqual(alone);
  });

  it('knows of somebody what a file said that another thread has read', async () => {
    const folder = home.make();
    // Nobody describes U00000009; what the first day says of them holds for the others.
    const byBot = { ...message('1709251201.000100', 'U00000009', 'Built'), bot_profile: { name: 'Deploy' } };
    const days = Object.fromEntries(
      ['02', '03', '04'].map((day) => [
        `general/2024-03-${day}.json`,
        [1, 2].map((number) => message(`17093376${day}.00010${number}`, 'U00000009', `Build ${number}`)),
      ]),
    );
    writeFiles(join(folder, 'export'), {
      'users.json': [user(userId(1))],
      'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1)] }],
      'general/2024-03-01.json': [byBot],
      ...days,
    });
    const rules = 'people: { bots: skip }';
    const alone = await plannedRows(home.make(), { folder, source: 'slack', rules, threads: 0 });
    expect(alone.message!.map((row) => (row as { reason: string }).reason)).toEqual(Array(7).fill('bot message'));
    for (const count of [2, 3, 4]) {
      const threads = threadsHere(count);
      expect(await plannedRows(home.make(), { folder, source: 'slack', rules, threads })).toEqual(alone);
    }
  });

  it('is read by one thread where another finds other files', async () => {
    const folder = home.make();
    const day = (number: number) => [message(`170925120${number}.000100`, userId(1), `Message ${number}`)];
    writeFiles(join(folder, 'export'), {
      'users.json': [user(userId(1))],
      'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1)] }],
      'general/2024-03-01.json': day(1),
      'general/2024-03-03.json': day(3),
    });
    const alone = await plannedRows(home.make(), { folder, source: 'slack', threads: 0 });
    let started = 0;
    const threads = {
      ...threadsHere(2),
      // The first has listed the export by now.
      start() {
        if (++started === 2) writeFiles(join(folder, 'export'), { 'general/2024-03-02.json': day(2) });
        return threadsHere(2).start();
      },
    };
    expect(await plannedRows(home.make(), { folder, source: 'slack', threads })).toEqual(alone);
    expect(started).toBe(2);
  });

  it('ends with an abort, whichever of its threads has not answered yet', async () => {
    const abort = new AbortController();
    const sample = listSamples().find(({ source, name }) => source === 'slack' && name === 'every-feature')!;
    let started = 0;
    const threads = {
      ...threadsHere(3),
      start() {
        if (++started === 3) abort.abort(new Error('stopped by a test'));
        return threadsHere(3).start();
      },
    };
    const planning = plannedRows(home.make(), { ...sample, threads, signal: abort.signal });
    await expect(planning).rejects.toThrow('stopped by a test');
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeParts } from '../../src/rows/parts.ts';
import type { BeforeAfter } from '../../src/rows/rows-with-messages.ts';
import { decideSource } from '../../src/decisions/proposal.ts';
import { closeOpened, openToAsk, previewAnswer } from '../../src/decisions/questions.ts';
import { parseSettings, settingText } from '../../src/lib/settings.ts';
import { runJson } from '../cli/in-process.ts';
import { never } from '../scenes/bench.ts';
import { everyNth } from '../tier.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

async function opened(sample: string) {
  const folder = join(import.meta.dirname, '../../samples', sample);
  const path = join(folder, readdirSync(folder).find((file) => file.startsWith('export'))!);
  const asked = await openToAsk([path], undefined);
  onTestFinished(() => closeOpened(asked));
  return { path, asked };
}

const shown = (rows: readonly BeforeAfter[]) => rows.map((row) => [row.place, row.row, describeParts(row)]);

describe('previewAnswer()', () => {
  it.each(['csv/two-people', 'csv/mapping-child-tables', 'json/mapping-django', 'database/mapping-own-database'])(
    'shows for every answer about %s what "init --no-count --set" shows for it',
    async (sample) => {
      const { path, asked } = await opened(sample);
      const { open } = await decideSource(asked, {});
      expect(open.length).toBeGreaterThan(1);
      const answers = open.flatMap(({ key, readings }) =>
        readings.map(({ value }) => `source.${key}=${settingText(value)}`),
      );
      for (const answer of [undefined, ...everyNth(2, answers)]) {
        const set = answer === undefined ? [] : [answer];
        const rows = await previewAnswer(asked, {}, parseSettings(set), { signal: never });
        const { json } = await runJson(['init', path, '--yes', '--no-count', ...set.flatMap((one) => ['--set', one])], {
          folder: home.make(),
        });
        expect([answer, shown(rows)]).toEqual([answer, shown(json.beforeAfter as readonly BeforeAfter[])]);
      }
    },
  );

  it('changes with the answer', async () => {
    const { asked } = await opened('csv/two-people');
    const partsUnder = async (...set: string[]) =>
      (await previewAnswer(asked, {}, parseSettings(set), { signal: never })).flatMap((row) => describeParts(row));
    expect(await partsUnder()).toContainEqual(['time', '?']);
    const [format, zone] = ['source.messages.time.format=M/d/yyyy h:mm a', 'source.zone=America/New_York'];
    const parts = await partsUnder(format, zone);
    expect(parts).not.toContainEqual(['time', '?']);
    expect(parts.find(([part]) => part === 'time')![1]).toContain('America/New_York');
  });

  it('throws for an answer that cannot be', async () => {
    const { asked } = await opened('csv/two-people');
    const settings = parseSettings(['source.messages.author=no_such_column']);
    await expect(previewAnswer(asked, {}, settings, { signal: never })).rejects.toThrow('no_such_column');
  });
});

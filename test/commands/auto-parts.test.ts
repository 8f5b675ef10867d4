import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { autoParts } from '../../src/commands/auto-parts.ts';
import { loadMapping } from '../../src/mapping/rules/load-rules.ts';
import { placeOf } from '../../src/model/part.ts';
import { listSamples } from '../contracts/samples.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

/** One of each source. */
const samples = listSamples().filter(
  ({ source }, at, all) => all.findIndex((sample) => sample.source === source) === at,
);

/** Channels with so many day files of ten messages each. */
function slackExport(days: readonly number[]): string {
  const folder = join(home.make(), 'export');
  const ids = days.map((_, index) => `C0000000${index}`);
  const rows = (day: number) =>
    Array.from({ length: 10 }, (_, at) =>
      message(`17093${day.toString().padStart(3, '0')}00.00010${at}`, userId(1), 'Good morning'),
    );
  writeFiles(folder, {
    'users.json': [user(userId(1))],
    'channels.json': ids.map((id) => ({ id, name: id.toLowerCase(), members: [userId(1)] })),
    ...Object.fromEntries(
      ids.flatMap((id, index) =>
        Array.from({ length: days[index]! }, (_, day) => [
          `${id.toLowerCase()}/2024-${1 + Math.floor(day / 28)}-${day}.json`,
          rows(day),
        ]),
      ),
    ),
  });
  return folder;
}

const optionsOf = async (from: string, messagesPerPart: number, mapping?: string) => ({
  from: [from],
  mapping: await loadMapping(mapping),
  messagesPerPart,
});

describe('autoParts()', () => {
  it('makes a small export one part', async () => {
    const found = await autoParts({ from: [slackExport([3, 2])], mapping: await loadMapping(undefined) });
    expect(found).toMatchObject({ source: 'slack', parts: { of: 1 }, rowsBy: 'conversation' });
    expect(found.messages).toBeGreaterThanOrEqual(45);
    expect(found.messages).toBeLessThanOrEqual(55);
  });

  it('places the large conversations of an export whose files belong to one, so that parts are about the same size', async () => {
    const days = [40, 30, 30, 20, 20, 20, 20, 20];
    const { parts } = await autoParts(await optionsOf(slackExport(days), 500));
    expect(parts.of).toBe(4);
    const loads = [0, 0, 0, 0];
    for (const [index, count] of days.entries()) loads[placeOf(`C0000000${index}`, parts)]! += count;
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(20);
  });

  it('estimates rows of one large file by its beginning, and says that each part would read all of it', async () => {
    const records = Array.from({ length: 30_000 }, (_, at) => says(at, `c${at % 40}`, 'ann', `Message ${at}`));
    const path = writeRecords(join(home.make(), 'export.ndjson'), [channel('c1'), ...records]);
    const { messages, parts, rowsBy } = await autoParts(await optionsOf(path, 12_000));
    expect([parts, rowsBy]).toEqual([{ of: 3 }, 'rows']);
    expect(Math.abs(messages - 30_000)).toBeLessThan(1_500);
  });

  it.each(samples)('takes $source as it comes', async ({ folder, source }) => {
    const names = readdirSync(folder);
    const mapping = names.includes('mapping.yaml') ? join(folder, 'mapping.yaml') : undefined;
    const from = names.filter((name) => name.startsWith('export')).map((name) => join(folder, name));
    const found = await autoParts({ from, source, mapping: await loadMapping(mapping) });
    expect(found.parts).toEqual({ of: 1 });
    expect(found.messages).toBeLessThan(1_000);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planExport } from '../../../src/commands/prepare.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { says, writeRecords } from '../../scenes/write-records.ts';

const home = temporaryFolderInMemory();

/** Gaps in an export of messages with these ids, by conversation. */
async function gaps(ids: Readonly<Record<string, readonly string[]>>, consecutiveIds: string): Promise<string[]> {
  const folder = home.make();
  let time = 0;
  const messages = Object.entries(ids).flatMap(([conversation, list]) =>
    list.map((id) => {
      const made = says(++time, conversation, 'ann', `message ${id}`);
      return { ...made, origin: { ...made.origin, id } };
    }),
  );
  const path = writeRecords(join(folder, 'export.ndjson'), messages);
  const mapping = `source: { consecutiveIds: ${consecutiveIds} }`;
  const { report } = await planExport(await sessionRequest(folder, { from: [path], mapping }));
  const found = report.problems.find(({ code }) => code === 'id-gap');
  expect(found?.count ?? 0).toBe(found?.examples.length ?? 0);
  return (found?.examples ?? []).map(({ location, detail }) => `${location} ${detail}`);
}

describe('the check id-gap', () => {
  it('finds holes inside each conversation, at the message behind them', async () => {
    const ids = { general: ['41', '57', '58', '60'], other: ['7', '8'] };
    expect(await gaps(ids, 'conversation')).toEqual([
      'export.ndjson:3 between 41 and 57 in general: 15 messages',
      'export.ndjson:5 between 58 and 60 in general: 1 message',
    ]);
  });

  it('finds holes over the whole export, whatever the order of the rows', async () => {
    const ids = { general: ['9', '1', '3'], other: ['2', '4'] };
    expect(await gaps(ids, 'export')).toEqual(['export.ndjson:2 between 4 and 9: 4 messages']);
  });

  it('is not asked where nothing is said of the ids', async () => {
    expect(await gaps({ general: ['1', '9'] }, 'no')).toEqual([]);
  });

  it('counts with all 63 bits, and by value, not by text', async () => {
    const top = ['9223372036854775807', '9223372036854775804'];
    expect(await gaps({ general: ['9', '10', '11'], other: top }, 'conversation')).toEqual([
      expect.stringContaining('between 9223372036854775804 and 9223372036854775807 in other: 2 messages'),
    ]);
  });

  it('says so where ids are no numbers that can be counted', async () => {
    const ids = { general: ['1', 'm2', '03', '9223372036854775808', '2'] };
    expect(await gaps(ids, 'conversation')).toEqual(['export.ndjson 3 ids are no whole numbers, for example 03']);
  });

  it('is declared for tables as well', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'export.csv'), 'id,room,who,at,text\n1,a,x,1700000000,hi\n4,a,x,1700000060,ho\n');
    const mapping = `source: { consecutiveIds: conversation, zone: UTC, messages: { id: id, conversation: room, author: who, time: { from: at, format: unix-s }, text: text } }`;
    const request = await sessionRequest(folder, { from: [join(folder, 'export.csv')], source: 'csv', mapping });
    const { report } = await planExport(request);
    expect(report.problems).toContainEqual(
      expect.objectContaining({
        code: 'id-gap',
        examples: [{ location: 'export.csv:3', detail: 'between 1 and 4 in a: 2 messages' }],
      }),
    );
  });
});

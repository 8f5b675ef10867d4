import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writePeople, planExport } from '../../src/commands/prepare.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import type { ChatRecord } from '../../src/model/records.ts';
import { anyText } from '../arbitrary-text.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();
const lookup = (more = '') => `lookup: { file: people.csv, id: id, uid: uid${more} }`;

async function plan(folder: string, records: readonly ChatRecord[], mapping?: string) {
  const from = [writeRecords(join(folder, 'export.ndjson'), records)];
  await planExport(
    await sessionRequest(folder, { from, allowMappingChange: true, ...(mapping !== undefined && { mapping }) }),
  );
}

async function written(folder: string, { out = 'people.csv', mapping = false } = {}) {
  const counts = await writePeople({
    store: join(folder, 'chatferry.db'),
    mapping: await loadMapping(mapping ? join(folder, 'mapping.yaml') : undefined),
    to: { path: join(folder, out), mayReplace: true },
  });
  const text = readFileSync(join(folder, out), 'utf8');
  return { counts, rows: parse<Record<string, string>>(text, { bom: true, columns: true }) };
}

const setUid = (folder: string, id: string, uid: string) => {
  const path = join(folder, 'people.csv');
  const changed = readFileSync(path, 'utf8').replace(
    new RegExp(`^("${id}",.*),"[^"]*",("[^"]*")\r$`, 'm'),
    `$1,"${uid}",$2\r`,
  );
  writeFileSync(path, changed);
};

describe('writePeople()', () => {
  const records = [
    person('U1', { name: '=Ada', email: 'Ada@Example.com', handle: 'ada' }),
    person('U2'),
    person('U3'),
    channel('C1'),
    says(1, 'C1', 'U1', 'one'),
    says(2, 'C1', 'U1', 'two'),
    says(3, 'C1', 'U2', 'three'),
    says(4, 'C1', '+49 170 1', 'four'),
  ];

  it('writes everyone in the plan with their messages and uid, and no text that a spreadsheet would run', async () => {
    const folder = home.make();
    await plan(folder, records, 'people: { uids: { U2: bob } }');
    const { counts, rows } = await written(folder, { mapping: true });
    expect(counts).toMatchObject({ byTemplate: 3, byTable: 0, byHand: 1, leftOut: 0, unmatched: 0 });
    expect(rows).toEqual([
      { id: 'U1', name: "'=Ada", handle: 'ada', email: 'Ada@Example.com', messages: '2', uid: '', now: 'u1' },
      { id: 'U2', name: 'Person U2', handle: '', email: '', messages: '1', uid: '', now: 'bob' },
      { id: 'U3', name: 'Person U3', handle: '', email: '', messages: '0', uid: '', now: 'u3' },
      expect.objectContaining({ id: "'+49 170 1", messages: '1', now: expect.stringMatching(/^'-49-170-1-/) }),
    ]);
  });

  it('writes a table that the next plan takes uids from, and that keeps them when it is written again', async () => {
    const folder = home.make();
    await plan(folder, records);
    await written(folder);
    setUid(folder, 'U1', 'ada-1');
    setUid(folder, "'\\+49 170 1", 'phone-1');
    await plan(folder, records, `people: { ${lookup()} }`);
    const { counts, rows } = await written(folder, { mapping: true });
    expect(counts).toMatchObject({ byTemplate: 2, byTable: 2, unmatched: 0 });
    expect(rows.map(({ uid, now }) => [uid, now])).toEqual([
      ['ada-1', 'ada-1'],
      ['', 'u2'],
      ['', 'u3'],
      ['phone-1', 'phone-1'],
    ]);
  });

  it('keeps rows of the present table that match no one in the plan, and finds people by their e-mail address', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'people.csv'), 'mail,uid\nada@example.com,ada-1\nzoe@example.com,zoe-1\n');
    await plan(folder, records, 'people: { lookup: { file: people.csv, id: mail, uid: uid, by: email } }');
    const { counts, rows } = await written(folder, { mapping: true, out: 'new.csv' });
    expect(counts).toMatchObject({ byTable: 1, unmatched: 1 });
    expect(rows[0]).toMatchObject({ id: 'U1', uid: 'ada-1', now: 'ada-1' });
    expect(rows.at(-1)).toEqual({
      ...{ id: '', name: '', handle: '', email: 'zoe@example.com', messages: '0', uid: 'zoe-1', now: '' },
    });
  });

  it('refuses to write a table without the uids of the one that the plan used', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'people.csv'), 'id,uid\nU1,ada-1\n');
    await plan(folder, records, `people: { ${lookup()} }`);
    await expect(written(folder)).rejects.toThrow('the plan took uids from "people.csv"');
    expect(readFileSync(join(folder, 'people.csv'), 'utf8')).toBe('id,uid\nU1,ada-1\n');
  });

  it('writes every id so that the lookup finds it, or counts it as left out', async () => {
    const some = fc.sample(anyText, { numRuns: 200, seed: 7 }).filter((id) => id !== '');
    const ids = [...new Set([...some, ' x', "'=x", '=x', '\u00a0', 'a\r\nb', '007', '12345678901234567890'])];
    const folder = home.make();
    const all: ChatRecord[] = [...ids.map((id) => person(id)), channel('C1')];
    await plan(folder, all, 'people: { collisions: hash }');
    const { counts, rows } = await written(folder);
    expect(counts.byTemplate + counts.leftOut).toBe(ids.length);
    expect(counts.leftOut).toBe(ids.filter((id) => id.trim() !== id || !id.isWellFormed()).length);
    const text = readFileSync(join(folder, 'people.csv'), 'utf8');
    let number = 0;
    writeFileSync(
      join(folder, 'people.csv'),
      text.replaceAll(/,"",("[^"]*")\r\n(?="|$)/g, (_, now: string) => `,"n-${number++}",${now}\r\n`),
    );
    writeFileSync(join(folder, 'mapping.yaml'), `people: { ${lookup()} }`);
    const { lookup: table } = await loadMapping(join(folder, 'mapping.yaml'));
    const listed = ids.filter((id) => id.trim() === id && id.isWellFormed());
    expect(rows.length).toBe(listed.length);
    expect([...table!.uids.keys()].toSorted()).toEqual(listed.toSorted());
  });
});

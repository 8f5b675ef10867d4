import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const requestOf = async (folder: string, records: readonly ChatRecord[], people = '{ collisions: hash }') =>
  sessionRequest(folder, {
    from: [writeRecords(join(folder, 'export.ndjson'), records)],
    mapping: `people: ${people}\n`,
  });

async function planned(records: readonly ChatRecord[], people?: string) {
  const folder = home.make();
  const { report } = await planExport(await requestOf(folder, records, people));
  return { report, folder };
}

/** Uids by id, and what the requests say of people: authors and whom texts mention. */
function uidsIn(folder: string) {
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  const people = db.prepare('SELECT source_id, uid FROM person ORDER BY source_id').raw().all() as [string, string][];
  const mentions = db.prepare(`SELECT payload ->> '$.data.metadata.chatferry.mentions' FROM message ORDER BY muid`);
  const muids = db.prepare('SELECT muid FROM message ORDER BY muid').pluck().all();
  const found = { uids: Object.fromEntries(people), mentions: mentions.pluck().all(), muids };
  db.close();
  return found;
}

const mentioning = (message: MessageRecord, ...mentions: string[]): MessageRecord => ({ ...message, mentions });

const records = [
  channel('C1'),
  mentioning(says(1, 'C1', 'ANN', 'hi'), 'ann'),
  mentioning(says(2, 'C1', 'ann', 'ho'), 'ANN', 'bob'),
  says(3, 'C1', 'Ann', 'hm'),
  says(4, 'C1', 'bob', 'ha'),
];

describe('people.collisions: hash', () => {
  it('gives all but one of them a hash of their id, wherever a uid is used, and reports it', async () => {
    const { report, folder } = await planned(records);
    const { uids, mentions } = uidsIn(folder);
    expect(uids).toEqual({
      ANN: 'ann',
      Ann: expect.stringMatching(/^ann-[a-z2-7]{8}$/),
      ann: expect.stringMatching(/^ann-[a-z2-7]{8}$/),
      bob: 'bob',
    });
    expect(new Set(Object.values(uids)).size).toBe(4);
    expect(mentions.filter(Boolean).sort()).toEqual([`["${uids.ann}"]`, '["ann","bob"]'].sort());
    expect(report.totals).toMatchObject({ read: 4, planned: 4, invalid: 0 });
    expect(report.problems.find(({ code }) => code === 'uid-with-hash')).toMatchObject({
      count: 2,
      title: expect.stringContaining('because another has theirs'),
      examples: [
        {
          location: 'Ann',
          detail: expect.stringContaining(` becomes "${uids.Ann}", because the uid without the hash is that of "ANN"`),
        },
        {},
      ],
    });
    expect(report.problems.map(({ code }) => code)).not.toContain('uid-altered');
  });

  it('gives the same uids in any reading order; people described in the export keep theirs', async () => {
    const described = [...records, person('Ann')];
    const [one, other] = [await planned(described), await planned(described.toReversed())];
    expect(uidsIn(other.folder)).toEqual(uidsIn(one.folder));
    expect(uidsIn(one.folder).uids.Ann).toBe('ann');
  });

  it('keeps uids of an earlier plan, even if a new person would come first', async () => {
    const folder = home.make();
    const first = await importExport(await requestOf(folder, [channel('C1'), says(2, 'C1', 'ann', 'ho')]));
    expect(first.exit).toBe(0);
    expect(uidsIn(folder).uids).toEqual({ ann: 'ann' });
    const { report, exit } = await importExport(await requestOf(folder, records));
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ imported: 4 });
    const { uids } = uidsIn(folder);
    expect(uids.ann).toBe('ann');
    await importExport(await requestOf(folder, [...records, says(5, 'C1', 'aNN', 'new')]));
    expect(uidsIn(folder).uids).toEqual({ ...uids, aNN: expect.stringMatching(/^ann-[a-z2-7]{8}$/) });
  });

  it('never changes a uid that was set by hand', async () => {
    const { folder } = await planned(records, '{ collisions: hash, uids: { bob: ann } }');
    expect(uidsIn(folder).uids).toMatchObject({ bob: 'ann', ANN: expect.stringMatching(/^ann-/) });
    const both = planned(records, '{ collisions: hash, uids: { bob: ann, ANN: ann } }');
    await expect(both).rejects.toThrow('the people "ANN" and "bob" would all become uid "ann"');
  });

  it('distinguishes people of the same name if uids are made of names', async () => {
    const two = [
      person('U1', { name: 'Ann' }),
      person('U2', { name: 'Ann' }),
      channel('C1'),
      says(1, 'C1', 'U2', 'hi'),
    ];
    const { folder } = await planned(two, '{ collisions: hash, uid: "{name}" }');
    expect(uidsIn(folder).uids).toEqual({ U1: 'ann', U2: expect.stringMatching(/^ann-[a-z2-7]{8}$/) });
  });

  it('is named by the error if it is not set', async () => {
    const stopped = planned(records, '{}');
    await expect(stopped).rejects.toMatchObject({ hint: expect.stringContaining('people.collisions: hash') });
  });
});

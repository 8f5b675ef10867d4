import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

const records = [
  person('U1', { name: 'Ada' }),
  person('U2', { name: 'Bob' }),
  channel('C1', { name: 'general' }),
  channel('C2', { name: 'random' }),
  channel('C3', { name: 'notes' }),
  says(1, 'C1', 'U1', 'one'),
  says(2, 'C1', 'U2', 'two'),
  says(3, 'C1', 'U1', 'three'),
  says(4, 'C1', 'U2', 'four'),
  says(5, 'C2', 'U1', 'five'),
  says(6, 'C2', 'U2', 'six'),
  says(7, 'C3', 'U1', 'seven'),
];
const general = ['one', 'two', 'three', 'four'];

let folder: string;
/** Data file of the embedded sandbox. */
let data: string;
beforeEach(() => {
  folder = home.make();
  data = join(folder, 'chatferry.sandbox.db');
  writeRecords(join(folder, 'export.ndjson'), records);
});

const importAll = async () => expect(await run(['import', 'export.ndjson'], { folder })).toMatchObject({ code: 0 });
const verify = (...args: string[]) => runJson(['verify', '--grace-period', '0s', ...args], { folder });
const undo = (...args: string[]) => runJson(['undo', '--grace-period', '0s', '--yes', ...args], { folder });

/** Changes a SQLite file behind the program's back, or asks it. */
function change(path: string, sql: string): unknown[] {
  const db = new Database(path);
  try {
    const statement = db.prepare(sql);
    return statement.reader ? statement.all() : [statement.run()];
  } finally {
    db.close();
  }
}
const withText = (text: string) => `data ->> '$.text' = '${text}'`;
const checks = () => change(join(folder, 'chatferry.db'), 'SELECT * FROM conversation_check ORDER BY conversation');

describe('verify --only', () => {
  it('reads only the conversations of matching messages, and marks none as verified', async () => {
    await importAll();
    const before = checks();
    expect(before).toHaveLength(3);
    const { code, json } = await verify('--only', 'in:general from:ada');
    expect({ code, json }).toMatchObject({
      code: 0,
      json: {
        verify: { same: 2, missing: 0, extra: 0, different: 0, duplicated: 0, only: 'in:general from:ada' },
        // For one conversation: its page, and the empty one after it.
        requests: { list: 2 },
      },
    });
    expect(checks()).toEqual(before);
    const { stdout } = await run(['verify', '--only', 'from:bob'], { folder });
    expect(stdout).toMatch(/Verify +3 same, 0 missing\n +only what --only finds: from:bob/);
  });

  it('reports only matching messages as missing, different or duplicated; unknown messages stay extra and foreign', async () => {
    await importAll();
    change(data, `DELETE FROM message WHERE ${withText('one')} OR ${withText('two')} OR ${withText('five')}`);
    change(data, `UPDATE message SET data = json_set(data, '$.text', 'FOUR') WHERE ${withText('four')}`);
    const columns = 'data, conversation, sender, receiver, receiver_type, category, type, tags, sent_at';
    const strange = `json_set(data, '$.metadata', json('{}'))`;
    for (const [muid, body] of [
      ['muid', 'data'],
      [`substr(muid, 1, 22) || 'aaaaa'`, strange],
      [`'by-others'`, strange],
    ]) {
      change(
        data,
        `INSERT INTO message (muid, ${columns}) SELECT ${muid}, ${columns.replace('data', body!)} FROM message WHERE ${withText('three')} LIMIT 1`,
      );
    }
    expect(
      (await run(['verify', '--only', 'in:general from:ada', '--grace-period', '0s'], { folder })).stdout,
    ).toContain('general: 1 missing, 1 duplicated, 1 extra\n');
    const counts = { extra: 1, foreign: 1, missing: 1 };
    expect(await verify('--only', 'in:general from:ada')).toMatchObject({
      code: 6,
      json: {
        verify: { ...counts, same: 1, different: 0, duplicated: 1 },
      },
    });
    // A known difference no longer counts as verified.
    expect(checks()).toHaveLength(2);
    expect(await verify('--only', 'in:general from:bob')).toMatchObject({
      code: 6,
      json: { verify: { ...counts, same: 0, different: 1, duplicated: 0 } },
    });
  });

  it('repairs only matching messages', async () => {
    await importAll();
    change(data, `DELETE FROM message WHERE ${withText('two')} OR ${withText('three')} OR ${withText('six')}`);
    expect(await verify('--only', 'in:general from:ada', '--repair', '--yes')).toMatchObject({
      code: 0,
      json: { verify: { same: 2, missing: 0, repaired: 1 }, requests: { import: 1 } },
    });
    expect(byName(sandboxContents(data))).toEqual({
      group_c1: ['one', 'four', 'three'],
      group_c2: ['five'],
      group_c3: ['seven'],
    });
    expect(await verify('--only', 'id:m2', '--repair', '--yes')).toMatchObject({
      code: 5,
      json: { stopped: { code: 'nothing-shown' } },
    });
    expect(await verify('--repair', '--yes')).toMatchObject({ code: 0, json: { verify: { same: 7, repaired: 2 } } });
  });

  it('samples only matching messages', async () => {
    await importAll();
    expect(await verify('--only', '-in:general', '--sample', '100')).toMatchObject({
      code: 0,
      json: { verify: { same: 3, sample: { messages: 3, of: 3, conversations: 2 }, only: '-in:general' } },
    });
  });
});

describe('undo --only', () => {
  it('takes a pilot back, then the rest without it', async () => {
    await importAll();
    expect(await undo('--only', 'in:general')).toMatchObject({
      code: 0,
      json: { done: { group: { calls: 1, messages: 4 } }, left: [] },
    });
    expect(byName(sandboxContents(data))).toEqual({ group_c2: ['five', 'six'], group_c3: ['seven'] });
    const again = await run(['import', 'export.ndjson', '--only', 'in:general'], { folder });
    expect(again.code).toBe(0);
    expect(byName(sandboxContents(data)).group_c1).toEqual(general);
    // The new ids are ours as well.
    expect(await verify('--only', 'in:general')).toMatchObject({ code: 0, json: { verify: { same: 4, extra: 0 } } });
    expect(await undo()).toMatchObject({ code: 0, json: { done: { group: { calls: 3, messages: 7 } } } });
    expect(sandboxContents(data).size).toBe(0);
  });

  it('leaves a conversation alone that holds something else of ours, and says so', async () => {
    await importAll();
    const { stdout, code } = await run(['undo', '--only', 'from:ada'], { folder });
    expect({ stdout, code }).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(
        /roll back the import and --only finds \(from:ada\):\n +DELETE [\s\S]+ 2 conversations with 6 messages: holds messages outside --only\n/,
      ),
    });
    expect(await undo('--only', 'from:ada')).toMatchObject({
      code: 3,
      json: {
        done: { group: { calls: 1, messages: 1 } },
        left: [{ reason: 'outside-only', explanation: 'holds messages outside --only', calls: 2, messages: 6 }],
      },
    });
    expect(byName(sandboxContents(data))).toEqual({ group_c1: general, group_c2: ['five', 'six'] });
  });

  it('deactivates only people who are in no conversation outside of the filter', async () => {
    const args = ['import', 'export.ndjson', '--track-users'];
    expect((await run(args, { folder })).code).toBe(0);
    const { json } = await undo('--only', 'in:notes');
    expect(json).toMatchObject({ done: { group: { calls: 1 } }, left: [] });
  });
});

describe('verify and undo --only', () => {
  it('point to the error in a filter, and report a misspelt name', async () => {
    await importAll();
    for (const [command, only, words] of [
      ['verify', 'channel:general', 'Cannot use --only: column 1: expected one of in: from:'],
      ['verify', 'in:general,randon', 'Cannot verify with --only: nothing in the export is called in:randon'],
      ['undo', '-in:generall', 'Cannot undo with --only: nothing in the export is called in:generall'],
      ['undo', 'before:2000-01-01', 'Cannot undo: --only finds no message that is planned or was sent to'],
    ] as const) {
      const ended = await run([command, '--yes', '--only', only], { folder });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    }
    expect(Object.values(byName(sandboxContents(data))).flat()).toHaveLength(7);
  });

  it('do not guess at texts that were purged', async () => {
    await importAll();
    expect((await run(['purge', '--yes'], { folder })).code).toBe(0);
    expect(await run(['undo', '--yes', '--only', '-text:six'], { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Cannot undo with text: in --only: the content of messages was purged'),
    });
    expect(await verify('--only', 'in:general')).toMatchObject({ code: 0, json: { verify: { same: 4 } } });
  });
});

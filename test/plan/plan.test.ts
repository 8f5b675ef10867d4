import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import type { Entry } from '../../src/model/entry.ts';
import { errorExitCode } from '../../src/model/exit-codes.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { readStatus } from '../../src/commands/check.ts';
import { sourceNamed } from '../../src/plan/choose-source.ts';
import { makeZip } from '../io/make-zip.ts';
import { never } from '../scenes/bench.ts';
import { makeExport, message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { tenthOf } from '../tier.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import type { Outcome } from '../../src/commands/results.ts';

const slack = sourceNamed('slack');

const home = temporaryFolder();

interface Planning {
  readonly folder: string;
  readonly exports?: readonly string[];
  readonly mapping?: string;
  readonly allowMappingChange?: boolean;
  readonly signal?: AbortSignal;
  readonly itemsPerCommit?: number;
}

async function requestOf({
  folder,
  exports = ['export'],
  mapping,
  allowMappingChange = false,
  signal = never,
  itemsPerCommit,
}: Planning) {
  return {
    to: 'sandbox',
    overrides: {},
    apiKey: undefined,
    concurrency: 4,
    clock: new VirtualClock(),
    random: () => 0.5,
    progress: silent,
    store: join(folder, 'chatferry.db'),
    from: exports.map((path) => join(folder, path)),
    allowMappingChange,
    mapping: await loadMapping(mapping === undefined ? undefined : mappingFile(folder, mapping)),
    stopping: signal,
    signal,
    itemsPerCommit,
    sendProfiles: 'first' as const,
    maxFailureShare: 1,
    verify: true,
    confirm: async () => true,
  };
}

function mappingFile(folder: string, text: string): string {
  const path = join(folder, 'mapping.yaml');
  writeFileSync(path, text);
  return path;
}

const planned = async (planning: Planning): Promise<Outcome> => planExport(await requestOf(planning));
const imported = async (planning: Planning): Promise<Outcome> => importExport(await requestOf(planning));

/** The day files that are read while this runs, in order. */
async function filesRead(work: () => Promise<unknown>): Promise<string[]> {
  const read = slack.read;
  const files: string[] = [];
  const spy = vi.spyOn(slack, 'read').mockImplementation(async function* (...args): AsyncGenerator<readonly Entry[]> {
    for await (const entries of read(...args)) {
      for (const entry of entries) if (entry.type === 'file' && entry.role === 'rows') files.push(entry.path);
      yield entries;
    }
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return files;
}

const [ann, bob, cem, dot] = [userId(1), userId(2), userId(3), userId(4)];
const people = [user(ann, 'Ann'), user(bob, 'Bob'), user(cem, 'Cem'), user(dot, 'Dot')];
const channels = [
  { id: 'C00000001', name: 'one', members: [ann, bob, cem] },
  { id: 'C00000002', name: 'two', members: [ann, bob] },
];
const ts = (day: number, second: number) => `${Date.UTC(2024, 2, day) / 1000 + second}.000100`;

/** Three day files, six messages. */
const basis = {
  'users.json': people,
  'channels.json': channels,
  'dms.json': [{ id: 'D00000001', members: [ann, bob] }],
  'one/2024-03-01.json': [message(ts(1, 1), ann, 'first'), message(ts(1, 2), bob, 'second')],
  'one/2024-03-02.json': [message(ts(2, 1), cem, 'third')],
  'two/2024-03-01.json': [
    message(ts(1, 1), ann, 'alpha'),
    message(ts(1, 2), bob, 'beta'),
    message(ts(1, 3), ann, 'gamma'),
  ],
};
const rowCount = 6;

function exportWith(changes: Readonly<Record<string, unknown>> = {}): string {
  const folder = home.make();
  writeFiles(join(folder, 'export'), { ...basis, ...changes });
  return folder;
}

/** Rows as they are staged, without numbers that depend on the order of reading; JSON as text. */
function stagedRows(folder: string): string[] {
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  const rows = db
    .prepare<[], object>(
      `SELECT m.muid, c.source_id AS conversation, p.source_id AS sender, m.origin_id, m.sent_at, m.sort_key, m.edited_at,
         m.record_digest, m.verdict, m.reason, m.detail, m.payload, m.root_muid, m.facts, f.path, m.place, m.vanished, m.stale
       FROM message m JOIN source_file f ON f.id = m.file
       LEFT JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender`,
    )
    .all();
  db.close();
  return rows.map((row) => JSON.stringify(row)).sort();
}

function query<T>(folder: string, sql: string, ...values: unknown[]): T[] {
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  const rows = db
    .prepare<unknown[], T>(sql)
    .pluck()
    .all(...values);
  db.close();
  return rows;
}

const inSandbox = (folder: string) => byName(sandboxContents(join(folder, 'chatferry.sandbox.db')));

async function failureOf(work: Promise<unknown>): Promise<{ exit: number; message: string; hint: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('Nothing was thrown');
  return { exit: errorExitCode(error), message: error.message, hint: (error as { hint?: string }).hint ?? '' };
}

/** The files of a folder as a ZIP archive. */
function zipFolder(from: string, to: string): void {
  const paths = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const parts = paths.map(({ parentPath, name }) => ({
    name: relative(from, join(parentPath, name)),
    content: readFileSync(join(parentPath, name)),
  }));
  writeFileSync(to, makeZip(parts));
}

const metaOf = (folder: string) => {
  const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
  const rows = db.prepare('SELECT key, value FROM meta ORDER BY key').raw().all();
  db.close();
  return rows;
};

describe('plan() of an export that it knows', () => {
  it('reads no day file where nothing changed', async () => {
    const folder = exportWith();
    const first = await planned({ folder });
    const before = stagedRows(folder);
    let second: Outcome | undefined;
    expect(await filesRead(async () => (second = await planned({ folder })))).toEqual([]);
    expect(second?.report.totals).toEqual(first.report.totals);
    expect(second?.report.totals).toMatchObject({ read: rowCount, planned: rowCount, duplicates: 0 });
    expect(stagedRows(folder)).toEqual(before);
  });

  it('reads a day file again that changed, and no other', async () => {
    const folder = exportWith();
    await planned({ folder });
    const grown = [...basis['one/2024-03-02.json'], message(ts(2, 9), ann, 'new')];
    writeFiles(join(folder, 'export'), { 'one/2024-03-02.json': grown });
    let second: Outcome | undefined;
    expect(await filesRead(async () => (second = await planned({ folder })))).toEqual(['one/2024-03-02.json']);
    expect(second?.report.totals).toMatchObject({ read: rowCount + 1, planned: rowCount + 1, duplicates: 0 });
  });

  it('does not reread a file if only its time changed', async () => {
    const folder = exportWith();
    await planned({ folder });
    const before = stagedRows(folder);
    utimesSync(join(folder, 'export/one/2024-03-01.json'), 1, 1);
    expect(await filesRead(() => planned({ folder }))).toEqual([]);
    expect(stagedRows(folder)).toEqual(before);
  });

  it('forgets the rows of a file that is gone', async () => {
    const folder = exportWith();
    await planned({ folder });
    rmSync(join(folder, 'export/two/2024-03-01.json'));
    const { report } = await planned({ folder });
    expect(report.totals).toMatchObject({ read: 3, planned: 3 });
    expect(report.files).toMatchObject({ rows: 2 });
  });

  it('keeps sent messages of a file that is gone', async () => {
    const folder = exportWith();
    await imported({ folder });
    rmSync(join(folder, 'export/two/2024-03-01.json'));
    const { report, exit } = await imported({ folder });
    expect(report.totals).toMatchObject({ read: rowCount, imported: rowCount, pending: 0 });
    expect(query(folder, 'SELECT count(*) FROM message WHERE vanished = 1')).toEqual([3]);
    expect(exit).toBe(0);
    writeFiles(join(folder, 'export'), { 'two/2024-03-01.json': basis['two/2024-03-01.json'] });
    await imported({ folder });
    expect(query(folder, 'SELECT count(*) FROM message WHERE vanished = 1')).toEqual([0]);
  });

  it('counts a message once that moved to another file, and calls a copy repeated', async () => {
    const folder = exportWith();
    await planned({ folder });
    const [first, second] = basis['one/2024-03-01.json'];
    writeFiles(join(folder, 'export'), {
      'one/2024-03-01.json': [first],
      'one/2024-03-02.json': [...basis['one/2024-03-02.json'], second],
    });
    expect((await planned({ folder })).report.totals).toMatchObject({
      read: rowCount,
      planned: rowCount,
      duplicates: 0,
    });
    writeFiles(join(folder, 'export'), { 'one/2024-03-03.json': [first] });
    expect((await planned({ folder })).report.totals).toMatchObject({
      read: rowCount,
      planned: rowCount,
      duplicates: 1,
    });
  });

  it('brings the copy back when the version that counted is gone', async () => {
    const copy = { 'one/2024-03-09.json': basis['one/2024-03-01.json'] };
    const folder = exportWith(copy);
    expect((await planned({ folder })).report.totals).toMatchObject({ read: rowCount, duplicates: 2 });
    rmSync(join(folder, 'export/one/2024-03-09.json'));
    expect((await planned({ folder })).report.totals).toMatchObject({
      read: rowCount,
      planned: rowCount,
      duplicates: 0,
    });
    expect(stagedRows(folder).filter((row) => row.includes('2024-03-09'))).toEqual([]);
  });

  it('reads everything again when people changed', async () => {
    const folder = exportWith({ 'two/2024-03-01.json': [message(ts(1, 1), ann, `ask <@${bob}>`)] });
    await planned({ folder });
    writeFiles(join(folder, 'export'), { 'users.json': [user(ann, 'Ann'), user(bob, 'Robert'), ...people.slice(2)] });
    expect(await filesRead(() => planned({ folder }))).toEqual(
      expect.arrayContaining(['one/2024-03-01.json', 'one/2024-03-02.json', 'two/2024-03-01.json']),
    );
    const texts = query<string>(folder, `SELECT payload ->> '$.data.text' FROM message WHERE origin_id = ?`, ts(1, 1));
    expect(texts).toContain('ask @Robert');
    expect(query(folder, 'SELECT name FROM person WHERE source_id = ?', bob)).toEqual(['Robert']);
  });

  it('continues where an earlier one was interrupted, and ends with the same rows', async () => {
    const folder = home.make();
    makeExport(join(folder, 'export'), { seed: 5, messages: 700, channels: 20, days: 8 });
    const whole = home.make();
    await planned({ folder: whole, exports: [relative(whole, join(folder, 'export'))] });
    const stop = new AbortController();
    const cut = filesRead(() => planned({ folder, signal: stop.signal, itemsPerCommit: 100 }));
    const spy = vi.spyOn(silent, 'stage').mockReturnValue({ update: () => stop.abort(new Error('cut')), finish() {} });
    await expect(cut).rejects.toThrow('cut');
    spy.mockRestore();
    const staged = query<number>(folder, 'SELECT count(*) FROM message')[0]!;
    expect(staged).toBeGreaterThan(0);
    expect(staged).toBeLessThan(700);
    const { totals } = readStatus({ store: join(folder, 'chatferry.db'), clock: new VirtualClock() }, 'status');
    expect(totals).toMatchObject({ read: staged, pending: totals.planned, imported: 0 });
    const filesLeft = await filesRead(() => planned({ folder }));
    expect(stagedRows(folder)).toEqual(stagedRows(whole));
    const all = query<number>(folder, `SELECT count(*) FROM source_file WHERE role = 'rows'`)[0]!;
    expect(filesLeft.length).toBeLessThan(all);
  });

  it('stages the same rows from a folder of many files, from its archive, and in two goes', async () => {
    const folder = home.make();
    makeExport(join(folder, 'export'), { seed: 6, messages: tenthOf(12_000), channels: tenthOf(60), days: 40 });
    zipFolder(join(folder, 'export'), join(folder, 'export.zip'));
    const fromFolder = await planned({ folder });
    expect(fromFolder.report.files.rows).toBeGreaterThan(tenthOf(2_000));
    const archive = home.make();
    const fromArchive = await planned({ folder: archive, exports: [relative(archive, join(folder, 'export.zip'))] });
    expect(fromArchive.report.totals).toEqual(fromFolder.report.totals);
    const rows = stagedRows(folder);
    expect(stagedRows(archive)).toEqual(rows);

    const late = readdirSync(join(folder, 'export'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /-0[2-9]\.json$/.test(path),
    );
    const kept = new Map(late.map((path) => [path, readFileSync(join(folder, 'export', path), 'utf8')]));
    const growing = home.make();
    for (const path of late) rmSync(join(folder, 'export', path));
    const exports = [relative(growing, join(folder, 'export'))];
    await planned({ folder: growing, exports });
    writeFiles(join(folder, 'export'), Object.fromEntries(kept));
    const read = await filesRead(() => planned({ folder: growing, exports }));
    expect(read).toHaveLength(late.length);
    expect(stagedRows(growing)).toEqual(rows);
  });
});

describe('plan() of overlapping archives', () => {
  const edited = message(ts(1, 2), bob, 'second, better', { edited: { user: bob, ts: ts(3, 1) } });

  function overlapping(): string {
    const folder = exportWith();
    const later = home.make();
    writeFiles(later, {
      'users.json': people,
      'channels.json': channels,
      'one/2024-03-01.json': [edited],
      'one/2024-03-03.json': [message(ts(3, 1), ann, 'fourth')],
    });
    zipFolder(later, join(folder, 'later.zip'));
    return folder;
  }

  it.each([[['export', 'later.zip']], [['later.zip', 'export']]])(
    'takes each message once, as last edited: %j',
    async (exports) => {
      const folder = overlapping();
      const { report } = await planned({ folder, exports });
      expect(report.totals).toMatchObject({ read: rowCount + 1, planned: rowCount + 1, duplicates: 1 });
      const texts = query(
        folder,
        `SELECT payload ->> '$.data.text' FROM message WHERE origin_id = ? AND verdict = 'planned'`,
        ts(1, 2),
      );
      expect(texts.sort()).toEqual(['beta', 'second, better']);
      const before = stagedRows(folder);
      expect(await filesRead(() => planned({ folder, exports }))).toEqual([]);
      expect(stagedRows(folder)).toEqual(before);
    },
  );

  it('takes the edited version also from an archive that is added later', async () => {
    const folder = overlapping();
    await planned({ folder });
    const { report } = await planned({ folder, exports: ['export', 'later.zip'] });
    expect(report.totals).toMatchObject({ read: rowCount + 1, planned: rowCount + 1, duplicates: 1 });
    await imported({ folder, exports: ['export', 'later.zip'] });
    expect(inSandbox(folder)).toEqual({
      group_c00000001: ['first', 'second, better', 'third', 'fourth'],
      group_c00000002: ['alpha', 'beta', 'gamma'],
    });
  });

  it('names what changed at the source after it was sent, and sends it no second time', async () => {
    const folder = overlapping();
    await imported({ folder });
    const { report, exit } = await imported({ folder, exports: ['export', 'later.zip'] });
    expect(report.totals).toMatchObject({ read: rowCount + 1, imported: rowCount + 1, failed: 0 });
    expect(report.drift!.changes).toEqual([
      {
        kind: 'edited',
        policy: 'report',
        count: 1,
        examples: [expect.objectContaining({ location: expect.stringMatching(/\.json#\/0$/) })],
      },
    ]);
    expect(inSandbox(folder).group_c00000001).toEqual(['first', 'second', 'third', 'fourth']);
    expect(report.verify).toMatchObject({ different: 0, missing: 0, extra: 0 });
    expect(exit).toBe(0);
  });
});

describe('plan() under a changed mapping', () => {
  const tagged = 'messages: { tags: [moved] }';

  it('stages everything again as long as nothing was sent', async () => {
    const folder = exportWith();
    await planned({ folder });
    const { report } = await planned({ folder, mapping: tagged });
    expect(report.totals).toMatchObject({ read: rowCount, planned: rowCount });
    expect(query(folder, `SELECT DISTINCT payload ->> '$.tags' FROM message`)).toEqual(['["moved"]']);
  });

  it('is refused once something was sent, and leaves the plan as it was', async () => {
    const folder = exportWith();
    await imported({ folder });
    const before = stagedRows(folder);
    const failure = await failureOf(planned({ folder, mapping: tagged }));
    expect(failure).toMatchObject({ exit: 2, hint: expect.stringContaining('--allow-mapping-change') });
    expect(stagedRows(folder)).toEqual(before);
    expect((await imported({ folder, exports: [] })).exit).toBe(0);
  });

  it('affects only unsent messages if the change is accepted', async () => {
    const folder = exportWith();
    await imported({ folder });
    writeFiles(join(folder, 'export'), { 'one/2024-03-04.json': [message(ts(4, 1), ann, 'after')] });
    const { report, exit } = await imported({ folder, mapping: tagged, allowMappingChange: true });
    expect(report.totals).toMatchObject({ read: rowCount + 1, imported: rowCount + 1, pending: 0 });
    expect({ exit, verify: report.verify }).toMatchObject({ exit: 0, verify: { different: 0 } });
    const data = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
    expect(data.prepare(`SELECT data ->> '$.text' FROM message WHERE tags = '["moved"]'`).pluck().all()).toEqual([
      'after',
    ]);
    data.close();
  });
});

describe('plan() into a store that is not for this export', () => {
  it('names both people who would become one, and plans nothing to send', async () => {
    const folder = exportWith();
    const mapping = `people: { uids: { ${ann}: same, ${bob}: same } }`;
    const failure = await failureOf(planned({ folder, mapping }));
    expect(failure.exit).toBe(2);
    expect(failure.message).toContain(`"${ann}" and "${bob}"`);
    expect(failure.message).toContain('uid "same"');
    expect(await failureOf(imported({ folder, exports: [], mapping }))).toMatchObject({ exit: 2 });
  });

  it('names both conversations that would become one', async () => {
    const folder = exportWith();
    const failure = await failureOf(
      planned({ folder, mapping: 'conversations: { guids: { C00000001: g, C00000002: g } }' }),
    );
    expect(failure).toMatchObject({ exit: 2, message: expect.stringContaining('"C00000001" and "C00000002"') });
  });

  it('counts during the run what the store reports afterwards', async () => {
    const folder = exportWith();
    const { report } = await planned({ folder });
    const told = readStatus({ store: join(folder, 'chatferry.db'), clock: new VirtualClock() }, 'status');
    for (const part of ['totals', 'skipped', 'invalid', 'conversations', 'months', 'contents', 'authors'] as const)
      expect(told[part], part).toEqual(report[part]);
    expect(report.totals.read).toBeGreaterThan(0);
  });

  it('refuses another workspace', async () => {
    const folder = exportWith();
    await planned({ folder });
    const before = [stagedRows(folder), metaOf(folder)];
    const others = people.map((person) => ({ ...person, team_id: 'T00000002' }));
    writeFiles(join(folder, 'other'), { ...basis, 'users.json': others });
    // Also with a mapping that would require a new plan.
    for (const mapping of [undefined, 'messages: { tags: [moved] }']) {
      const failure = await failureOf(planned({ folder, exports: ['other'], ...(mapping && { mapping }) }));
      expect(failure).toMatchObject({ exit: 7, hint: expect.stringContaining('--store') });
      expect(failure.message).toContain('"T00000001"');
      expect(failure.message).toContain('"T00000002"');
      expect([stagedRows(folder), metaOf(folder)]).toEqual(before);
    }
  });

  it('lists what a changed mapping would change, once something was sent', async () => {
    const folder = exportWith();
    await imported({ folder });
    const failure = await failureOf(
      planned({ folder, mapping: 'messages: { tags: [moved] }\npeople: { bots: skip }' }),
    );
    expect(failure).toMatchObject({ exit: 2, hint: expect.stringContaining('--allow-mapping-change') });
    expect(failure.message).toContain('people.bots was "keep", is "skip"; messages.tags was [], is ["moved"]');
  });

  it('refuses another source', async () => {
    const folder = exportWith();
    await planned({ folder });
    const db = new Database(join(folder, 'chatferry.db'));
    db.prepare(`UPDATE meta SET value = 'elsewhere' WHERE key = 'source'`).run();
    db.close();
    expect(await failureOf(planned({ folder }))).toMatchObject({
      exit: 7,
      message: expect.stringContaining('"elsewhere"'),
    });
  });

  it('says that no source recognises a folder of something else', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), { 'readme.txt': 'hello' });
    expect(await failureOf(planned({ folder }))).toMatchObject({
      exit: 4,
      message: expect.stringContaining('no source recognises it'),
    });
  });

  it('refuses options that the source does not have', async () => {
    const folder = exportWith();
    const failure = await failureOf(planned({ folder, mapping: 'source: { nonsense: 1 }' }));
    expect(failure).toMatchObject({ exit: 2, message: expect.stringContaining('nonsense') });
  });
});

describe('plan() of inconsistent conversations', () => {
  const direct = (...rows: readonly object[]) => ({ 'D00000001/2024-03-01.json': rows });

  it('makes a group of a direct conversation in which a third person wrote', async () => {
    const folder = exportWith(direct(message(ts(1, 1), ann, 'hi'), message(ts(1, 2), dot, 'me too')));
    const { report, exit } = await imported({ folder });
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ planned: rowCount + 2, imported: rowCount + 2 });
    expect(inSandbox(folder).group_d00000001).toEqual(['hi', 'me too']);
  });

  it('rejects messages of the third person if the mapping says so', async () => {
    const folder = exportWith(direct(message(ts(1, 1), ann, 'hi'), message(ts(1, 2), dot, 'me too')));
    const mapping = 'conversations: { outsiders: reject }';
    const { report, exit } = await imported({ folder, mapping });
    expect(exit).toBe(3);
    expect(report.totals).toMatchObject({ invalid: 1, imported: rowCount + 1 });
    expect(report.invalid).toMatchObject([{ code: 'outsider', count: 1 }]);
    expect(inSandbox(folder)[`${ann}_user_${bob}`.toLowerCase()]).toEqual(['hi']);
  });

  it('refuses a third person who writes in what already is a one-to-one chat there', async () => {
    const folder = exportWith(direct(message(ts(1, 1), ann, 'hi')));
    await imported({ folder });
    writeFiles(
      join(folder, 'export'),
      direct(message(ts(1, 1), ann, 'hi'), message(ts(1, 2), dot, 'late'), message(ts(1, 3), bob, 'yes')),
    );
    const { report, exit } = await imported({ folder });
    expect(exit).toBe(3);
    expect(report.failed).toMatchObject([{ code: 'late_outsider', count: 1 }]);
    expect(report.totals).toMatchObject({ failed: 1, imported: rowCount + 2, pending: 0 });
    expect(inSandbox(folder)[`${ann}_user_${bob}`.toLowerCase()]).toEqual(['hi', 'yes']);
    expect(report.verify).toMatchObject({ missing: 0, extra: 0, different: 0 });
  });

  it('counts replies whose root is missing from the export', async () => {
    const folder = exportWith({
      'two/2024-03-05.json': [
        message(ts(5, 1), ann, 'answer to nothing', { thread_ts: ts(4, 1) }),
        message(ts(5, 2), bob, 'answer to alpha', { thread_ts: ts(1, 1) }),
      ],
    });
    const { report } = await planned({ folder });
    expect(report.contents).toContainEqual({ name: 'replies without their root', read: 1, planned: 1 });
    expect(report.contents).toContainEqual({ name: 'thread replies', read: 2, planned: 2 });
  });

  it('names files that it does not know, and rows that it cannot read', async () => {
    const folder = exportWith({
      'notes.txt': 'what is this',
      'one/2024-03-07.json': [message(ts(7, 1), ann, 'good'), { type: 'message', text: 'no time' }, 17],
      'one/2024-03-08.json': '[{"type":"message","ts":"1709900000.000100","user":"U00000001","text":"cut o',
    });
    const { report, exit } = await planned({ folder });
    expect(exit).toBe(3);
    expect(report.problems).toContainEqual(
      expect.objectContaining({
        code: 'unknown-file',
        count: 1,
        examples: [expect.objectContaining({ location: 'notes.txt' })],
      }),
    );
    expect(report.totals).toMatchObject({ planned: rowCount + 1, invalid: 3 });
    const places = report.invalid.flatMap(({ examples }) => examples.map(({ location }) => location));
    expect(places).toEqual(expect.arrayContaining(['one/2024-03-07.json#/1', 'one/2024-03-07.json#/2']));
    expect(places.some((place) => place.startsWith('one/2024-03-08.json'))).toBe(true);
    const { totals } = (await planned({ folder })).report;
    expect(totals).toEqual(report.totals);
  });
});

describe('plan() for a destination that is known', () => {
  it('shows what already exists there', async () => {
    const folder = exportWith();
    await imported({ folder });
    writeFiles(join(folder, 'export'), { 'one/2024-03-04.json': [message(ts(4, 1), ann, 'after')] });
    const { report } = await planned({ folder });
    expect(report.totals).toMatchObject({ planned: rowCount + 1, imported: rowCount, pending: 1 });
    expect(report.forecast.requests).toBe(1);
  });

  it('sends nothing and makes no sandbox', async () => {
    const folder = exportWith();
    await planned({ folder });
    expect(readdirSync(folder).filter((name) => name.includes('sandbox'))).toEqual([]);
    expect(query(folder, 'SELECT count(*) FROM batch')).toEqual([0]);
  });

  it('is needed before an import without an export', async () => {
    const folder = home.make();
    await expect(imported({ folder, exports: [] })).rejects.toThrow(UsageError);
  });
});

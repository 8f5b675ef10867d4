import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStore } from '../../../src/store/open.ts';
import { SourceError, UsageError } from '../../../src/lib/errors.ts';
import { loadMapping } from '../../../src/mapping/load.ts';
import { convert } from '../../../src/commands/move.ts';
import { plan } from '../../../src/plan/plan.ts';
import { silent } from '../../../src/lib/flow/progress.ts';
import { profiles } from '../../../src/service/profiles.ts';
import { sources } from '../../../src/sources/registry.ts';
import { listSamples, sampleOptions } from '../../contracts/samples.ts';
import { everyNth, isNightly } from '../../tier.ts';
import { never } from '../../scenes/bench.ts';
import { makeExport, message, user, userId, writeFiles } from '../../scenes/make-export.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { VirtualClock } from '../../scenes/virtual-clock.ts';
import type { ConvertOptions } from '../../../src/commands/requests.ts';

const home = temporaryFolderInMemory();

/** A mapping under which people are known by more than their ids, and much depends on who is known when. */
const demanding = `people: { uid: "{handle}", unknownAuthors: reject, bots: skip }
conversations: { outsiders: reject, guid: "{name}-{id}" }
messages: { system: keep, calls: keep, deleted: keep, empty: skip, tags: [moved] }
`;

async function convertTo(path: string, exports: readonly string[], more: Partial<ConvertOptions> = {}) {
  const to = { path, mayReplace: false };
  return convert({
    from: exports,
    mapping: await loadMapping(undefined),
    to,
    progress: silent,
    signal: never,
    ...more,
  });
}

/** Returns the rows that a plan stages, without locations. */
async function staged(exports: readonly string[], mappingPath?: string, source?: string) {
  const path = join(home.make(), 'chatferry.db');
  const clock = new VirtualClock(Date.UTC(2026, 5, 1));
  const store = openStore(path, { command: 'plan', nowMs: clock.now() });
  const mapping = await loadMapping(mappingPath);
  await plan(store, {
    exports,
    source,
    mapping,
    allowMappingChange: false,
    profile: profiles.spec,
    clock,
    progress: silent,
    signal: never,
  }).catch((error: unknown) => {
    // People whom the mapping would call alike: what was read is staged all the same.
    if (!(error instanceof UsageError && error.message.includes('would all become'))) throw error;
  });
  store.close();
  const db = new Database(path, { readonly: true });
  try {
    return {
      // A converted message has its time as it was read: that its zone was assumed is known of the export alone.
      messages: db
        .prepare(
          `SELECT muid, c.source_id AS conversation, p.source_id AS sender, origin_id, sent_at, sort_key, edited_at,
             record_digest, verdict, reason, payload, root_muid,
             nullif(json_remove(facts, '$.zoneAssumed'), '{}') AS facts
           FROM message m LEFT JOIN conversation c ON c.id = m.conversation LEFT JOIN person p ON p.id = m.sender ORDER BY seq`,
        )
        .all(),
      people: db.prepare('SELECT * FROM person ORDER BY id').all(),
      conversations: db.prepare('SELECT * FROM conversation ORDER BY id').all(),
      workspace: db.prepare(`SELECT value FROM meta WHERE key = 'workspace'`).pluck().get(),
      // A file in which people come late says so itself, whatever was said of the export. That ids are names is known of the export alone.
      problems: db
        .prepare(
          `SELECT code, count(*) FROM problem WHERE code NOT IN ('described-late', 'person-without-name') GROUP BY code ORDER BY code`,
        )
        .all(),
    };
  } finally {
    db.close();
  }
}

/** @param source That of the export. */
async function expectSamePlan(exports: readonly string[], rules: string, source = 'slack'): Promise<void> {
  const folder = home.make();
  const [path, mapping] = [join(folder, 'converted.ndjson'), join(folder, 'rules.yaml')];
  writeFileSync(mapping, rules);
  await convertTo(path, exports, { source, mapping: await loadMapping(mapping) });
  expect(await staged([path], mapping)).toEqual(await staged(exports, mapping, source));
}

describe('a plan of a converted export', () => {
  const samples = listSamples().filter(({ source }) => sources.some((adapter) => adapter.name === source));
  const tried = isNightly
    ? samples
    : everyNth(2, sources).flatMap(({ name }) => samples.find(({ source }) => source === name) ?? []);
  for (const sample of tried) {
    const { source, name, folder } = sample;
    const names = readdirSync(folder).filter((file) => file.startsWith('export'));
    const exports = names.sort().map((file) => join(folder, file));
    /** Options for reading the export, for sources that need them. */
    const section = `source: ${JSON.stringify(sampleOptions(sample))}\n`;

    if (isNightly) it(`is that of the sample ${source}/${name}`, () => expectSamePlan(exports, section, source));

    it(`is that of the sample ${source}/${name} under a demanding mapping`, () =>
      expectSamePlan(exports, `${demanding}${section}`, source));
  }

  it('is that of any generated export', async () => {
    const shape = fc.record({
      seed: fc.nat(),
      messages: fc.integer({ min: 0, max: 120 }),
      people: fc.integer({ min: 2, max: 6 }),
      channels: fc.integer({ min: 1, max: 3 }),
      directs: fc.integer({ min: 0, max: 1 }),
      groupDirects: fc.integer({ min: 0, max: 1 }),
    });
    const property = fc.asyncProperty(shape, fc.boolean(), async (generated, isDemanding) => {
      const { folder } = makeExport(join(home.make(), 'export'), generated);
      await expectSamePlan([folder], isDemanding ? demanding : '');
    });
    await fc.assert(property, { numRuns: isNightly ? 50 : 5 });
  });

  it('equals the plan of exports that overlap, describe people late, and contain versions of one message', async () => {
    const [first, second] = [join(home.make(), 'first'), join(home.make(), 'second')];
    const row = message('1709251200.000100', userId(1), 'before');
    writeFiles(first, {
      'users.json': [user(userId(1), 'Ann')],
      'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1)] }],
      'general/2024-03-01.json': [row, message('1709251201.000100', userId(2), `<@${userId(3)}> hello`), null],
    });
    writeFiles(second, {
      'users.json': [user(userId(1), 'Ann Lee'), user(userId(2), 'Bob'), user(userId(3), 'Cy')],
      'channels.json': [{ id: 'C00000001', name: 'general', members: [userId(1), userId(2)] }],
      'general/2024-03-01.json': [{ ...row, text: 'after', edited: { user: userId(1), ts: '1709251300.000000' } }, row],
      'general/2024-03-02.json': [message('1709337600.000100', userId(3), 'later'), row],
    });
    const path = join(home.make(), 'both.ndjson');
    await convertTo(path, [first, second]);
    for (const rules of ['', demanding]) {
      const mapping = join(home.make(), 'rules.yaml');
      writeFileSync(mapping, rules);
      const converted = await staged([path], mapping);
      expect(converted).toEqual(await staged([first, second], mapping));
      expect(converted.messages.filter((row) => (row as { verdict: string }).verdict === 'duplicate').length).toBe(3);
    }
  });

  it('is that of the export when it is converted twice, and packed', async () => {
    const { folder } = makeExport(join(home.make(), 'export'), { seed: 3, messages: 50 });
    const [once, twice] = [join(home.make(), 'once.ndjson.gz'), join(home.make(), 'twice.ndjson')];
    await convertTo(once, [folder]);
    await convertTo(twice, [once]);
    expect(await staged([twice])).toEqual(await staged([folder]));
    // The header alone differs: only a source of another kind is known before its first message.
    const linesOf = (text: Buffer) => text.toString().split('\n').slice(1);
    expect(linesOf(readFileSync(twice))).toEqual(linesOf(gunzipSync(readFileSync(once))));
  });
});

describe('convert()', () => {
  const small = () => makeExport(join(home.make(), 'export'), { seed: 1, messages: 20 }).folder;

  it('counts what it reads and writes, and both counts match the file', async () => {
    const path = join(home.make(), 'out.ndjson');
    const done = await convertTo(path, ['samples/slack/damaged-rows/export']);
    const kinds = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    const count = (kind: string) => kinds.filter((other) => other === kind).length;
    expect(done).toMatchObject({ source: 'slack', read: 15, messages: count('message'), invalid: count('invalid') });
    expect(done).toMatchObject({ people: count('user'), conversations: count('conversation'), lines: kinds.length });
    expect(done.read).toBe(done.messages + done.invalid);
    expect(done.lines).toBe(1 + done.people + done.conversations + done.messages + done.invalid + done.problems);
    expect(done.bytes).toBe(statSync(path).size);
    expect(done.files).toEqual({ shared: 3, rows: 4, skipped: 0, unknown: 1 });
  });

  it('keeps the place of what could not be read, and of files that are not part of the export', async () => {
    const path = join(home.make(), 'out.ndjson');
    await convertTo(path, ['samples/slack/damaged-rows/export']);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('"kind":"invalid","code":"not-an-object"');
    expect(text).toContain('"at":"general/2026-03-02.json#/1","conversation":"C05GENERAL"');
    expect(text).toMatch(/"kind":"problem","code":"unknown-file".*"at":"/);
  });

  it('writes a file that only its owner can read, and no other files', async () => {
    const folder = home.make();
    await convertTo(join(folder, 'out.ndjson'), [small()]);
    expect(readdirSync(folder)).toEqual(['out.ndjson']);
    expect(statSync(join(folder, 'out.ndjson')).mode & 0o777).toBe(0o600);
  });

  it('does not overwrite a file unless it is allowed to, and then replaces the target of a link', async () => {
    const folder = home.make();
    const [path, link] = [join(folder, 'out.ndjson'), join(folder, 'link.ndjson')];
    writeFileSync(path, 'mine');
    symlinkSync(path, link);
    const exports = [small()];
    await expect(convertTo(path, exports)).rejects.toThrow('it exists already');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    await convertTo('', exports, { to: { path: link, mayReplace: true } });
    expect(readFileSync(path, 'utf8')).toContain('"kind":"chatferry"');
    expect(readdirSync(folder).sort()).toEqual(['link.ndjson', 'out.ndjson']);
  });

  it.each([
    ['a folder', '.', 'found a folder or a device'],
    ['a place in no folder', 'nowhere/out.ndjson', 'its folder does not exist'],
  ])('refuses %s', async (_, name, words) => {
    await expect(convertTo(join(home.make(), name), [small()])).rejects.toThrow(words);
  });

  it('refuses to write into the export, or over it', async () => {
    const folder = small();
    await expect(convertTo(join(folder, 'out.ndjson'), [folder])).rejects.toThrow('lie inside it');
    const file = join(home.make(), 'a.ndjson');
    await convertTo(file, [folder]);
    const to = { path: file, mayReplace: true };
    await expect(convertTo(file, [file], { to })).rejects.toThrow('replace the export');
  });

  it('leaves no file if it is stopped or cannot read the rest of the export', async () => {
    const folder = home.make();
    const stop = new AbortController();
    const progress = { stage: () => ({ update: () => stop.abort(new Error('enough')), finish() {} }) };
    const stopped = convertTo(join(folder, 'out.ndjson'), [small()], { progress, signal: stop.signal });
    await expect(stopped).rejects.toThrow('enough');
    const bad = join(home.make(), 'bad.ndjson');
    writeFileSync(
      bad,
      '{"kind":"chatferry","version":1}\n{"kind":"user","id":"a","name":"A"}\n{"kind":"chatferry","version":7}\n',
    );
    await expect(convertTo(join(folder, 'out.ndjson'), [bad])).rejects.toThrow(SourceError);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses to join two workspaces, which a store could not hold together', async () => {
    const [a, b] = ['T1', 'T2'].map((team) => {
      const folder = join(home.make(), 'export');
      writeFiles(folder, {
        'users.json': [{ ...user(userId(1)), team_id: team }],
        'channels.json': [{ id: 'C00000001', name: 'general' }],
        'general/2024-03-01.json': [message('1709251200.000100', userId(1), 'hi')],
      });
      return folder;
    });
    await expect(convertTo(join(home.make(), 'out.ndjson'), [a!, b!])).rejects.toThrow(
      'workspace "T1" and of workspace "T2"',
    );
  });

  it('writes into a stream, waits for its reader, and notices when that goes away', async () => {
    const exports = [makeExport(join(home.make(), 'export'), { seed: 2, messages: 3000 }).folder];
    const path = join(home.make(), 'out.ndjson');
    await convertTo(path, exports);
    const taken: Buffer[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _, done) => {
        taken.push(chunk);
        setImmediate(done);
      },
    });
    expect(await convertTo('', exports, { to: { stream: slow } })).toMatchObject({ isComplete: true });
    expect(Buffer.concat(taken).equals(readFileSync(path))).toBe(true);
    const gone = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
    });
    gone.on('error', () => {});
    expect(await convertTo('', exports, { to: { stream: gone } })).toMatchObject({ isComplete: false });
  });

  it('names the export with an error if there are several', async () => {
    const path = join(home.make(), 'out.ndjson');
    const damaged = makeExport(join(home.make(), 'damaged'), { seed: 9, messages: 5 }).folder;
    writeFileSync(join(damaged, 'stray.txt'), 'tea');
    await convertTo('', [damaged, small()], { to: { path, mayReplace: true } });
    expect(readFileSync(path, 'utf8')).toContain('"at":"damaged/stray.txt"');
  });

  it("uses the source's options of the mapping, which say nothing to the plan of the file", async () => {
    await expectSamePlan(['samples/slack/every-feature/export'], 'source: { includeUnfurls: true }');
    const rules = join(home.make(), 'rules.yaml');
    writeFileSync(rules, 'source: { nonsense: true }\n');
    const refused = convertTo(join(home.make(), 'out.ndjson'), [small()], { mapping: await loadMapping(rules) });
    await expect(refused).rejects.toThrow('Cannot use the mapping for source "slack"');
  });
});

it('a store continues with a converted file that grew, as with the export', async () => {
  const folder = home.make();
  mkdirSync(join(folder, 'export'));
  const grow = (messages: number) =>
    makeExport(join(folder, 'export'), { seed: 5, messages, channels: 1, directs: 0, groupDirects: 0 });
  const path = join(folder, 'out.ndjson');
  const clock = new VirtualClock(Date.UTC(2026, 5, 1));
  const store = openStore(join(folder, 'chatferry.db'), { command: 'plan', nowMs: clock.now() });
  const counts = [];
  for (const messages of [10, 10, 30]) {
    grow(messages);
    await convertTo('', [join(folder, 'export')], { to: { path, mayReplace: true } });
    await plan(store, {
      exports: [path],
      mapping: await loadMapping(undefined),
      allowMappingChange: false,
      profile: profiles.spec,
      clock,
      progress: silent,
      signal: never,
    });
    counts.push(
      databaseOf(store).prepare('SELECT count(*), count(DISTINCT muid), count(payload) FROM message').raw().get(),
    );
  }
  store.close();
  expect(counts[1]).toEqual(counts[0]);
  expect(counts[2]).toEqual([30, 30, expect.any(Number)]);
});

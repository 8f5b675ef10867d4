import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { importExport, verifyDestination } from '../../src/run/session.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { apiKey } from './bench.ts';
import { makeExport } from './make-export.ts';
import { sessionRequest } from './session-request.ts';
import { temporaryFolder } from './temporary-folder.ts';

const home = temporaryFolder();

interface Row {
  readonly id: number;
  readonly muid: string;
  readonly data: string;
}

/** Six messages of one conversation, well inside it: each change has one of its own. */
function tamper(path: string): Record<'gone' | 'twice' | 'altered' | 'moved', string> {
  const db = new Database(path);
  const [conversation] = db
    .prepare('SELECT conversation FROM message GROUP BY conversation ORDER BY count(*) DESC LIMIT 1')
    .pluck()
    .all() as number[];
  const rows = db
    .prepare<[number], Row>('SELECT id, muid, data FROM message WHERE conversation = ? ORDER BY id')
    .all(conversation!);
  const at = (index: number): Row => rows[index]!;
  const [gone, twice, altered, foreign, first, second] = [at(5), at(10), at(15), at(20), at(25), at(26)];
  const columns = 'conversation, sender, receiver, receiver_type, category, type, tags, sent_at';
  const copy = `INSERT INTO message (muid, data, ${columns}) SELECT ?, ?, ${columns} FROM message WHERE id = ?`;
  db.prepare('DELETE FROM message WHERE id = ?').run(gone.id);
  db.prepare(copy).run(twice.muid, twice.data, twice.id);
  db.prepare('UPDATE message SET data = ? WHERE id = ?').run(altered.data.replace(' end"', ' enD"'), altered.id);
  db.prepare(copy).run('someone-elses', '{"text":"hello"}', foreign.id);
  const move = db.prepare('UPDATE message SET id = ? WHERE id = ?');
  for (const [to, from] of [
    [-1, first.id],
    [first.id, second.id],
    [second.id, -1],
  ])
    move.run(to, from);
  db.close();
  return { gone: gone.muid, twice: twice.muid, altered: altered.muid, moved: first.muid };
}

it('verify finds each of five changes at once, by name, at the server and not in the sandbox of the rehearsal', async () => {
  const folder = home.make();
  const made = makeExport(join(folder, 'export'), {
    seed: 21,
    messages: 400,
    channels: 2,
    directs: 2,
    groupDirects: 1,
  });
  const data = join(folder, 'server.db');
  const sandbox = createSandbox({ store: openSandboxStore(data), apiKey, profile: 'spec', clock: systemClock });
  const served = await serveSandbox(sandbox);
  onTestFinished(async () => {
    await served.close(100);
    sandbox.close();
  });
  const here = await sessionRequest(folder);
  const there = await sessionRequest(folder, { to: served.url, apiKey: new Secret(apiKey) });
  expect((await importExport(here)).exit).toBe(0);
  expect((await importExport(there)).exit).toBe(0);

  const clean = { same: made.planned, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 };
  const untouched = await verifyDestination(there);
  expect(untouched).toMatchObject({ exit: 0, report: { verify: clean, differences: [] } });

  const { gone, twice, altered, moved } = tamper(data);
  const { report, exit } = await verifyDestination(there);
  expect(exit).toBe(6);
  expect(report.verify).toEqual({
    ...{ same: made.planned - 3, missing: 1, extra: 0, different: 2, duplicated: 1, foreign: 1 },
  });
  expect(report.differences.map(({ kind, muid }) => `${kind} ${muid}`).sort()).toEqual(
    [`missing ${gone}`, `duplicated ${twice}`, `different ${altered}`, `different ${moved}`].sort(),
  );
  expect(report.differences.find(({ muid }) => muid === altered)?.detail).toContain('text');
  expect(report.differences.find(({ muid }) => muid === moved)?.detail).toContain('order');
  expect(await verifyDestination(here)).toMatchObject({ exit: 0, report: { verify: clean, differences: [] } });
});

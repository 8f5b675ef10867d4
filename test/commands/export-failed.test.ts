import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/lib/secret.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { explainId } from '../../src/commands/check.ts';
import { exportFailed, retryRefused } from '../../src/commands/repair.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { apiKey, never } from '../scenes/bench.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { servedFaulty } from '../scenes/served-sandbox.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const [ann, bob, cem] = [userId(1), userId(2), userId(3)];
const ts = (second: number) => `${1_709_251_200 + second}.000100`;

/** Two good messages, one that says nothing, one that has no time, one that is no message at all. */
const rows = [
  message(ts(1), ann, 'first'),
  message(ts(2), bob, ' ', { reactions: [{ name: 'tada', users: [cem], count: 1 }] }),
  message(ts(3), ann, 'third'),
  { type: 'message', text: 'when was this?', user: bob },
  'no message',
];

function exported(): string {
  const folder = home.make();
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann'), user(bob, 'Bob'), user(cem, 'Cem')],
    'channels.json': [{ id: 'C00000001', name: 'one', members: [ann, bob] }],
    'one/2024-03-01.json': rows,
  });
  return folder;
}

async function written(folder: string, exports: readonly string[] = []) {
  const path = join(folder, 'failed.ndjson');
  const to = { path, mayReplace: true };
  const counts = await exportFailed({
    store: join(folder, 'chatferry.db'),
    exports,
    to,
    progress: silent,
    signal: never,
  });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects of a line
  return { path, counts, lines: lines.map((line) => JSON.parse(line) as any) };
}

/** Writes the file again, each message changed as the person wants it. */
// biome-ignore lint/suspicious/noExplicitAny: lines of any kind
function correct(path: string, lines: readonly any[], text: string): void {
  const corrected = lines.map((line) => JSON.stringify(line.kind === 'message' ? { ...line, text } : line));
  writeFileSync(path, `${corrected.join('\n')}\n`);
}

describe('export-failed', () => {
  it('writes readable rows as records with the reason, after the people and conversations they name, and lists the rest with its text', async () => {
    const folder = exported();
    const { report } = await importExport(await sessionRequest(folder));
    expect(report.totals).toMatchObject({ read: 5, invalid: 3, imported: 2 });
    const { counts, lines } = await written(folder);
    expect(counts).toMatchObject({ messages: 1, unreadable: 2, isComplete: true });
    expect(lines.map(({ kind }) => kind)).toEqual([
      ...['chatferry', 'user', 'user', 'conversation', 'message', 'problem', 'problem'],
    ]);
    expect(lines[0]).toMatchObject({ source: 'slack' });
    expect(lines.filter(({ kind }) => kind === 'user').map(({ id }) => id)).toEqual([bob, cem]);
    expect(lines[4]).toMatchObject({
      origin: { id: ts(2) },
      fault: { at: 'one/2024-03-01.json#/1', reason: expect.any(String) },
    });
    expect(lines[5]).toMatchObject({ at: 'one/2024-03-01.json#/3', raw: JSON.stringify(rows[3]) });
    expect(lines[6]).toMatchObject({ at: 'one/2024-03-01.json#/4', raw: '"no message"' });
  });

  it('corrected, is planned into the same store under the same id, and the message is sent once, as late', async () => {
    const folder = exported();
    await importExport(await sessionRequest(folder));
    const { path, lines } = await written(folder);
    correct(path, lines, 'second, corrected');
    const { report } = await importExport(await sessionRequest(folder, { from: [path] }));
    expect(report.totals).toMatchObject({ read: 5, invalid: 2, imported: 3, pending: 0, late: 1, duplicates: 1 });
    expect(report.problems.map(({ code, count }) => `${code} ${count}`)).toEqual(['missing-ts 1', 'not-an-object 1']);
    const contents = sandboxContents(join(folder, 'chatferry.sandbox.db')).get('group_c00000001');
    expect(contents).toEqual(['first', 'third', 'second, corrected']);
    const [story] = await explainId(join(folder, 'chatferry.db'), ts(2), never);
    expect(story).toMatchObject({
      location: 'failed.ndjson:5',
      verdict: 'planned',
      record: { text: 'second, corrected' },
    });
    // The export does not take the correction back.
    const again = await importExport(await sessionRequest(folder));
    expect(again.report.totals).toMatchObject({ read: 5, invalid: 2, imported: 3 });
    writeFiles(join(folder, 'export'), { 'one/2024-03-01.json': [...rows, message(ts(9), ann, 'last')] });
    const grown = await importExport(await sessionRequest(folder));
    expect(grown.report.totals).toMatchObject({ read: 6, invalid: 2, imported: 4 });
    expect(sandboxContents(join(folder, 'chatferry.sandbox.db')).get('group_c00000001')).toEqual([
      ...contents!,
      'last',
    ]);
  });

  it('as it was written changes nothing in the totals', async () => {
    const folder = exported();
    const { report: before } = await importExport(await sessionRequest(folder));
    const { path } = await written(folder);
    const { report } = await importExport(await sessionRequest(folder, { from: [path] }));
    expect(report.totals).toEqual({ ...before.totals, duplicates: 1 });
    expect((await written(folder)).counts).toMatchObject({ messages: 1, unreadable: 2 });
  });

  it('includes messages that a destination rejected, and retry sends them as corrected', async () => {
    const folder = exported();
    const served = await servedFaulty(folder);
    served.sandbox.plan = { rules: [{ answer: 'items-refused', operations: ['importMessages'], times: 1, share: 1 }] };
    const there = { to: served.url, apiKey: new Secret(apiKey) };
    const request = await sessionRequest(folder, there);
    expect((await importExport(request)).report.totals).toMatchObject({ failed: 2 });
    served.sandbox.plan = { rules: [] };
    const { path, lines, counts } = await written(folder);
    expect(counts).toMatchObject({ messages: 3, unreadable: 2 });
    expect(lines.find(({ text }) => text === 'first').fault.code).toBe('ERR_OPERATION_FAILED');
    correct(path, lines, 'corrected');
    const planned = await importExport(await sessionRequest(folder, { ...there, from: [path] }));
    expect(planned.report.totals).toMatchObject({ failed: 2, imported: 1, invalid: 2 });
    expect(planned.report.drift).toBeUndefined();
    const { report } = await retryRefused({ ...request, ids: [], confirm: async () => true });
    expect(report.totals).toMatchObject({ failed: 0, imported: 3 });
    expect(sandboxContents(served.data).get('group_c00000001')).toEqual(['corrected', 'corrected', 'corrected']);
  });

  it('is an export of its own for a new store', async () => {
    const folder = exported();
    await planExport(await sessionRequest(folder));
    const { path, lines } = await written(folder);
    correct(path, lines, 'second');
    const { report } = await planExport(await sessionRequest(folder, { store: join(folder, 'new.db'), from: [path] }));
    expect(report.totals).toMatchObject({ read: 1, planned: 1 });
  });

  it('reads a moved export at the path you pass, and reports a missing one', async () => {
    const folder = exported();
    await planExport(await sessionRequest(folder));
    const moved = exported();
    const db = join(folder, 'chatferry.db');
    const to = { path: join(folder, 'failed.ndjson'), mayReplace: false };
    const { counts } = await written(folder, [join(moved, 'export')]);
    expect(counts).toMatchObject({ messages: 1, unreadable: 2 });
    rmSync(join(folder, 'export'), { recursive: true });
    rmSync(to.path);
    const lost = exportFailed({ store: db, exports: [], to, progress: silent, signal: never });
    await expect(lost).rejects.toMatchObject({ name: 'SourceError', hint: expect.stringContaining('Name it') });
    expect(existsSync(to.path)).toBe(false);
  });

  it('of another origin, or under another mapping, is not accepted as a correction', async () => {
    const folder = exported();
    await planExport(await sessionRequest(folder));
    const { path, lines } = await written(folder);
    const mapping = 'messages: { tags: [moved] }';
    const otherRules = planExport(await sessionRequest(folder, { from: [path], mapping, allowMappingChange: true }));
    await expect(otherRules).rejects.toThrow('Cannot plan corrections under another mapping');
    const foreign = lines
      .filter(({ kind }) => kind !== 'chatferry')
      .map((line) =>
        JSON.stringify(line.kind === 'message' ? { ...line, origin: { ...line.origin, source: 'teams' } } : line),
      );
    writeFileSync(path, foreign.join('\n'));
    const other = planExport(await sessionRequest(folder, { from: [path] }));
    await expect(other).rejects.toThrow('its messages come from source "slack", this export has messages from "teams"');
    expect((await planExport(await sessionRequest(folder))).report.totals).toMatchObject({ read: 5, invalid: 3 });
  });
});

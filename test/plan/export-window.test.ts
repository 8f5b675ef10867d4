import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MessageRecord } from '../../src/model/records.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { driftScene, first } from '../scenes/drift-scene.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { channel, says } from '../scenes/write-records.ts';

const home = temporaryFolderInMemory();
const recent = { exportScope: 'window' } as const;
const codes = (report: { readonly problems: readonly { readonly code: string }[] }) =>
  report.problems.map(({ code }) => code);

/** Everything that was ever read is there, and nothing of it changed. */
const hasNoDrift = (count: number) => (report: ReportData) =>
  report.drift === undefined && report.totals.read === count && report.totals.imported === count;

/** Six messages are in the sandbox; the export then holds these. */
async function windowed(messages: readonly MessageRecord[], changes = {}) {
  const scene = driftScene(home.make());
  scene.write();
  await scene.import();
  scene.write(messages);
  const { report } = await scene.import({ ...recent, ...changes });
  return { scene, report };
}

describe('an export of the last days', () => {
  it('does not delete what has left it', async () => {
    const { scene, report } = await windowed([...first.slice(3), says(7, 'general', 'ann', 'seven')]);
    expect(report.drift).toBeUndefined();
    expect(report.totals).toMatchObject({ read: 7, planned: 7, imported: 7 });
    expect(codes(report)).not.toContain('export-gap');
    // Nor does the next one, nor one without anything of the conversation.
    scene.write([...first.slice(5), says(7, 'general', 'ann', 'seven'), says(8, 'general', 'ann', 'eight')]);
    expect((await scene.import(recent)).report).toSatisfy(hasNoDrift(8));
    scene.write([]);
    expect((await scene.import(recent)).report).toSatisfy(hasNoDrift(8));
    expect(scene.rows('SELECT DISTINCT vanished FROM message')).toEqual([0]);
  });

  it('deletes messages missing inside its window', async () => {
    const { report } = await windowed([first[2]!, ...first.slice(4)]);
    expect(report.drift!.kinds).toEqual({ deleted: 1 });
    expect(report.totals).toMatchObject({ read: 6, imported: 6 });
  });

  it('deletes everything that it lacks if it is declared complete', async () => {
    const { report } = await windowed(first.slice(3), { exportScope: 'full' });
    expect(report.drift!.kinds).toEqual({ deleted: 3 });
  });

  it('still sends what left it before it was sent', async () => {
    const scene = driftScene(home.make());
    scene.write();
    await scene.plan(recent);
    scene.write(first.slice(4));
    const { report } = await scene.import(recent);
    expect(report.totals).toMatchObject({ read: 6, imported: 6 });
    expect(scene.texts()).toEqual(first.map(({ text }) => text));
  });

  it('checks each conversation separately', async () => {
    const scene = driftScene(home.make());
    const other = [says(21, 'other', 'ann', 'a'), says(22, 'other', 'bob', 'b'), says(23, 'other', 'bob', 'c')];
    scene.write([channel('other'), ...first, ...other]);
    await scene.import();
    scene.write([channel('other'), ...first.slice(3), other[0]!, other[2]!]);
    expect((await scene.import(recent)).report.drift!.kinds).toEqual({ deleted: 1 });
  });

  it('of day files forgets no missing day', async () => {
    const folder = home.make();
    const scene = { ...driftScene(folder), exports: [join(folder, 'export')] };
    const [ann, bob] = [userId(1), userId(2)];
    const ts = (day: number) => `${Date.UTC(2024, 2, day) / 1000}.000100`;
    const days = [1, 2, 3, 4];
    const file = (day: number) => `general/2024-03-0${day}.json`;
    writeFiles(join(folder, 'export'), {
      'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
      'channels.json': [{ id: 'C00000001', name: 'general', members: [ann, bob] }],
      ...Object.fromEntries(days.map((day) => [file(day), [message(ts(day), ann, `day ${day}`)]])),
    });
    const { exports } = scene;
    await scene.import({ from: exports });
    for (const day of [1, 2]) rmSync(join(folder, 'export', file(day)));
    const { report } = await scene.import({ from: exports, ...recent });
    expect(report).toSatisfy(hasNoDrift(4));
    rmSync(join(folder, 'export', file(3)));
    writeFiles(join(folder, 'export'), { [file(5)]: [message(ts(5), bob, 'day 5')] });
    const last = await scene.import({ from: exports, ...recent });
    expect(last.report).toSatisfy(hasNoDrift(5));
    expect(codes(last.report)).not.toContain('export-gap');
  });
});

describe('the check export-gap', () => {
  it('reports the gap between known messages and the start of an export, until it is filled', async () => {
    const later = [says(60, 'general', 'ann', 'sixty'), says(61, 'general', 'bob', 'sixty-one')];
    const { scene, report } = await windowed(later);
    const gap = {
      code: 'export-gap',
      severity: 'information',
      count: 1,
      examples: [{ location: 'general', detail: 'nothing between 2024-03-01T12:00:06Z and 2024-03-01T12:01:00Z' }],
    };
    expect(report.problems).toContainEqual(expect.objectContaining(gap));
    scene.write([...later, says(62, 'general', 'ann', 'sixty-two')]);
    expect((await scene.import(recent)).report.problems).toContainEqual(expect.objectContaining(gap));
    scene.write([says(30, 'general', 'ann', 'thirty'), ...later]);
    expect(codes((await scene.import({ ...recent, outOfOrder: 'allow' })).report)).not.toContain('export-gap');
  });

  it('says nothing of an export that overlaps, of a new conversation, or where everything is kept', async () => {
    const later = says(60, 'general', 'ann', 'sixty');
    expect(codes((await windowed([first[5]!, later])).report)).not.toContain('export-gap');
    expect(codes((await windowed([first[5]!, says(70, 'new', 'ann', 'hello')])).report)).not.toContain('export-gap');
    expect(codes((await windowed([later], { exportScope: 'full' })).report)).not.toContain('export-gap');
  });
});

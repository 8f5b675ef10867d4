import { expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import type { Progress } from '../../src/lib/flow/progress.ts';
import { change, serverScene } from '../scenes/server-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** Records the updates of the sending stage. */
function watching() {
  const told: { readonly done: number; readonly failed?: number }[] = [];
  const progress: Progress = {
    stage: (name) => ({
      update: (state) => void (name === 'Sending' && told.push(state)),
      finish() {},
    }),
  };
  return { told, progress };
}

it('reports failures while it sends: rejected by the destination, or existing with other content', async () => {
  const scene = await serverScene(home.make());
  const { request, data, sandbox } = scene;
  await importExport(request);
  change(data, `UPDATE message SET data = json_set(data, '$.text', 'changed by hand') WHERE id % 4 = 0`);
  change(data, 'DELETE FROM message WHERE id % 4 = 1');
  sandbox.plan = { rules: [{ answer: 'items-refused', operations: ['importMessages'], share: 0.5, code: 'ERR_NO' }] };

  const { told, progress } = watching();
  const store = `${request.store}.new`;
  const { report } = await importExport({ ...request, store, progress, maxFailureShare: 1 });
  const { failed, planned } = report.totals;
  expect(report.totals.existing).toBeGreaterThan(0);
  const codes = report.failed.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['different-content', 'ERR_NO']));
  expect(told.at(-1)).toMatchObject({ done: planned, failed });
  expect(told.every(({ done, failed: soFar = 0 }) => soFar <= failed && done <= planned)).toBe(true);
  expect(new Set(told.map((state) => state.failed)).size).toBeGreaterThan(2);
});

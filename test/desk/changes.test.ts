import { describe, expect, it } from 'vitest';
import { changeFiles } from '../../src/desk/answers/changes.ts';
import { Workspace } from '../../src/desk/files/workspace.ts';
import { Busy } from '../../src/desk/runs/runner.ts';
import { optionsSchema } from '../../src/config/options.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** The files of a migration, and a run that can begin. */
function scene() {
  const folder = home.make();
  const store = `${folder}/chatferry.db`;
  const readOptions = () => optionsSchema().parse({ store, mapping: `${folder}/mapping.yaml` });
  const workspace = new Workspace({ folder, exports: ['x'], configPath: `${folder}/chatferry.yaml`, readOptions });
  const run = { isBusy: false, now: () => null };
  const parts = { workspace, runner: run, follower: { isHeld: async () => false } } as unknown as Parameters<
    typeof changeFiles
  >[0];
  return { workspace, run, parts, version: workspace.version() };
}

describe('changes of files', () => {
  it('end before a run begins that was asked for after them', async () => {
    const { workspace, parts, version } = scene();
    const events: string[] = [];
    const written = Promise.withResolvers<void>();
    const change = changeFiles(parts, version, async () => {
      await written.promise;
      events.push('changed');
    });
    const begun = workspace.inTurn(async () => events.push('begun'));
    written.resolve();
    await Promise.all([change, begun]);
    expect(events).toEqual(['changed', 'begun']);
  });

  it('are refused if a run began while they waited for their turn', async () => {
    const { workspace, run, parts, version } = scene();
    const begun = workspace.inTurn(async () => {
      run.isBusy = true;
    });
    const change = changeFiles(parts, version, async () => 'changed');
    await begun;
    await expect(change).rejects.toThrow(Busy);
  });

  it('go on after one that failed', async () => {
    const { parts, version } = scene();
    const failed = changeFiles(parts, version, () => Promise.reject(new Error('The disk is full')));
    const next = changeFiles(parts, version, async () => 'changed');
    await expect(failed).rejects.toThrow('The disk is full');
    expect(await next).toBe('changed');
  });
});

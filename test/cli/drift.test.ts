import { describe, expect, it } from 'vitest';
import { driftScene, first, withChanged } from '../scenes/drift-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { noonMs, says } from '../scenes/write-records.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

describe('an export that keeps changing while a user plans and imports it', () => {
  it('is reported, sent as follow-ups, and included in the totals', async () => {
    const folder = home.make();
    const scene = driftScene(folder);
    scene.write();
    expect(await runJson(['import', scene.path], { folder })).toMatchObject({
      code: 0,
      json: { imported: 6, drift: {} },
    });

    const early = says(2.5, 'general', 'ann', 'late', { sentAtMs: noonMs + 2_500, sortKey: '000002.5' });
    scene.write([...withChanged(1, { text: 'better' }), early]);
    const planned = await run(['plan', scene.path, '--drift', 'send'], { folder });
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(/Drift +1: 1 edited; 1 noticed/) });
    expect(planned.stdout).toMatch(/2 messages are ready to go/);

    const args = ['import', scene.path, '--drift', 'send', '--out-of-order', 'reject'];
    expect(await runJson(args, { folder })).toMatchObject({
      code: 3,
      json: { imported: 6, failed: 1, late: 0, drift: { edited: 1 }, followUps: { planned: 1, imported: 1 } },
    });
    expect(scene.texts()).toEqual([
      ...first.map(({ text }) => text),
      'Edited (message of 2024-03-01 12:00 UTC): better',
    ]);
    expect(await runJson(['verify'], { folder })).toMatchObject({ code: 0, json: { verify: { same: 7, missing: 0 } } });

    const explained = await run(['explain', 'm1'], { folder });
    expect(explained.stdout).toMatch(
      /edited +at the source after it was sent to .*\(send, reported in m1[a-z2-7]{25}\)/,
    );
    expect(explained.stdout).toMatch(/follows +m1[a-z2-7]{25}: says how that message changed/);
  });

  it('keeps what has left its window, and is asked for by a configuration file too', async () => {
    const folder = home.make();
    const scene = driftScene(folder);
    scene.write();
    await run(['import', scene.path], { folder });
    scene.write(first.slice(4));
    expect(await runJson(['plan', scene.path, '--export-scope', 'window'], { folder })).toMatchObject({
      code: 0,
      json: { read: 6, imported: 6, drift: {} },
    });
    const refused = await run(['plan', scene.path, '--drift', 'sometimes'], { folder });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--drift') });
  });
});

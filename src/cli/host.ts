import { readFileSync, fstatSync, writeSync } from 'node:fs';
import { type Readable, Writable } from 'node:stream';
import type { DeskRequest } from '../desk/desk.ts';
import { type Clock, systemClock } from '../lib/flow/clock.ts';
import type { StartedProgram } from '../lib/started-program.ts';

/** Standard output or standard error; properties of a terminal are missing if it is not one. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** By which a run is asked to stop: Ctrl-C, and what service managers send. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/**
 * The process as the program sees it: the settings around it, where it reads and writes, the time, how it is asked to stop and
 * how it ends. Nothing else in `cli/` touches `process`, so that a test can run the whole program in itself, with a host of its own.
 *
 * Paths on the command line are not part of it: they are relative to the working folder of the process that runs the program.
 */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Everything that standard input delivers, as text. Waits for its end, and can be asked once. */
  readInput(): string;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  on(signal: StopSignal, listener: () => void): void;
  off(signal: StopSignal, listener: () => void): void;
  /** Acts as Ctrl-C, for when a terminal delivers that as a key. */
  interrupt(): void;
  /** The same for another process, by its id. */
  interruptOther(pid: number): void;
  /** Runs this program again, as a process of its own, with other arguments. */
  startAgain(args: readonly string[]): Promise<StartedProgram>;
  readonly startDeskThread?: DeskRequest['startThread'];
  /** Sets a variable of the environment, for this process and those that it starts from now on; undefined removes it. */
  setVariable(name: string, value: string | undefined): void;
  /** Ends at once, whatever is under way. */
  exit(code: number): void;
  /** Exit code of the program once nothing is left to do. */
  exitCode: number;
}

export function processHost(): Host {
  const { env, stderr } = process;
  const surroundings = { env, stdout: standardOutput(process.stdout), stderr, clock: systemClock, random: Math.random };
  return {
    ...surroundings,
    // Not before it is wanted: a pipe that Node has begun to read can no longer be read at once.
    get stdin() {
      return process.stdin;
    },
    readInput: () => readFileSync(0, 'utf8'),
    on: (signal, listener) => void process.on(signal, listener),
    off: (signal, listener) => void process.off(signal, listener),
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
    interruptOther: (pid) => void process.kill(pid, 'SIGINT'),
    async startAgain(args) {
      // Few commands do that.
      const { startProgram } = await import('../lib/started-program.ts');
      return startProgram(process.execPath, [...process.execArgv, process.argv[1]!, ...args]);
    },
    setVariable(name, value) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    },
    exit: (code) => process.exit(code),
    get exitCode() {
      return Number(process.exitCode ?? 0);
    },
    set exitCode(code) {
      process.exitCode = code;
    },
  };
}

/** How the user called this program: through npx where npm says so. */
export const programName = process.env.npm_command === 'exec' ? 'npx chatferry' : 'chatferry';

/**
 * Standard output of this process. If it is a file, every byte is written or an error is raised: Node's own stream (26.10) writes
 * once and takes a part for the whole, which cuts the output short without a word when the disk is nearly full.
 */
const standardOutput = (stdout: typeof process.stdout): typeof process.stdout | FileOutput =>
  stdout.isTTY !== true && isFile(stdout.fd) ? new FileOutput(stdout.fd) : stdout;

/** Also a device like `/dev/full`, but neither a pipe nor a socket. */
function isFile(fd: number): boolean {
  const stats = fstatSync(fd, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isCharacterDevice());
}

class FileOutput extends Writable {
  readonly #fd: number;

  constructor(fd: number) {
    super({ decodeStrings: true });
    this.#fd = fd;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(this.#fd, chunk, at);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from './faults.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A run that takes longer says nothing: five minutes. */
const runMsMax = 300_000;

/** Variables that other tests have set, and that would make these run longer or in a different way. */
const notPassedOn = /^(VITEST|CHATFERRY_|GROWING_|NODE_ENV$|TEST$)/;

/** Location of a fault's text. `moved`: not in the file that the list names. */
export type Place = { readonly path: string; readonly moved: boolean } | { readonly notFound: string };

/** Result of a test. */
export type TestRun =
  | { readonly is: 'passed' }
  | { readonly is: 'failed'; readonly file: string; readonly test: string }
  /** Nothing ran, or it broke off: that says nothing about a fault. */
  | { readonly is: 'broken'; readonly why: string };

/** A copy of the tree in a temporary folder, as Git knows it and as it is edited now. Its dependencies are a link. */
export class Tree {
  readonly #folder = mkdtempSync(join(tmpdir(), 'chatferry-mutation-'));

  constructor() {
    const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    for (const path of listed.split('\0').filter((one) => one !== '' && existsSync(join(root, one)))) {
      const copy = join(this.#folder, path);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(root, path), copy);
    }
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
    // Some tests ask Git which files there are.
    execFileSync('sh', ['-c', 'git init --quiet && git add --all'], { cwd: this.#folder, stdio: 'ignore' });
  }

  placeOf({ file, text }: Fault): Place {
    if (this.#countIn(file, text) === 1) return { path: file, moved: false };
    const all = globSync('src/**/*.ts', { cwd: this.#folder });
    const [found, ...others] = all.filter((path) => this.#countIn(path, text) > 0);
    if (found !== undefined && others.length === 0 && this.#countIn(found, text) === 1)
      return { path: found, moved: true };
    return { notFound: found === undefined ? 'nowhere' : `several times, also in ${found}` };
  }

  /** Runs `work` while the fault is in the tree. */
  async withFault<T>(path: string, { text, becomes }: Fault, work: () => Promise<T>): Promise<T> {
    const before = readFileSync(join(this.#folder, path), 'utf8');
    writeFileSync(
      join(this.#folder, path),
      before.replace(text, () => becomes),
    );
    try {
      return await work();
    } finally {
      writeFileSync(join(this.#folder, path), before);
    }
  }

  /** Runs tests until the first that fails. @param name Only that test. */
  async test(paths: readonly string[], name?: string): Promise<TestRun> {
    const results = join(this.#folder, '..', `${this.#folder}.json`);
    rmSync(results, { force: true });
    const only = name === undefined ? [] : ['-t', `^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`];
    const report = ['--reporter', 'json', '--outputFile', results];
    const isOver = await this.#run(['run', ...paths, '--bail', '1', ...only, ...report]);
    if (!isOver) return { is: 'broken', why: `the tests have not ended after ${runMsMax / 60_000} minutes` };
    if (!existsSync(results)) return { is: 'broken', why: 'no test was found, or the run broke off' };
    return readResults(results, this.#folder);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    rmSync(`${this.#folder}.json`, { force: true });
  }

  #countIn(path: string, text: string): number {
    const file = join(this.#folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8').split(text).length - 1 : 0;
  }

  /** @returns Whether it ended by itself. */
  #run(args: readonly string[]): Promise<boolean> {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !notPassedOn.test(name)));
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    // A group of its own, so that what it has started ends with it.
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd: this.#folder,
      env,
      stdio: 'ignore',
      detached: true,
    });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        process.kill(-child.pid!, 'SIGKILL');
        resolve(false);
      }, runMsMax);
      child.on('close', () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}

interface Results {
  readonly success: boolean;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: string[];
      readonly title: string;
    }[];
  }[];
}

function readResults(path: string, folder: string): TestRun {
  const { success, numTotalTests, testResults } = JSON.parse(readFileSync(path, 'utf8')) as Results;
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (!failed) continue;
    return {
      is: 'failed',
      file: name.slice(folder.length + 1),
      test: [...failed.ancestorTitles, failed.title].join(' > '),
    };
  }
  const broken = testResults.find(({ status }) => status === 'failed');
  if (broken) return { is: 'broken', why: `${broken.name.slice(folder.length + 1)}: ${broken.message.split('\n')[0]}` };
  return success && numTotalTests > 0 ? { is: 'passed' } : { is: 'broken', why: 'no test ran' };
}

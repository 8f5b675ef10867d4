import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../../scenes/make-export.ts';
import { type DiskLedger, newLedger } from './ledger.ts';
import { memoryFolder, openScene, type Scene, serverData, type Way } from './scene.ts';
import { type Injection, injecting, runTraced, type TracedEnd } from './traced-client.ts';

export interface SweepOptions {
  /** Path of the program. */
  readonly strace: string;
  /**
   * So many points, spread over ways, calls and faults. If left out: a whole run at every call, and a sample of the other
   * ways; some 1,400 points of a second or two.
   */
  readonly points?: number;
  /** Every second point, from this one on: two processes share a sweep. All of them if left out. */
  readonly half?: 0 | 1;
  /** Decides the export and the points. */
  readonly seed: number;
  readonly onProgress?: (done: number, total: number) => void;
}

type Point = Injection & { readonly way: Way };

/**
 * `plan` is a whole run of 200 messages, read from the export; `import` sends what is planned; `embedded` to its own process; `people` is
 * a whole run with people, groups and members before the messages, and deactivations after them.
 */
const ways: readonly Way[] = ['people', 'plan', 'import', 'embedded'];
/** Number of points for each call and fault, in the ways that are part of another one, or similar to it. */
const sampleSize = 20;
const calls = ['fsync', 'pwrite64'] as const;
const faults = ['SIGKILL', 'EIO', 'ENOSPC'] as const;

/**
 * Breaks the disk at one call of a run of 200 messages: the process is killed there, or the call fails, once or from then
 * on. Then the same command runs again on a disk that works. Each point has a store, a server and two runs of its own.
 */
export async function sweep({ strace, points, half, seed, onProgress }: SweepOptions): Promise<DiskLedger> {
  const ledger = newLedger(half === undefined ? 'write sweep' : `write sweep, half ${half + 1}`);
  const scene = await openScene(memoryFolder(tmpdir()), seed);
  try {
    const groups: Point[][] = [];
    for (const way of ways) groups.push(...(await pointsOf(scene, strace, way)));
    const random = seeded(seed);
    const all = points === undefined ? wholeSweep(groups, random) : choose(groups, points, random);
    const chosen = half === undefined ? all : all.filter((_, index) => index % 2 === half);
    for (const [index, point] of chosen.entries()) {
      await breakAt(ledger, scene, strace, point);
      onProgress?.(index + 1, chosen.length);
    }
    ledger.requests = scene.server.requestCount;
    return ledger;
  } finally {
    await scene.close();
  }
}

/** Every point of one way, in groups of one call and one fault, as many as an unbroken run makes calls. */
async function pointsOf(scene: Scene, strace: string, way: Way): Promise<Point[][]> {
  const client = scene.newClient(way);
  scene.server.begin(serverData(client));
  const trace = join(client, 'trace');
  const { code, stderr } = await runClient(
    scene,
    strace,
    ['--seccomp-bpf', '-o', trace, '-e', `trace=${calls.join()}`],
    client,
    way,
  );
  if (code !== 0) throw new Error(`Cannot sweep: an unbroken run of "${way}" ends with ${code}: ${stderr}`);
  const lines = readFileSync(trace, 'utf8').split('\n');
  const firstThread = lines[0]!.split(' ')[0]!;
  rmSync(client, { recursive: true });
  return calls.flatMap((call) => {
    const count = lines.filter((line) => line.startsWith(firstThread) && line.includes(` ${call}(`)).length;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    return faults.map((fault) =>
      // A kill happens once. Every second one of the other faults lasts.
      numbers.map((number) => ({ way, call, number, fault, lasts: fault !== 'SIGKILL' && number % 2 === 0 })),
    );
  });
}

/** Takes from each group in turn, in random order inside each. */
function choose(groups: readonly (readonly Point[])[], count: number, random: () => number): Point[] {
  const shuffled = groups.map((group) =>
    group
      .map((point) => ({ point, rank: random() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ point }) => point),
  );
  const longest = Math.max(...shuffled.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, index) => shuffled.flatMap((group) => group[index] ?? [])).flat();
  return inTurn.slice(0, count);
}

function wholeSweep(groups: readonly (readonly Point[])[], random: () => number): Point[] {
  return groups.flatMap((group) => (group[0]?.way === 'plan' ? group : choose([group], sampleSize, random)));
}

async function breakAt(ledger: DiskLedger, scene: Scene, strace: string, point: Point): Promise<void> {
  const { way, call, number, fault, lasts } = point;
  const name = `${way}, ${fault} at ${call} ${number}${lasts ? ' and after' : ''}`;
  const client = scene.newClient(way);
  scene.server.begin(serverData(client));
  const end = await runClient(scene, strace, injecting(point), client, way);
  ledger.runs++;
  if (end.isHung) ledger.hung++;
  if (isKilled(end)) ledger.kills++;
  const wrong = whatIsWrong(end, point);
  if (wrong) ledger.problems.push(`${name}: ${wrong}`);
  await scene.server.settle();
  await scene.finish(ledger, name, client, way);
  rmSync(client, { recursive: true });
}

const runClient = (scene: Scene, strace: string, straceOptions: readonly string[], folder: string, way: Way) =>
  runTraced({ strace, straceOptions, args: scene.argumentsOf(way), folder });

const isKilled = ({ code, signal }: TracedEnd) => signal === 'SIGKILL' || code === 137;

/** A run either does not notice (the call was not made, or is none that matters), or says that it is the disk. */
function whatIsWrong(end: TracedEnd, { fault }: Injection): string | undefined {
  if (end.isHung) return 'it does not end';
  if (end.code === 0 || (fault === 'SIGKILL' && isKilled(end))) return undefined;
  if (fault !== 'SIGKILL' && end.code === 7 && !/^\s+at /m.test(end.stderr)) return undefined;
  return `it ends with ${end.signal ?? end.code}: ${end.stderr.slice(0, 1500)}`;
}

import { parseSync, Visitor } from 'oxc-parser';
import { check, type VulnerableDiagnostics } from 'recheck';
import { describe, expect, it } from 'vitest';
import { signatures } from '../../src/sources/signatures/index.ts';
import { readTracked, trackedFiles } from '../repository/tracked-files.ts';

interface Literal {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const literals: Literal[] = trackedFiles()
  .filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
  .flatMap((path) => {
    const code = readTracked(path);
    const found: Literal[] = [];
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const line = code.slice(0, node.start).split('\n').length;
        found.push({ place: `${path}:${line}`, source: node.regex.pattern, flags: node.regex.flags });
      },
    }).visit(parseSync(path, code).program);
    return found;
  });

/** Many stand in several places: each is looked at once. */
const byPattern = (all: readonly Literal[]): readonly Literal[] =>
  [...Map.groupBy(all, ({ source, flags }) => `/${source}/${flags}`).values()].map((same) => ({
    ...same[0]!,
    place: same.map(({ place }) => place).join(', '),
  }));

/** Those that are put together from parts. */
const built: Literal[] = signatures.flatMap(({ platform, marks }) =>
  marks.flatMap(({ lines }) =>
    lines ? [{ place: platform, source: lines.pattern.source, flags: lines.pattern.flags }] : [],
  ),
);

type Attack = Pick<VulnerableDiagnostics['attack'], 'pumps' | 'suffix' | 'base'>;

/** Of the shorter attack, in ms: less is not measured well beside other tests. */
const measurableMs = 2;
const timesMax = 50_000;

/**
 * How many times as long an attack takes that is four times as long: 4 where time is linear, 16 where it is quadratic. It is asked of lengths at which
 * a bounded repetition has reached its bound, and that take a while. The two are timed in turn, and the least of seven counts: what else the machine
 * does weighs little.
 */
function growth(source: string, flags: string, { pumps, suffix, base }: Attack): number {
  const textOf = (times: number) =>
    pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(Math.max(0, times + bias))).join('') + suffix;
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const msOf = (text: string) => {
    const start = performance.now();
    text.replace(pattern, '');
    return performance.now() - start;
  };
  const leastOfThree = (text: string) => Math.min(msOf(text), msOf(text), msOf(text));
  let times = base;
  while (times < timesMax && leastOfThree(textOf(times)) < measurableMs) times *= 2;
  const [short, long] = [textOf(times), textOf(4 * times)];
  // Bounded ones take a few ms at most. What a pattern without bounds may take is beyond what anybody would wait for.
  if (msOf(short) > 100) return Number.POSITIVE_INFINITY;
  const pairs = Array.from({ length: 7 }, () => [msOf(short), msOf(long)] as const);
  return Math.min(...pairs.map(([, ms]) => ms)) / Math.min(...pairs.map(([ms]) => ms));
}

/** One answer of five is enough: noise makes a time look long now and then, and never a quadratic pattern linear. */
const growsLikeItsText = (source: string, flags: string, attack: Attack): boolean =>
  [1, 2, 3, 4, 5].some(() => growth(source, flags, attack) < 8);

/**
 * Large patterns are attacked by chance, and their steps counted: a bounded repetition may then look like one that is not, and its time has to be
 * looked at. What follows from the automaton of a pattern is so.
 */
async function takesLinearTime(source: string, flags: string): Promise<boolean> {
  const found = await check(source, flags, { timeout: 60_000 });
  if (found.status === 'unknown') throw new Error(`Nobody knows how long it takes: ${found.error.kind}`);
  if (found.status === 'safe') return true;
  return found.complexity.isFuzz && growsLikeItsText(source, flags, found.attack);
}

/** Text that others wrote is as long as they like: a pattern that takes quadratic time stops a run at a long line. */
describe('the regular expressions of src', () => {
  it('are found', () => expect(literals.length).toBeGreaterThan(100));

  it.each(byPattern([...literals, ...built]))('take linear time: $place /$source/$flags', async ({ source, flags }) => {
    expect(await takesLinearTime(source, flags)).toBe(true);
  });

  it('would not pass with one that does not', async () => {
    expect(await takesLinearTime('\\s*\\n\\s*', 'g')).toBe(false);
    const newlines = { pumps: [{ prefix: '', pump: '\n', bias: 0 }], suffix: ' ', base: 2000 };
    expect(growsLikeItsText('\\n+x', 'g', newlines)).toBe(false);
    expect(growsLikeItsText('\\s{1,20}\\nx', 'g', newlines)).toBe(true);
  });
});

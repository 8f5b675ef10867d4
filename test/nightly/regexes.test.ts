import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { parseSync, Visitor } from 'oxc-parser';
import { check, type VulnerableDiagnostics } from 'recheck';
import { describe, expect, it } from 'vitest';
import { signatures } from '../../src/sources/signatures.ts';
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

/** Many patterns are in several files. Each is checked once. */
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

type Attack = Pick<VulnerableDiagnostics['attack'], 'pumps' | 'suffix'>;

/** For a check that hangs. The longest one takes 5 s. */
const checkMs = 600_000;

/** Characters of an attack. Quadratic time is 4.5e12 steps of 0.6 ns or more, 45 minutes. */
const attackLength = 3_000_000;
const attackMs = 240_000;

/**
 * The pattern with repetitions of at most two, `{1,200}` as `{1,2}`; `*` and `+` stay. Whether time is linear does not depend on a bound, but the automaton
 * of a pattern with large bounds is too large to decide it.
 */
const withSmallBounds = (source: string): string =>
  source.replace(
    /\\u\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(,?)(\d*)\}/g,
    (all, from?: string, comma?: string, to?: string) => {
      if (from === undefined) return all;
      const bound = (count: string | undefined) => (count ? String(Math.min(Number(count), 2)) : '');
      return `{${bound(from)}${comma}${bound(to)}}`;
    },
  );

const matcher = `
  const { parentPort, workerData: { source, flags, text } } = require('node:worker_threads');
  text.replace(new RegExp(source, flags), '');
  parentPort.postMessage('ended');`;

/** Whether all matches in the text of the attack are found before a thread that searches for them is stopped. */
async function endsOn(source: string, flags: string, { pumps, suffix }: Attack, stopMs = attackMs): Promise<boolean> {
  const pumped = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.ceil(attackLength / pumped);
  const text = pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(times + bias)).join('') + suffix;
  const worker = new Worker(matcher, {
    eval: true,
    workerData: { source, flags: flags.includes('g') ? flags : `${flags}g`, text },
  });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), stopMs);
  try {
    await once(worker, 'message', { signal: stop.signal });
    return true;
  } catch (error) {
    if (stop.signal.aborted) return false;
    throw error;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/**
 * The automaton of a pattern decides. A pattern that looks ahead or behind has none: it is attacked at random, and an attack that seems to be slow is tried
 * in full length.
 */
async function takesLinearTime(source: string, flags: string): Promise<boolean> {
  const short = withSmallBounds(source);
  const found = await check(short, flags, { timeout: checkMs });
  if (found.status === 'unknown') throw new Error(`The check came to no result: ${found.error.kind}`);
  if (found.status === 'safe') return true;
  return found.complexity.isFuzz && (await endsOn(short, flags, found.attack));
}

/** Text that others wrote is as long as they like: a pattern that takes quadratic time stops a run at a long line. */
describe('the regular expressions of src', () => {
  it('are found', () => expect(literals.length).toBeGreaterThan(100));

  it.each(byPattern([...literals, ...built]))('take linear time: $place /$source/$flags', async ({ source, flags }) => {
    expect(await takesLinearTime(source, flags)).toBe(true);
  });

  it('would not pass with one that does not', async () => {
    expect(await takesLinearTime('\\s*\\n\\s*', 'g')).toBe(false);
    expect(await takesLinearTime('a{1,200}a*b', '')).toBe(false);
    const newlines = { pumps: [{ prefix: '', pump: '\n', bias: 0 }], suffix: ' ' };
    // 45 minutes do not pass within a second.
    expect(await endsOn('\\n+x', 'g', newlines, 1000)).toBe(false);
    expect(await endsOn('\\s{1,20}\\nx', 'g', newlines)).toBe(true);
  });
});

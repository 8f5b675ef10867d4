import { parseSync, Visitor } from 'oxc-parser';
import { check, type VulnerableDiagnostics } from 'recheck';
import { assert, describe, expect, it } from 'vitest';
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

/** Those that are put together from parts. */
const built: Literal[] = signatures.flatMap(({ platform, marks }) =>
  marks.flatMap(({ lines }) =>
    lines ? [{ place: platform, source: lines.pattern.source, flags: lines.pattern.flags }] : [],
  ),
);

type Attack = VulnerableDiagnostics['attack'];

/** How many times as long an attack takes that is four times as long: 4 where time is linear, 16 where it is quadratic. The least of five. */
function growth(source: string, flags: string, { pumps, suffix, base }: Attack): number {
  const textOf = (times: number) =>
    pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(Math.max(0, times + bias))).join('') + suffix;
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const msOf = (text: string) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const start = performance.now();
        text.replace(pattern, '');
        return performance.now() - start;
      }),
    );
  return msOf(textOf(base)) / msOf(textOf(Math.ceil(base / 4)));
}

/** Text that others wrote is as long as they like: a pattern that takes quadratic time stops a run at a long line. */
describe('the regular expressions of src', () => {
  it('are found', () => expect(literals.length).toBeGreaterThan(100));

  it.each([...literals, ...built])('take linear time: $place /$source/$flags', async ({ source, flags }) => {
    const found = await check(source, flags, { timeout: 30_000 });
    // Large patterns are attacked by chance, and their steps counted: a bounded repetition may then look like one that is not.
    if (found.status === 'vulnerable') expect(growth(source, flags, found.attack)).toBeLessThan(8);
  });

  it('would not pass with one that does not', async () => {
    const found = await check('\\s*\\n\\s*', 'g');
    assert(found.status === 'vulnerable');
    expect(growth('\\s*\\n\\s*', 'g', found.attack)).toBeGreaterThan(8);
  });
});

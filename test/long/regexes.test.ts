import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';
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

/** Those that are put together from parts. */
const built: Literal[] = signatures.flatMap(({ platform, marks }) =>
  marks.flatMap(({ lines }) =>
    lines ? [{ place: platform, source: lines.pattern.source, flags: lines.pattern.flags }] : [],
  ),
);

/** Text that others wrote is as long as they like: a pattern that takes quadratic time stops a run at a long line. */
describe('the regular expressions of src', () => {
  it('are found', () => expect(literals.length).toBeGreaterThan(100));

  it.each([...literals, ...built])('take linear time: $place /$source/$flags', async ({ source, flags }) => {
    // Large ones are attacked by chance, and counting then takes a bounded repetition for one that is not, one time in some hundreds.
    const isFound = async () => (await check(source, flags, { timeout: 30_000 })).status === 'vulnerable';
    expect((await isFound()) && (await isFound()) && (await isFound())).toBe(false);
  });

  it('would not pass with one that does not', async () => {
    expect((await check('\\s*\\n\\s*', 'g')).status).toBe('vulnerable');
  });
});

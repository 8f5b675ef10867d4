import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

/** Spelled apart, so that this file does not find itself. */
const spell = (...parts: string[]) => parts.join('');

const leftovers: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'unfinished business',
    pattern: new RegExp(spell('\\b(?:TO', 'DO|FIX', 'ME)\\b|(?:\\/\\/|#|\\*)\\s*XX', 'X\\b')),
  },
  { what: 'a test that is switched off or runs alone', pattern: /\b(?:it|test|describe)\.(?:only|skip|todo)\b/ },
  { what: 'a path of one machine', pattern: /(?<![\w.~-])\/(?:home|Users|root|work|farm)\/\w/ },
  {
    what: 'the host of a package registry',
    pattern: new RegExp(spell('registry\\.(?:np', 'mjs|yar', 'npkg)\\.|deb\\.deb', 'ian')),
  },
];

/** Returns whether a text is Chatferry's: exports keep their words, and a lock file is the package manager's. */
const isOurs = (path: string) => !path.startsWith('samples/') && path !== 'package-lock.json';

/** `path:line` of every match. */
function findIn(path: string, text: string, pattern: RegExp): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []));
}

describe('the repository', () => {
  const files = trackedFiles().filter(isOurs);

  it.each(leftovers)('holds nowhere $what', ({ pattern }) => {
    expect(files.flatMap((path) => findIn(path, readTracked(path), pattern))).toEqual([]);
  });
});

describe('the patterns of leftovers', () => {
  it.each([
    [spell('// TO', 'DO later')],
    [spell('// XX', 'X: later')],
    [spell('it.on', 'ly("x", …)')],
    [spell('describe.sk', 'ip("x", …)')],
    [spell('cd /ho', 'me/ann/chatferry')],
    [spell('"https://registry.np', 'mjs.org/zod"')],
  ])('recognise %s', (line) => {
    expect(leftovers.filter(({ pattern }) => pattern.test(line))).toHaveLength(1);
  });

  it.each([
    ['describe.skipIf(chromium === null)("the viewer", …)'],
    ['https://example.com/home/page'],
    ['src/home/plan.ts'],
    ['{ format: "HH:mm XXX" }'],
  ])('let %s be', (line) => {
    expect(leftovers.filter(({ pattern }) => pattern.test(line))).toEqual([]);
  });
});

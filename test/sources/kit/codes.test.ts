import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { kitCodes } from '../../../src/sources/kit/codes.ts';
import { sourceCodes, sources } from '../../../src/sources/registry.ts';

const folder = fileURLToPath(new URL('../../../src/sources', import.meta.url));

/** Returns the codes in the code of sources: `code: 'bad-time'`, `invalidEntry('bad-time', …)`, `notes.add('bad-time', …)`. */
function codesInCode(): string[] {
  const texts = globSync('**/*.ts', { cwd: folder }).map((path) =>
    readFileSync(`${folder}/${path}`, 'utf8').replaceAll(/^ *\/?\*.*$/gm, ''),
  );
  const pattern = /(?:\bcode: |Entry\(\s*|\breject\(\s*|\badd(?:Once)?\(\s*)'([a-z]+(?:-[a-z]+)*)'/g;
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, code]) => code!)))].sort();
}

it('every code has one explanation', () => {
  const codes = sourceCodes.map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  expect(codes.length).toBeGreaterThan(kitCodes.length + sources.length);
});

// `unreadable` becomes `json-unreadable`, `no-list` becomes `json-no-list`.
it('every code that a source yields is explained, except those for unreadable files', () => {
  const explained = new Set(sourceCodes.map(({ code }) => code));
  expect(codesInCode().length).toBeGreaterThan(30);
  expect(codesInCode().filter((code) => !explained.has(code))).toEqual(['no-list', 'unreadable', 'unreadable-file']);
});

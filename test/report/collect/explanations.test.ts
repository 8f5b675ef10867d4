import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/report/collect/explanations.ts';

const root = fileURLToPath(new URL('../../../src/', import.meta.url));
const literals = (files: string, pattern: RegExp): string[] =>
  globSync(files, { cwd: root }).flatMap((path) =>
    [...readFileSync(root + path, 'utf8').matchAll(pattern)].map(([, code]) => code!),
  );

/** Codes and rules that mapping and staging write into the store, as they are written in the code. Those in capitals are SQLite's. */
const written = new Set([
  ...literals('mapping/**/*.ts', /reason: '([^']+)'/g),
  ...literals('mapping/message.ts', /return '([^']+)';/g),
  ...literals('plan/**/*-mapper.ts', /(?:onProblem|#problem)\(\s*'([^']+)'/g),
  ...literals('plan/entry-mapper.ts', /(?:return|\?|=) '([a-z][^']*[ -][^']*)'/g),
  ...literals('store/**/*.ts', /reason = '([^'$]+)'/g),
  ...literals('store/**/*.ts', /(?:code: |rule = )'([^'A-Z]+)'/g),
  ...literals('store/failures.ts', /^ {2}(late_\w+|'[^']+'): '/gm).map((code) => code.replaceAll("'", '')),
]);

describe('explain()', () => {
  it('is asked about every code that mapping and staging write', () => {
    expect(written.size).toBeGreaterThan(18);
    for (const code of ['edited message', 'outsider', 'late_part', 'outside --only', 'merged-into-public'])
      expect(written).toContain(code);
  });

  it.each([...written])('has words for "%s"', (code) => {
    expect(explain(code).explanation).not.toBe('');
  });
});

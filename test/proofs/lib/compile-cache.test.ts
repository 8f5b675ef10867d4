import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const moduleUrl = pathToFileURL(join(import.meta.dirname, '../../../src/lib/compile-cache.ts')).href;

it('compileCache() passes on the chosen folder, or nothing if there is none', () => {
  const folder = join(home.make(), 'compiled');
  const answer = (before: string) => {
    const code = `import module from 'node:module'; ${before}
      const { compileCache } = await import(${JSON.stringify(moduleUrl)});
      console.log(JSON.stringify(compileCache()));`;
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    return JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', code], { env, encoding: 'utf8' }),
    );
  };
  expect(answer(`module.enableCompileCache(${JSON.stringify(folder)});`)).toEqual({ NODE_COMPILE_CACHE: folder });
  expect(answer('')).toEqual({});
});

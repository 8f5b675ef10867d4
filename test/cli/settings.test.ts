import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();

it('a flag beats a variable, a variable beats chatferry.yaml', async () => {
  const folder = home.make();
  writeFileSync(join(folder, 'chatferry.yaml'), 'store: from-file.db\nreport: elsewhere\n');
  const args = ['plan', smallExport(folder), '--config', 'chatferry.yaml'];
  expect((await runJson(args, { folder })).json).toMatchObject({
    store: 'from-file.db',
    report: join('elsewhere', 'report.html'),
  });
  const env = { CHATFERRY_STORE: 'from-variable.db' };
  expect((await runJson(args, { folder, env })).json.store).toBe('from-variable.db');
  expect((await runJson([...args, '--store', 'from-flag.db'], { folder, env })).json.store).toBe('from-flag.db');
  expect(existsSync(join(folder, 'chatferry.db'))).toBe(false);
});

it('a fault in the file of --config ends with 2 and is named', async () => {
  const folder = home.make();
  writeFileSync(join(folder, 'other.yaml'), 'apiKey: abc\n');
  const { code, stderr } = await run(['plan', smallExport(folder), '--config', 'other.yaml'], { folder });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'Cannot use apiKey at other.yaml:1:1: there is no such option\n  chatferry help COMMAND lists the options\n',
  });
  expect(existsSync(join(folder, 'chatferry.db'))).toBe(false);
});

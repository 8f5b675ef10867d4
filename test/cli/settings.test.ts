import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../run/temporary-folder.ts';
import { run, runJson } from './process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();

/** A folder with an export and a chatferry.yaml. */
function configured(yaml: string, name = 'chatferry.yaml') {
  const folder = home.make();
  writeFileSync(join(folder, name), yaml);
  return { folder, args: ['plan', smallExport(folder)] };
}

describe('settings of a run', () => {
  it.concurrent('chatferry.yaml in the folder is read', async () => {
    const { folder, args } = configured('store: from-file.db\n');
    expect((await runJson(args, { folder })).json.store).toBe('from-file.db');
    expect(existsSync(join(folder, 'chatferry.db'))).toBe(false);
  });

  it.concurrent('a variable beats the file', async () => {
    const { folder, args } = configured('store: from-file.db\n');
    const env = { CHATFERRY_STORE: 'from-variable.db' };
    expect((await runJson(args, { folder, env })).json.store).toBe('from-variable.db');
  });

  it.concurrent('a flag beats variable and file', async () => {
    const { folder, args } = configured('store: from-file.db\n');
    const env = { CHATFERRY_STORE: 'from-variable.db' };
    expect((await runJson([...args, '--store', 'from-flag.db'], { folder, env })).json.store).toBe('from-flag.db');
  });

  it.concurrent('--config names another file', async () => {
    const { folder, args } = configured('store: elsewhere.db\n', 'other.yaml');
    expect((await runJson([...args, '--config', 'other.yaml'], { folder })).json.store).toBe('elsewhere.db');
  });

  it.concurrent('a destination on the command line beats the app of the file', async () => {
    const { folder, args } = configured('appId: "0123"\nregion: eu\n');
    expect((await runJson(args, { folder })).json.destination).toBe('0123');
    expect((await runJson([...args, '--to', 'sandbox'], { folder })).json.destination).toBe('sandbox');
  });

  it.concurrent.each([
    ['a key that is no option', 'frob: 1\n', 'frob in "./chatferry.yaml": there is no such option'],
    ['the API key', 'apiKey: abc\n', 'apiKey in "./chatferry.yaml": there is no such option'],
    ['a wrong value', 'rate: fast\n', 'rate in "./chatferry.yaml": expected requests per minute'],
    ['a list', '- a\n', '"./chatferry.yaml": expected keys and values'],
    ['broken YAML', 'rate: [1\n', '"./chatferry.yaml": '],
  ])('%s in chatferry.yaml ends with 2 and is named', async (_, yaml, words) => {
    const { folder, args } = configured(yaml);
    const { code, stderr } = await run(args, { folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
    expect(existsSync(join(folder, 'chatferry.db'))).toBe(false);
  });

  it.concurrent('a wrong variable is named', async () => {
    const { folder, args } = configured('quiet: true\n');
    const { code, stderr } = await run(args, { folder, env: { CHATFERRY_BATCH_ITEMS: 'many' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Cannot use CHATFERRY_BATCH_ITEMS') });
  });
});

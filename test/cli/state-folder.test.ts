import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, serveSandbox, testKey } from './in-process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };
const notTheStore = 'In this file the processes of this user share their request rate; it is not the store';

it('a state folder that cannot be made is named as such', async () => {
  const folder = home.make();
  const { url } = await serveSandbox(folder);
  writeFileSync(join(folder, 'state'), 'a file');
  const { code, stderr } = await run(['import', smallExport(folder), '--to', url, '--yes'], { folder, env });
  expect({ code, stderr }).toEqual({
    code: 7,
    stderr: expect.stringMatching(
      new RegExp(
        `Cannot use ".*/state/pace.db": a file exists where its folder should be .*${notTheStore}\n.*CHATFERRY_STATE_DIR`,
      ),
    ),
  });
});

it.each([
  ['is no database', 'a list of things to buy\n'.repeat(100)],
  ['is cut off', undefined],
])('a pace.db that %s is named as such, and the store is left alone', async (_, text) => {
  const folder = home.make();
  const { url } = await serveSandbox(folder);
  const args = ['import', smallExport(folder), '--to', url, '--yes'];
  expect(await run(args, { folder, env })).toMatchObject({ code: 0 });
  mkdirSync(join(folder, 'state'), { recursive: true });
  const path = join(folder, 'state', 'pace.db');
  writeFileSync(path, text ?? flipped(readFileSync(path)));
  const { code, stderr } = await run(['verify'], { folder, env });
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining(`${notTheStore}\n  Delete it`) });
  expect(stderr).toContain('state/pace.db');
  expect(stderr).not.toContain('reconcile');
});

/** Its pages, without the head of the file, are not what they were. */
function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = 200; at < changed.length; at += 7) changed[at] = changed[at]! ^ 0x5a;
  return changed;
}

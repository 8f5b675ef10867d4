import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, testKey } from './in-process.ts';

const home = temporaryFolder();
const ann = userId(1);

/** Messages that the hosted service refuses for their age, and some of today, a conversation of each. */
function writeExport(folder: string, { old, young }: { readonly old: number; readonly young: number }): void {
  const today = Math.floor(Date.now() / 1000) - 3600;
  const rows = (count: number, fromSeconds: number) =>
    Array.from({ length: count }, (_, place) => message(`${fromSeconds + place}.000100`, ann, `${place}`));
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann')],
    'channels.json': ['past', 'now'].map((name, index) => ({ id: `C0000000${index}`, name, members: [ann] })),
    'past/2024-03-01.json': rows(old, 1_709_251_200),
    'now/2026-01-01.json': rows(young, today),
  });
}

/** Refuses for their age alone what the hosted service refuses, and keeps no pace. */
async function serve(folder: string): Promise<string> {
  const store = openSandboxStore(join(folder, 'server.db'));
  const limits = { retentionDays: 183 };
  const sandbox = createSandbox({ store, apiKey: testKey, profile: 'spec', limits, clock: systemClock });
  const served = await serveSandbox(sandbox);
  onTestFinished(async () => {
    await served.close(100);
    sandbox.close();
  });
  return served.url;
}

/** The commands behind `Next`. */
const nextOf = (stdout: string): string[] =>
  /^Next {4}([\s\S]*)$/m
    .exec(stdout)![1]!
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replace(/^(npx )?chatferry /, ''));

it.each([0, 1])('an import that stops for refusals prints Next %i, which comes to the end', async (choice) => {
  const folder = home.make();
  writeExport(folder, { old: 900, young: 30 });
  const url = await serve(folder);
  const import_ = (args: readonly string[]) => run([...args, '--yes'], { folder, env: { CHATFERRY_API_KEY: testKey } });
  const first = await import_(['import', 'export', '--to', url]);
  expect(first).toMatchObject({ code: 5, stdout: expect.stringMatching(/leave those out with --retention-days 183/) });
  const next = nextOf(first.stdout);
  const command = `import export --to ${url}`;
  expect(next).toEqual([`${command} --retention-days 183`, `${command} --max-failures 100%`]);
  const second = await import_(next[choice]!.split(' '));
  expect(second.code, second.stdout).toBe(3);
  expect(second.stdout).not.toMatch(/pending/);
  expect(second.stdout).toMatch(/imported +30/);
});

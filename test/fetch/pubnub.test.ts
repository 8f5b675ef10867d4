import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe, rowsIn } from './fetched.ts';
import { type Dialect, startMock } from './mock/mock-provider.ts';
import { pubnubChannelDialect, pubnubDialect } from './mock/pubnub.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();

async function fetchFrom(dialect: Dialect, conversations: number) {
  const folder = home.make();
  const { url } = await startMock(dialect, makeWorld(conversations, 30));
  const set = Object.entries(dialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = ['fetch', '--recipe', localRecipe(dialect.provider, url, folder), ...set, '--out', 'out'];
  const { code } = await run(args, { folder, env: { CHATFERRY_FROM_KEY: 'p0F2AkF0Gl043rhDdHRsCkNyZXigQRjo' } });
  expect(code).toBe(0);
  return { folder, out: join(folder, 'out') };
}

it('members of a channel are fetched with its name, which no answer has', async () => {
  const { folder, out } = await fetchFrom(pubnubDialect, 2);
  const members = readFileSync(join(out, 'members.ndjson'), 'utf8').split('\n').filter(Boolean);
  expect(members.map((line) => (JSON.parse(line) as { channel: string }).channel)).toEqual([
    ...['harbour crew 1', 'harbour crew 1', 'harbour crew 2', 'harbour crew 2'],
  ]);
  const { json } = await runJson(['inspect', out], { folder });
  expect(json).toMatchObject({ source: 'pubnub' });
  expect(JSON.stringify(json)).not.toContain('pubnub-members-of-unknown');
});

it('a channel that App Context does not list is fetched by its name', async () => {
  const { out } = await fetchFrom(pubnubChannelDialect, 3);
  expect(pubnubDialect.idsIn(rowsIn(out)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 30 }, (_, index) => 1 + index * 3),
  );
});

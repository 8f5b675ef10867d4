import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { crispDialect } from './mock/crisp.ts';
import { freshchatDialect } from './mock/freshchat.ts';
import { gorgiasDialect } from './mock/gorgias.ts';
import { livechatDialect } from './mock/livechat.ts';
import { startMock } from './mock/mock-provider.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();

it.each([crispDialect, livechatDialect, freshchatDialect, gorgiasDialect])(
  'private notes that $provider gives are counted, and a plan leaves them out',
  async (dialect) => {
    const folder = home.make();
    const world = makeWorld(5, 60);
    const notes = world.conversations.flatMap(({ messages }) => messages.filter(({ isPrivate }) => isPrivate));
    const { url } = await startMock(dialect, world);
    const set = Object.entries(dialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const args = ['fetch', '--recipe', localRecipe(dialect.provider, url, folder), ...set, '--out', 'out'];
    expect((await run(args, { folder, env: { CHATFERRY_FROM_KEY: 'dal:test_key_of_nobody_1234567' } })).code).toBe(0);
    const { json } = await runJson(['plan', join(folder, 'out'), '--quiet'], { folder });
    expect(json).toMatchObject({ read: 300, planned: 300 - notes.length, skipped: notes.length, invalid: 0 });
  },
);

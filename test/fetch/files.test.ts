import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { type MockAnswer, startMock } from './mock/mock-provider.ts';
import { twilioDialect } from './mock/twilio.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();
const env = { CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' };

/** A provider in which each message has a file; `answerOf` plays the service that keeps files. */
async function scene(answerOf: (path: string, base: string) => MockAnswer | undefined) {
  const folder = home.make();
  const world = makeWorld(1, 3);
  const playing = {
    ...twilioDialect,
    answer(request: Parameters<typeof twilioDialect.answer>[0], of: typeof world) {
      const path = `/${request.parts.join('/')}`;
      const played = answerOf(path, request.base);
      if (played) return played;
      const answer = twilioDialect.answer(request, of);
      const json = JSON.stringify(answer?.json ?? {});
      const media = (sid: string) =>
        JSON.stringify([{ sid: `ME${sid}`, filename: `boat ${sid.at(-1)}.png`, content_type: 'image/png', size: 8 }]);
      const withFiles = json.replaceAll(
        /"sid":"IM(\w+)"(.*?)"media":null/g,
        (_, sid: string, between: string) => `"sid":"IM${sid}"${between}"media":${media(sid)}`,
      );
      return answer && { ...answer, json: withFiles };
    },
  };
  const mock = await startMock(playing, world);
  const recipe = localRecipe('twilio', mock.url, folder);
  writeFileSync(recipe, readFileSync(recipe, 'utf8').replace('https://mcs.us1.twilio.com/v1', `${mock.url}/mcs`));
  const args = [
    'fetch',
    '--recipe',
    recipe,
    '--set',
    `account=${twilioDialect.settings.account}`,
    '--out',
    'out',
    '--with-files',
  ];
  return { folder, mock, fetch: () => runJson(args, { folder, env }) };
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'out/files'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.png'));

it('files come with their messages, and the export names its own copies', async () => {
  const { folder, fetch } = await scene((path, base) => {
    if (path.startsWith('/mcs/'))
      return { json: { links: { content_direct_temporary: `${base}/blob${path.slice(-1)}` } } };
    return path.startsWith('/blob')
      ? { headers: { 'content-type': 'image/png' }, json: `\u0089PNG ${path}` }
      : undefined;
  });
  const fetched = await fetch();
  expect(fetched.code).toBe(0);
  expect(fetched.json.manifest.files).toEqual({ here: 3 });
  expect(filesIn(folder).length).toBe(3);

  const { stdout } = await run(['convert', 'out', '--out', '-', '--quiet'], { folder });
  const urls = [...stdout.matchAll(/"url":"(files\/[^"]+)"/g)].map(([, url]) => decodeURIComponent(url!));
  expect(urls.map((url) => readFileSync(join(folder, 'out', url), 'utf8')).toSorted()).toEqual(
    [1, 2, 3].map((number) => `\u0089PNG /blob${number}`),
  );
  expect(stdout).not.toContain('not-in-export');
  const { json } = await runJson(['plan', 'out', '--quiet'], { folder });
  expect(json).toMatchObject({ read: 3, planned: 3, invalid: 0 });
});

it('a file that is not given is counted with the reason, and messages come without it', async () => {
  const { fetch } = await scene((path, base) => {
    if (path.endsWith('1')) return path.startsWith('/mcs/') ? { status: 404, json: {} } : undefined;
    if (path.startsWith('/mcs/')) return { json: { links: { content_direct_temporary: `${base}/blob` } } };
    return path.startsWith('/blob') ? { status: 410, json: {} } : undefined;
  });
  const { json } = await fetch();
  expect(json.manifest.steps.messages.rows).toBe(3);
  expect(Object.values<number>(json.manifest.files).reduce((sum, count) => sum + count)).toBe(3);
  expect(json.manifest.files['the provider gives no address']).toBe(1);
});

it('an address of a file in a private network is not asked', async () => {
  const { fetch, mock } = await scene((path) =>
    path.startsWith('/mcs/')
      ? { json: { links: { content_direct_temporary: 'https://169.254.169.254/latest/meta-data' } } }
      : undefined,
  );
  const { json } = await fetch();
  expect(Object.keys(json.manifest.files)).toEqual(['an address of this machine or of a private network']);
  expect(mock.requests.filter((request) => request.includes('latest'))).toEqual([]);
});

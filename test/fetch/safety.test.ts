import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { localRecipe } from './fetched.ts';
import { type MockOptions, startMock } from './mock/mock-provider.ts';
import { twilioDialect } from './mock/twilio.ts';
import { makeWorld } from './mock/world.ts';

const home = temporaryFolder();
const key = '0123456789abcdef0123456789abcdef';

async function fetchWith(options: MockOptions, more: readonly string[] = []) {
  const folder = home.make();
  const mock = await startMock(twilioDialect, makeWorld(2, 3), options);
  const recipe = localRecipe('twilio', mock.url, folder);
  const args = [
    'fetch',
    '--recipe',
    recipe,
    '--set',
    `account=${twilioDialect.settings.account}`,
    '--out',
    'out',
    ...more,
  ];
  const ended = await run(args, { folder, env: { CHATFERRY_FROM_KEY: key } });
  return { ...ended, folder, mock };
}

const spellings = [
  key,
  Buffer.from(key).toString('base64').slice(0, 40),
  Buffer.from(`${twilioDialect.settings.account}:${key}`).toString('base64'),
];

function filesOf(folder: string): readonly (readonly [name: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const);
}

it('the key is in no output and no file, even if the provider repeats it', async () => {
  const repeats = (number: number) =>
    number === 2 ? { status: 400, json: { message: `the key ${key} is wrong`, again: spellings[2] } } : undefined;
  const { code, stdout, stderr, folder } = await fetchWith({ before: repeats });
  expect(code).toBe(3);
  for (const secret of spellings) {
    expect(stdout + stderr).not.toContain(secret);
    for (const [, text] of filesOf(folder)) expect(text).not.toContain(secret);
  }
});

it.each([
  ['another host', 'https://evil.example.com/v1/Services?Page=2'],
  ['another port of this machine', 'http://127.0.0.1:1/v1/Services?Page=2'],
  ['a file', 'file:///etc/passwd'],
])('the address of a next page that leads to %s is not asked, and the run stops', async (_, link) => {
  const elsewhere = () => ({ json: { services: [{ sid: 'IS1' }], meta: { next_page_url: link } } });
  const { code, stderr, mock } = await fetchWith({ before: elsewhere });
  expect(code).toBe(5);
  expect(stderr).toMatch(/leads to|is none/);
  expect(mock.requests.length).toBe(1);
});

it('a redirect is not followed', async () => {
  const redirect = () => ({ status: 302, headers: { location: 'https://evil.example.com/' }, json: {} });
  const { code, stderr, mock } = await fetchWith({ before: redirect });
  expect(code).toBe(5);
  expect(stderr).toContain('http_302');
  expect(mock.requests.length).toBe(1);
});

it('ids of a hostile provider stay parts of a path and of the name of a file', async () => {
  const hostile = (number: number) =>
    number === 1
      ? { json: { services: [{ sid: '../../x' }, { sid: '..' }, { sid: 'a/b?c#d' }], meta: {} } }
      : undefined;
  const { code, mock, stdout } = await fetchWith({ before: hostile });
  expect(code).toBe(3);
  expect(mock.requests.filter((request) => !request.startsWith('GET /v1/Services'))).toEqual([]);
  expect(stdout).toContain('Not given by the provider');
});

it('a page that names itself as the next one is a gap, and not an endless fetch', async () => {
  const again = (number: number) =>
    number > 2
      ? undefined
      : { json: { services: [{ sid: `IS${number}` }], meta: { next_page_url: '/v1/Services?Page=1' } } };
  const { code, stdout } = await fetchWith({ before: again });
  expect(code).toBe(3);
  expect(stdout).toContain('page 2 names itself as the next page');
});

it('an answer that is cut is asked for again', async () => {
  const cut = (number: number) => (number === 1 ? { json: '{"services":[{"sid":' } : undefined);
  expect((await fetchWith({ before: cut })).code).toBe(0);
});

it('numbers keep their digits', async () => {
  const services = `{"services":[{"sid":"IS1","big":12345678901234567890,"exact":1.10,"exponent":1e400}],"meta":{}}`;
  const recipeAnswers = (number: number) =>
    number === 1 ? { json: services.replace('services', 'services') } : undefined;
  const { folder } = await fetchWith({
    before: (number) =>
      number === 3
        ? {
            json: '{"conversations":[{"sid":"CH1","big":12345678901234567890,"exact":1.10,"exponent":1e400}],"meta":{}}',
          }
        : recipeAnswers(number),
  });
  expect(readFileSync(join(folder, 'out/conversations.ndjson'), 'utf8')).toBe(
    '{"sid":"CH1","big":12345678901234567890,"exact":1.10,"exponent":1e400}\n',
  );
});

it('a folder continues only what was begun in it', async () => {
  const { folder, mock } = await fetchWith({});
  const recipe = localRecipe('twilio', mock.url, folder);
  const args = ['fetch', '--recipe', recipe, '--set', `account=AC${'c'.repeat(32)}`, '--out', 'out'];
  const other = await run(args, { folder, env: { CHATFERRY_FROM_KEY: key } });
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('settings was');
});

it('doctor says what a key may read and how long a fetch takes', async () => {
  const folder = home.make();
  const mock = await startMock(twilioDialect, makeWorld(12, 30), {
    before: (number) => (number === 2 ? { status: 403, json: { message: 'no right' } } : undefined),
  });
  const recipe = localRecipe('twilio', mock.url, folder);
  const args = ['doctor', '--recipe', recipe, '--set', `account=${twilioDialect.settings.account}`];
  const { stdout, code } = await run(args, { folder, env: { CHATFERRY_FROM_KEY: key } });
  expect(code).toBe(8);
  expect(stdout).toMatch(/error +access +users: http_403/);
  expect(stdout).toMatch(/ok +estimate +about .*12 conversations, .*360 messages: 27 requests/);
  expect(readdirSync(folder)).not.toContain('out');
});

it('a key is not sent unprotected to another machine, whatever a setting allows', async () => {
  const args = ['fetch', '--from', 'chatwoot', '--set', 'address=http://desk.example.com', '--set', 'account=1'];
  const { code, stderr } = await run([...args, '--out', 'out'], {
    folder: home.make(),
    env: { CHATFERRY_FROM_KEY: key },
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/unprotected|address is/);
});

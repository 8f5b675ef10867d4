import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildOperations, indentJson, operationTable } from '../../src/cli/call/call-operations.ts';
import type { Operation } from '../../src/service/operation.ts';
import { operations } from '../../src/service/operations.ts';
import { isSecretParameter } from '../../src/service/call-operation.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { direct } from '../sandbox/fixture.ts';
import { fakeService, refusingAddress } from './fake-service.ts';
import { run, serveSandbox, testHost, testKey } from './in-process.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };
const declared: readonly Operation[] = operations;

const call = (args: readonly string[], where: { folder?: string; env?: Record<string, string>; input?: string } = {}) =>
  run(['call', ...args], { folder: home.make(), env, ...where });

describe('chatferry call', () => {
  it('lists every operation', async () => {
    const { code, stdout } = await call(['--list']);
    expect(code).toBe(0);
    expect(stdout.trimEnd()).toBe(operationTable());
    expect(stdout.trimEnd().split('\n')).toHaveLength(28);
  });

  it('imports messages from a file, and lists the imported messages', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const where = { folder, env };
    writeFileSync(join(folder, 'body.json'), JSON.stringify({ messages: { m1: direct('m1'), m2: direct('m2') } }));
    const imported = await call(['importMessages', '--to', sandbox.url, '--data', '@body.json'], where);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    const args = ['--conversationId', 'ann_user_bob', '--limit', '1', '--onBehalfOf', 'bob', '--to', sandbox.url];
    const listed = await call(['listMessages', ...args], where);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).toMatchObject({
      data: [{ id: '1', muid: 'm1', data: { text: 'text of m1' } }],
      meta: { current: { limit: 1, count: 1 }, next: { id: '1' } },
    });
    const text = JSON.stringify({ messages: { m3: direct('m3', { data: { text: ' ' } }) } });
    const fromInput = ['importMessages', '--to', sandbox.url, '--data', '-'];
    const refused = await call(fromInput, { ...where, input: text });
    expect(refused.code, 'something in it was refused').toBe(3);
    expect(JSON.parse(refused.stdout).data.m3.error.code).toBe('ERR_EMPTY_MESSAGE_TEXT');
    const unknown = await call(['getGroup', '--guid', 'nowhere', '--to', sandbox.url], where);
    expect(unknown).toMatchObject({ code: 5, stdout: '' });
    expect(unknown.stderr).toContain(
      'Cannot call getGroup: The group "nowhere" does not exist (ERR_GUID_NOT_FOUND, status 404)',
    );
    const other = await call(['getGroup', '--guid', 'g', '--to', sandbox.url], {
      folder,
      env: { CHATFERRY_API_KEY: 'other-key-value' },
    });
    expect(other.code).toBe(8);
    expect(other.stderr).toContain('AUTH_ERR_APIKEY_NOT_FOUND');
    expect(other.stderr).toContain('CHATFERRY_API_KEY');
    expect(other.stderr).not.toContain('other-key-value');
    await sandbox.stop();
  });

  it('sends nothing that does not fit, and says all that is wrong', async () => {
    const service = await fakeService((_, response) => response.end());
    const args = ['--to', service.url, '--limit', '5000', '--affix', 'up', '--unread', 'maybe'];
    const parameters = await call(['listMessages', ...args]);
    expect(parameters.code).toBe(2);
    for (const words of ['limit: expected 1 to 1000, found "5000"', 'affix: ', 'unread: expected true or false']) {
      expect(parameters.stderr).toContain(words);
    }
    const body = await call(['sendMessage', '--to', service.url, '--data', '{"receiver":"bob","data":{"text":4}}']);
    expect(body).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('body /data/text: expected string, found 4'),
    });
    expect(service.asked).toEqual([]);
  });

  it.each<[string, readonly string[], string]>([
    ['an operation that does not exist', ['sendPigeon', '--to', 'http://127.0.0.1:1'], 'chatferry call --list'],
    ['a parameter that does not exist', ['getGroup', '--gid', 'g'], "unknown option '--gid'"],
    ['no address', ['getMessageStats'], 'Pass --to http://127.0.0.1:4000'],
    ['an app without region', ['getMessageStats', '--app-id', 'a'], '--region'],
    ['a body that is no JSON', ['sendMessage', '--data', '{"receiver":\n "bob",,}'], 'line 2 column 8'],
    ['a body that is not there', ['sendMessage', '--data', '@nowhere.json'], '"nowhere.json": ENOENT'],
    ['no body', ['sendMessage', '--to', 'http://127.0.0.1:1'], 'body: expected an object, found nothing'],
    ['standard input for two things', ['sendMessage', '--data', '-', '--api-key-file', '-'], 'CHATFERRY_API_KEY'],
  ])('refuses %s', async (_, args, words) => {
    const ended = await call(args);
    expect(ended.stderr).toContain(words);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
  });

  it('takes credentials from files only, and repeats none of them', async () => {
    const folder = home.make();
    const argument = await call(['updateApiKey', '--apiKey', 'the-secret-key', '--data', '{"name":"n"}'], { folder });
    expect(argument.code).toBe(2);
    expect(argument.stderr).not.toContain('the-secret-key');
    writeFileSync(join(folder, 'key.txt'), 'the-secret-key\n');
    const service = await fakeService((_, response) => {
      const error = { code: 'ERR_APIKEY_NOT_FOUND', message: 'There is no key the-secret-key' };
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const args = ['updateApiKey', '--apiKey', '@key.txt', '--data', '{"name":"n"}', '--to', service.url];
    const ended = await call(args, { folder });
    expect(service.asked).toEqual(['PUT /v3/apikeys/the-secret-key']);
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain('ERR_APIKEY_NOT_FOUND');
    expect(ended.stderr).not.toContain('the-secret-key');
  });

  it('reports that there is no answer', async () => {
    const ended = await call(['getMessageStats', '--to', await refusingAddress()]);
    expect(ended).toMatchObject({ code: 5, stderr: expect.stringMatching(/no answer.*ECONNREFUSED/) });
  });

  it('shows the parameters of an operation', async () => {
    const { code, stdout } = await call(['addReaction', '--help']);
    expect(code).toBe(0);
    for (const words of [
      'POST /v3/messages/{id}/reactions/{reaction}',
      '--id',
      '--reaction',
      '--onBehalfOf',
      '(required)',
    ]) {
      expect(stdout).toContain(words);
    }
  });

  it('prints the OpenAPI document of the sandbox', async () => {
    const { code, stdout } = await run(['sandbox', '--openapi'], { folder: home.make() });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.1', paths: { '/v3/messages': { get: {}, post: {} } } });
  });
});

describe('the flags of', () => {
  it.each(declared.map((operation) => [operation.name, operation] as const))(
    '%s include its example',
    async (_, operation) => {
      const { name, example, method, path } = operation;
      const folder = home.make();
      writeFileSync(join(folder, 'key'), testKey, { mode: 0o600 });
      const bodies: string[] = [];
      const service = await fakeService(async (request, response) => {
        bodies.push(Buffer.concat(await request.toArray()).toString());
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(example.answer));
      });
      const { host, stdout } = testHost({ folder });
      const flags = Object.entries(example.parameters).flatMap(([parameter, value]) => {
        if (!isSecretParameter(operation, parameter)) return [`--${parameter}`, String(value)];
        writeFileSync(join(folder, 'secret'), String(value));
        return [`--${parameter}`, `@${join(folder, 'secret')}`];
      });
      const data = example.body === undefined ? [] : ['--data', JSON.stringify(example.body)];
      const address = ['--to', service.url, '--api-key-file', join(folder, 'key')];
      await buildOperations(host, new Command()).parseAsync([name, ...flags, ...data, ...address], { from: 'user' });
      const [asked] = service.asked;
      expect(asked).toMatch(new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`));
      expect(bodies).toEqual([example.body === undefined ? '' : JSON.stringify(example.body)]);
      expect(JSON.parse(stdout.text)).toEqual(example.answer);
    },
  );
});

describe('indentJson()', () => {
  it('keeps the digits of every number', () => {
    const json = '{"id":12345678901234567890,"n":1.0,"big":[1e400,0.1],"text":"1"}';
    expect(indentJson(json).replaceAll(/\s/g, '')).toBe(json);
  });
});

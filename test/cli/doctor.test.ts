import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { listen } from './slow-server.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder(process.env.CHATFERRY_TEST_DISK);
const env = { CHATFERRY_API_KEY: testKey };

describe('chatferry doctor', () => {
  it('prints a line for each check, and ends with 0', async () => {
    const folder = home.make();
    const { code, stdout, stderr } = await run(['doctor', everyFeature], { folder });
    expect(stdout).toMatch(/^ok {7}node {8}Chatferry .* on Node /);
    expect(stdout).toContain('ok       export      "export" is readable: Slack');
    expect(stdout).toContain('Ready: no errors, no warnings');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(existsSync(join(folder, 'chatferry.db'))).toBe(false);
  });

  it('ends like an import that meets the same would: 8 with a wrong key, 2 without one', async () => {
    const folder = home.make();
    const { url, stop } = await serveSandbox(folder);
    const wrong = await runJson(['doctor', '--to', url], { folder, env: { CHATFERRY_API_KEY: 'wrong-key-1b2c' } });
    expect(wrong).toMatchObject({ code: 8, json: { command: 'doctor', destination: url, exit: 8 } });
    expect(wrong.json.findings).toContainEqual(expect.objectContaining({ name: 'key', level: 'error' }));
    expect(wrong.stdout + wrong.stderr).not.toContain('wrong-key-1b2c');
    expect(await runJson(['doctor', '--to', url], { folder })).toMatchObject({ code: 2 });
    const good = await run(['doctor', '--to', url], { folder, env });
    expect(good).toMatchObject({ code: 0 });
    expect(good.stdout).not.toContain(testKey);
    await stop();
  });

  it('finds out whether people can be imported, if that is to be done', async () => {
    const folder = home.make();
    const specified = await serveSandbox(folder);
    const without = await runJson(['doctor', '--to', specified.url], { folder, env });
    expect(without.json.findings).not.toContainEqual(expect.objectContaining({ name: 'people' }));
    const asked = await runJson(['doctor', '--to', specified.url, '--people', 'import'], { folder, env });
    const todo = expect.stringContaining('--people with-messages');
    expect(asked.json.findings).toContainEqual(expect.objectContaining({ name: 'people', level: 'error', todo }));
    await specified.stop();
    const hosted = await serveSandbox(folder, { profile: 'hosted', data: 'hosted.db' });
    const found = await runJson(['doctor', '--to', hosted.url, '--people', 'import'], { folder, env });
    expect(found.json.findings).toContainEqual(expect.objectContaining({ name: 'people', level: 'ok' }));
    await hosted.stop();
  });

  it('describes what a probe would leave and sends nothing without --yes; with it, remembers the result', async () => {
    const folder = home.make();
    const { url, stop } = await serveSandbox(folder);
    const asked = await run(['doctor', '--to', url, '--probe-duplicates'], { folder, env });
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toMatch(/user "chatferry-scratch".*group "chatferry-scratch".*one message/);
    const probed = await runJson(['doctor', '--to', url, '--probe-duplicates', '--yes'], { folder, env });
    expect(probed.json.findings).toContainEqual(
      expect.objectContaining({ name: 'duplicates', says: expect.stringContaining('was refused. This is recorded') }),
    );
    const after = await runJson(['doctor', '--to', url], { folder, env });
    expect(after.json.findings).toContainEqual(
      expect.objectContaining({ name: 'duplicates', level: 'ok', says: expect.stringContaining('seen on') }),
    );
    await stop();
  });

  it('shows words of a hostile server as text on one line', async () => {
    const server = await listen((_, response) => {
      const error = { code: 'ERR_ODD', message: 'evil\u001b[2J\nok       key         all is well' };
      response.writeHead(400).end(JSON.stringify({ error }));
    });
    const { stdout } = await run(['doctor', '--to', server.url], { folder: home.make(), env });
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toMatch(/^ok {6}key/m);
  });
});

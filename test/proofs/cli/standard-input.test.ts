import { describe, expect, it } from 'vitest';
import { serveSandbox, testKey } from '../../cli/in-process.ts';
import { run } from '../../cli/process.ts';
import { smallExport } from '../../cli/samples.ts';
import { direct } from '../../sandbox/fixture.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

describe('standard input of a process', () => {
  it('is read by --api-key-file -', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const args = ['import', smallExport(folder), '--to', sandbox.url, '--yes', '--api-key-file', '-'];
    expect(await run(args, { folder, input: `${testKey}\n` })).toMatchObject({ code: 0 });
    await sandbox.stop();
  });

  it('is read by call --data -', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const input = JSON.stringify({ messages: { m1: direct('m1', { data: { text: ' ' } }) } });
    const args = ['call', 'importMessages', '--to', sandbox.url, '--data', '-'];
    const { code, stdout } = await run(args, { folder, env: { CHATFERRY_API_KEY: testKey }, input });
    expect(code, 'something in it was refused').toBe(3);
    expect(JSON.parse(stdout).data.m1.error.code).toBe('ERR_EMPTY_MESSAGE_TEXT');
    await sandbox.stop();
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DeskState } from '../../../src/desk/shapes.ts';
import { openDesk } from '../../cli/desk-scene.ts';
import { serveSandbox, start, testKey } from '../../cli/process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../../samples/slack/every-feature/export');

/** The desk in a process of its own. */
const openProcess = (config: string, folder: string) =>
  openDesk(['--no-open', '--config', config], folder, (args, where) => start(args, { folder: where.folder }));

describe('a desk that is killed', () => {
  test('leaves its import running, and the next one follows it, stops it and could continue it', async () => {
    const folder = home.make();
    const { url } = await serveSandbox(home.make());
    const [config, key] = [join(folder, 'own.yaml'), join(folder, 'key')];
    writeFileSync(key, testKey, { mode: 0o600 });
    // One of the first requests has to wait for a minute.
    writeFileSync(config, `export: ${slack}\nto: ${url}\napiKeyFile: ${key}\nrate: 1\nbatchItems: 1\n`);
    const first = await openProcess(config, folder);
    await first.counted();
    await first.ran({ kind: 'plan' });
    const { version } = await first.ask<DeskState>('state');
    expect((await first.send('run', JSON.stringify({ kind: 'import', version }))).status).toBe(200);
    const sent = async () => (await first.ask<DeskState>('state')).run?.stages.find(({ name }) => name === 'Sending');
    await expect.poll(async () => (await sent())?.waiting, { timeout: 30_000 }).toBeTruthy();
    first.program.kill('SIGKILL');
    await first.program.ended;

    const second = await openProcess(config, folder);
    const run = async () => (await second.ask<DeskState>('state')).run;
    await expect.poll(run, { timeout: 60_000 }).toMatchObject({ kind: 'import', isOurs: false, canStop: true });
    expect((await second.send('run', '{"kind":"plan"}')).status).toBe(409);
    expect(await (await second.send('stop', '{}')).json()).toMatchObject({ isOurs: false, isStopping: true });
    await expect.poll(run, { timeout: 60_000 }).toMatchObject({ kind: 'inspect', isOurs: true });
    await second.counted();
    expect(await second.ran({ kind: 'plan' })).toMatchObject({ outcome: 'Done', exit: 0 });
  });
});

import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DeskState } from '../../../src/desk/shapes.ts';
import { openDesk } from '../../cli/desk-scene.ts';
import { serveSandbox, start, testKey } from '../../cli/process.ts';
import { chromiumPath } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../../samples/slack/every-feature/export');
const executablePath = chromiumPath();

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

describe.skipIf(executablePath === null)('the page of a desk that is killed', () => {
  test('goes on with the next desk of the folder, with what was typed, and another folder lets no such browser in', async () => {
    const [folder, state] = [home.make(), home.make()];
    const env = { CHATFERRY_STATE_DIR: state };
    const open = async (where: string) => {
      const program = start(['desk', '--no-open', slack], { folder: where, env });
      return { program, entrance: new URL(/http:\S+/.exec((await program.line('Desk: ')) ?? '')![0]) };
    };
    const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const first = await open(folder);
    await page.goto(`${first.entrance.href}#/source`);
    await page.waitForSelector('.totals-of-export');
    await page.locator('#me').fill('Ann');
    const kept = readdirSync(join(state, 'desks')).map((name) => join(state, 'desks', name));
    expect(kept.map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
    first.program.kill('SIGKILL');
    await first.program.ended;
    await page.waitForSelector('.problem >> text=has stopped: start it again in the terminal. Then this page goes on');

    const other = await open(home.make());
    const { name, value } = (await page.context().cookies())[0]!;
    const asked = await fetch(`${other.entrance.origin}/desk/data/state`, { headers: { cookie: `${name}=${value}` } });
    expect(asked.status).toBe(403);
    other.program.kill('SIGTERM');
    await other.program.ended;

    const second = await open(folder);
    expect(second.entrance.origin).toBe(first.entrance.origin);
    await expect.poll(() => page.locator('.problem').count()).toBe(0);
    await page.locator('nav.steps a', { hasText: 'People' }).click();
    await page.waitForSelector('h1 >> text=People');
    expect(await page.locator('#me').inputValue()).toBe('Ann');
    second.program.kill('SIGTERM');
    expect((await second.program.ended).code).toBe(0);
    expect(readdirSync(join(state, 'desks'))).toEqual([]);
  });
});

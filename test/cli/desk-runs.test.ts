import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeskState, ReportView } from '../../src/desk/shapes.ts';
import { takeLock } from '../../src/lib/file-lock.ts';
import type { ConversationPage } from '../../src/viewer/shapes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { openDesk } from './desk-scene.ts';
import { run, serveSandbox, testKey } from './in-process.ts';

const home = temporaryFolder();
const slack = join(import.meta.dirname, '../../samples/slack/every-feature/export');

const stepsIn = ({ steps }: DeskState) => Object.fromEntries(steps.map(({ step, status }) => [step, status]));

describe('the runs of chatferry desk', () => {
  it('plan an export and rehearse it, from a copy of the store that leaves the plan as it is', async () => {
    const folder = home.make();
    const { ask, counted, ran, request } = await openDesk([slack], folder);
    await counted();
    const begun = { source: 'done', decide: 'waiting', people: 'waiting' };
    await expect.poll(async () => stepsIn(await ask<DeskState>('state')), { timeout: 10_000 }).toMatchObject(begun);
    expect(await ran({ kind: 'plan' })).toMatchObject({ outcome: 'Done', exit: 0, error: null });
    const planned = await ask<DeskState>('state');
    expect([stepsIn(planned), planned.chats]).toMatchObject([{ people: 'open', rehearse: 'open' }, null]);
    expect((await request('/desk/chats/conversations')).status).toBe(404);
    for (const _ of ['once', 'again']) {
      const rehearsal = await ran({ kind: 'rehearse' });
      expect([rehearsal.outcome, rehearsal.exit, rehearsal.stages[0]?.name]).toEqual(['Done', 0, 'Copying the plan']);
      const state = await ask<DeskState>('state');
      expect([stepsIn(state), state.chats]).toMatchObject([{ rehearse: 'done', go: 'open' }, 'rehearsal']);
      const chats = (await (await request('/desk/chats/conversations')).json()) as ConversationPage;
      expect(chats.totals.messages).toBe(33);
    }
    expect(existsSync(join(folder, 'chatferry.sandbox.db'))).toBe(false);
  });

  it('import to a destination that is named, read back, and roll back; the terminal sees the same store', async () => {
    const folder = home.make();
    const { url } = await serveSandbox(home.make());
    const [config, key] = [join(folder, 'own.yaml'), join(folder, 'key')];
    writeFileSync(key, testKey, { mode: 0o600 });
    writeFileSync(config, `export: ${slack}\nto: ${url}\napiKeyFile: ${key}\n`);
    const { ask, ran, counted, send } = await openDesk(['--config', config], folder);
    await counted();
    const doctor = await ran({ kind: 'doctor' });
    expect(doctor.findings.map(({ level }) => level)).toContain('ok');
    await ran({ kind: 'plan' });
    const seen = (await ask<DeskState>('state')).version;
    expect((await send('run', '{"kind":"import"}')).status).toBe(400);
    const imported = await ran({ kind: 'import', version: seen });
    expect(imported).toMatchObject({
      ...{ outcome: 'Done', exit: 0, error: null },
      text: expect.stringContaining(`import --config ${config} --to ${url} --yes`),
    });
    expect(stepsIn(await ask<DeskState>('state')).go).toBe('done');
    expect((await send('run', JSON.stringify({ kind: 'undo', version: seen }))).status).toBe(409);
    expect((await ran({ kind: 'verify', repair: true })).outcome).toBe('Done');
    const { version } = await ask<DeskState>('state');
    expect((await ran({ kind: 'undo', isDry: true, version })).outcome).toBe('Done');
    const status = await run(['status', '--json'], { folder });
    expect(JSON.parse(status.stdout)).toMatchObject({ imported: 33 });
    expect(stepsIn(await ask<DeskState>('state')).go).toBe('done');
    expect((await ran({ kind: 'undo', version: (await ask<DeskState>('state')).version })).outcome).toBe('Done');
    expect(stepsIn(await ask<DeskState>('state')).go).toBe('open');
    const { report } = await ask<ReportView>('report?of=plan');
    expect(report!.totals).toMatchObject({ planned: 33, imported: 0, pending: 33 });
    expect(readFileSync(config, 'utf8')).toContain(`to: ${url}`);
  });

  it('show the commands that correct what was refused, once something was', async () => {
    const folder = home.make();
    // It keeps no message of the sample as long as that, and does not say so before.
    const { url } = await serveSandbox(home.make(), { profile: 'hosted' });
    const [config, key] = [join(folder, 'own.yaml'), join(folder, 'key')];
    writeFileSync(key, testKey, { mode: 0o600 });
    writeFileSync(config, `export: ${slack}\nto: ${url}\napiKeyFile: ${key}\nmaxFailures: 100%\n`);
    const { ask, ran } = await openDesk(['--config', config], folder);
    await ran({ kind: 'plan' });
    const goOn = async () =>
      (await ask<DeskState>('state')).commands.go.map((text) => /chatferry (\S+)/.exec(text)![1]);
    expect(await goOn()).toEqual(['report', 'doctor', 'import', 'verify']);
    await ran({ kind: 'import', version: (await ask<DeskState>('state')).version });
    expect((await ask<ReportView>('report?of=plan')).report!.totals.failed).toBeGreaterThan(0);
    expect(await goOn()).toEqual(['report', 'doctor', 'import', 'verify', 'export-failed', 'retry']);
    const written = await run(['export-failed', '--config', config, '--out', 'failed.ndjson'], { folder });
    expect([written.code, existsSync(join(folder, 'failed.ndjson'))]).toEqual([0, true]);
  });

  it('say why they cannot be: no plan, no destination', async () => {
    const { counted, ran, ask, send } = await openDesk([slack], home.make());
    await counted();
    expect(await ran({ kind: 'rehearse' })).toMatchObject({
      ...{ outcome: 'Failed', exit: null },
      error: { message: expect.stringContaining('there is no plan'), hint: 'Plan first' },
    });
    const refused = await send(
      'run',
      JSON.stringify({ kind: 'import', version: (await ask<DeskState>('state')).version }),
    );
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { error: expect.objectContaining({ message: 'Cannot import: no destination is named' }) },
    ]);
  });

  it('show what another process does with the store, and wait for its end', async () => {
    const folder = home.make();
    const { counted, ask, send, ran } = await openDesk([slack], folder);
    await counted();
    await ran({ kind: 'plan' });
    const lock = takeLock(join(folder, 'chatferry.db'), 'import', Date.now());
    const shown = async () => (await ask<DeskState>('state')).run;
    await expect.poll(shown, { timeout: 20_000 }).toMatchObject({
      ...{ kind: 'import', isOurs: false, canStop: true, endedAtMs: null },
      stages: [expect.objectContaining({ done: 0, total: 33 })],
    });
    expect((await send('run', '{"kind":"plan"}')).status).toBe(409);
    lock.release();
    await expect.poll(shown, { timeout: 20_000 }).toMatchObject({ kind: 'plan', isOurs: true });
  });

  it('say what is wrong with a configuration that was broken meanwhile, until it is right again', async () => {
    const folder = home.make();
    const config = join(folder, 'own.yaml');
    writeFileSync(config, `export: ${slack}\n`);
    const { counted, ask, send } = await openDesk(['--config', config], folder);
    await counted();
    writeFileSync(config, 'export: [\n');
    expect(await ask<DeskState>('state')).toMatchObject({
      steps: [],
      error: { message: expect.stringContaining('own.yaml') },
    });
    expect((await send('run', '{"kind":"plan"}')).status).toBe(422);
    writeFileSync(config, `export: ${slack}\n`);
    const state = () => ask<DeskState>('state');
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ error: null, next: 'rehearse' });
  });
});

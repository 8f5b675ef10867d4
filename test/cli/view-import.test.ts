import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxPort } from '../../src/lib/sandbox-port.ts';
import type { ConversationPage, ViewerState } from '../../src/viewer/shapes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, start, testKey } from './in-process.ts';

const home = temporaryFolder();
const sample = join(import.meta.dirname, '../../samples/slack/every-feature/export');
/** No program can have this name, so no process starts. test/proofs/cli/open-page.test.ts opens a page. */
const env = { BROWSER: '\0', CHATFERRY_API_KEY: testKey };

/** Asks the viewer at an address that was printed, as a browser does that was let in. */
async function visitor(line: string | undefined) {
  const entrance = /http:\S+/.exec(line ?? '')![0];
  const { headers } = await fetch(entrance, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')!.split(';', 1)[0]!;
  return async <Answer>(name: string): Promise<Answer> => {
    const answer = await fetch(new URL(`/viewer/data/${name}`, entrance), { headers: { cookie } });
    return (await answer.json()) as Answer;
  };
}

describe('chatferry import --open', () => {
  it('shows the import and what arrived until it is stopped, and ends as the import did', async () => {
    const folder = home.make();
    const program = start(['import', sample, '--open', '--yes'], { folder, env });
    const ask = await visitor(await program.line('The viewer shows it'));
    const { run: shown, totals } = await ask<ViewerState>('state');
    expect(totals).toEqual({ conversations: 7, messages: 33 });
    expect(shown).toMatchObject({ command: 'import', destination: 'sandbox', endedAtMs: expect.any(Number) });
    expect(shown!.outcome).toMatch(/^33 messages arrived/);
    expect(shown!.stages.map(({ name }) => name)).toContain('Sending');
    program.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
  });

  it('is shown on a free port where another program has that to which the links of reports lead', async () => {
    const other = createServer();
    // If another program on this machine has the port, the port is taken as well.
    await once(other.listen(sandboxPort, '127.0.0.1'), 'listening').catch(() => {});
    onTestFinished(() => void other.close());
    const program = start(['import', sample, '--open', '--yes'], { folder: home.make(), env });
    const address = /http:\S+/.exec((await program.line('The viewer shows it')) ?? '')![0];
    expect(Number(new URL(address).port)).not.toBe(sandboxPort);
    program.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
  });

  it('is named at the end of an import into the sandbox', async () => {
    const { stdout } = await run(['import', sample, '--yes'], { folder: home.make(), env });
    expect(stdout).toMatch(/Next +(?:npx )?chatferry sandbox --open --data/);
  });

  it('has nothing to open where nothing is sent', async () => {
    const { code, stdout } = await run(['import', sample, '--open', '--dry-run'], { folder: home.make(), env });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('viewer?open')]);
  });
});

describe('chatferry sandbox', () => {
  it('prints an address for another browser once the first one was used', async () => {
    const program = start(['sandbox', '--port', '0', '--data', 'one.sandbox.db'], { folder: home.make(), env });
    const first = await program.line('Viewer: ');
    await visitor(first);
    const next = await program.line('Viewer for another browser: ');
    expect(await (await visitor(next))('state')).toMatchObject({ run: null });
    expect((await fetch(/http:\S+/.exec(first!)![0], { redirect: 'manual' })).status).toBe(403);
    program.kill('SIGTERM');
    await program.ended;
  });

  it('shows a message next to the row of the export, with the differences', async () => {
    const folder = home.make();
    await run(['import', sample, '--yes'], { folder, env });
    const args = ['sandbox', '--port', '0', '--open', '--data', 'chatferry.sandbox.db'];
    const program = start(args, { folder, env });
    const ask = await visitor(await program.line('Viewer: '));
    const { rows } = await ask<ConversationPage>('conversations?search=general');
    const found = await ask<{ rows: { id: string }[] }>(`messages?conversation=${rows[0]!.id}&from=0`);
    const compared = await ask<{
      stored: string;
      before: { location: string; row: string; losses: { what: string }[] };
    }>(`message?message=${found.rows[0]!.id}`);
    expect(compared.before.location).toMatch(/^general\/2026-03-02\.json#\/\d+$/);
    expect(JSON.parse(compared.before.row)).toMatchObject({ type: 'message' });
    expect(compared.before.losses.map(({ what }) => what)).toContain('reactions');
    const place = { conversation: rows[0]!.id, id: found.rows[0]!.id, position: 0 };
    expect(await ask(`place?message=${encodeURIComponent(compared.before.location)}`)).toEqual(place);
    expect(JSON.parse(compared.stored).data.text).toContain('Good morning!');
    program.kill('SIGTERM');
    await program.ended;
  });
});

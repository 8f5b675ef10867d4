import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { gatedServer } from './slow-server.ts';
import { run, start, testKey } from './in-process.ts';
import { everyFeature, smallExport } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

describe('chatferry status --watch', () => {
  it('prints a line for every change while another process imports, ends with it, and prints the totals', async () => {
    const folder = home.make();
    const server = await gatedServer(join(folder, 'server.db'), testKey);
    const args = ['import', everyFeature, '--to', server.url, '--yes', '--quiet'];
    const importing = start(args, { folder, env });
    await server.held();
    const watching = start(['status', '--watch', '--interval', '50ms'], { folder });
    const first = await watching.line('unconfirmed');
    expect(first).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:]{8}Z {2}import r1 at http.*: 0 of 33 settled, 0 pending, 33 unconfirmed$/,
    );
    server.open();
    expect(await importing.ended).toMatchObject({ code: 0 });
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('All 33 planned messages have arrived');
    const lines = stdout.split('\n').filter((line) => line.includes('settled'));
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('writes objects with --json, the totals last', async () => {
    const folder = home.make();
    const server = await gatedServer(join(folder, 'server.db'), testKey);
    const importing = start(['import', smallExport(folder), '--to', server.url, '--yes', '--quiet'], { folder, env });
    await server.held();
    const watching = start(['status', '--watch', '--interval', '50ms', '--json'], { folder });
    const first = JSON.parse((await watching.line('"unconfirmed":3'))!);
    expect(first).toMatchObject({ command: 'import', runId: 1, destination: server.url, totals: { planned: 3 } });
    server.open();
    await importing.ended;
    const { stdout } = await watching.ended;
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1)!)).toMatchObject({ command: 'status', imported: 3 });
  });

  it('prints the totals immediately if no import runs, and reports a missing store', async () => {
    const folder = home.make();
    expect(await run(['status', '--watch'], { folder })).toMatchObject({ code: 7 });
    await run(['import', everyFeature, '--quiet'], { folder });
    const { code, stdout } = await run(['status', '--watch'], { folder });
    expect(code).toBe(0);
    expect(stdout).toContain('All 33 planned');
    expect(stdout).not.toContain('settled');
  });

  it('ends at Ctrl-C', async () => {
    const folder = home.make();
    const server = await gatedServer(join(folder, 'server.db'), testKey);
    const importing = start(['import', smallExport(folder), '--to', server.url, '--yes', '--quiet'], { folder, env });
    await server.held();
    const watching = start(['status', '--watch', '--interval', '1h'], { folder });
    await watching.line('unconfirmed');
    watching.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ code: 130 });
    server.open();
    expect(await importing.ended).toMatchObject({ code: 0 });
  });
});

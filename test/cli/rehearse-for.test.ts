import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programName } from '../../src/cli/host.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { profiles } from '../../src/service/profiles.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { run as runAt, runJson as runJsonAt, testKey } from './in-process.ts';

const home = temporaryFolder();
const ann = userId(1);
const today = Date.parse('2026-11-21T12:00:00Z');
const daySeconds = 86_400;

/** A message that was sent so many seconds before a time, and so on. */
function exportOf(nowMs: number, ages: readonly number[]): string {
  const folder = home.make();
  const rows = ages.map((age, place) =>
    message(`${Math.floor(nowMs / 1000) - age}.000${100 + place}`, ann, `of ${age}`),
  );
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann')],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [ann] }],
    'general/2026-01-01.json': rows,
  });
  return folder;
}

const kept = 183 * daySeconds;
/** Two of four are too old for the hosted service, one of them by a second; one will be in a second. */
const ages = [300 * daySeconds, kept + 1, kept, daySeconds];

const at = (folder: string, clock = new VirtualClock(today)) => ({
  run: (...args: string[]) => runAt(args, { folder, clock, env: { CHATFERRY_API_KEY: testKey } }),
  async json(...args: string[]) {
    const { code, json } = await runJsonAt(args, { folder, clock, env: { CHATFERRY_API_KEY: testKey } });
    return { code, ...json };
  },
});

const twoOld = '2 of 4 planned messages are older than 183 days: the hosted service would refuse them';
const reportOf = (folder: string, end: string) => readFileSync(join(folder, `chatferry.report/report.${end}`), 'utf8');

describe('when it is unknown how long the destination keeps messages', () => {
  it('plan and a rehearsal say among their first lines how many are too old for the hosted service', async () => {
    const folder = exportOf(today, ages);
    const { run } = at(folder);
    for (const command of ['plan', 'import']) {
      const { stdout } = await run(command, 'export', '--format', 'html,markdown,json');
      expect(stdout.split('\n')[1]).toBe(`! ${twoOld}; --rehearse-for hosted applies the limits of the hosted service`);
      for (const end of ['html', 'md'])
        expect(reportOf(folder, end)).toContain(`>${twoOld}`.slice(end === 'md' ? 1 : 0));
      expect(JSON.parse(reportOf(folder, 'json')).oldMessages).toEqual({ days: 183, count: 2 });
    }
  });

  it('an address that is not of the hosted service is one, and what one says of it counts', async () => {
    const { run } = at(exportOf(today, ages));
    const to = ['--to', 'https://chat.example.com'];
    const { stdout } = await run('plan', 'export', ...to);
    expect(stdout).toContain(`${twoOld}; say with --retention-days how long this destination keeps messages`);
    for (const said of [
      ['--retention-days', 'unlimited'],
      ['--retention-days', '730'],
      ['--profile', 'hosted'],
    ])
      expect((await run('plan', 'export', ...to, ...said)).stdout).not.toContain('older than 183 days:');
    // The report of a store knows what was said for its plan.
    await run('plan', 'export', ...to, '--retention-days', 'unlimited');
    expect((await run('report')).stdout).not.toContain('older than 183 days');
  });

  it('doctor counts the planned messages that are too old', async () => {
    const { run } = at(exportOf(today, ages));
    const retention = async (...args: string[]) =>
      /^(\w+) +retention +(.*(?:\n +→.*)?)/m.exec((await run('doctor', ...args)).stdout)?.slice(1);
    expect(await retention()).toEqual(['ok', expect.stringContaining('Retention is unknown')]);
    await run('import', 'export');
    expect(await retention()).toEqual([
      'warning',
      expect.stringMatching(/, and 2 of 4 messages to be sent are\n +→ Rehearse with --rehearse-for hosted/),
    ]);
    expect(await retention('--retention-days', 'unlimited')).toEqual(['ok', expect.stringContaining('without limit')]);
    expect(await retention('--rehearse-for', 'hosted')).toEqual([
      'warning',
      expect.stringMatching(/^Messages older than 183 days are refused \(profile hosted\), and 2 of 4 messages/),
    ]);
    await run('import', 'export', '--rehearse-for', 'hosted', '--store', 'other.db');
    expect(await retention('--rehearse-for', 'hosted', '--store', 'other.db')).toEqual([
      'ok',
      expect.stringContaining('none that the store has to send is'),
    ]);
  });
});

describe('--rehearse-for', () => {
  it.each(['hosted', '1234567890abcdef', 'https://1234567890abcdef.api-us.cometchat.io'])(
    '%s goes by the limits of the hosted service, and says so',
    async (meant) => {
      const folder = exportOf(today, ages);
      const { run, json } = at(folder);
      expect(await json('import', 'export', '--rehearse-for', meant)).toMatchObject({
        code: 3,
        imported: 2,
        invalid: 2,
      });
      const { stdout } = await run('import', 'export', '--rehearse-for', meant);
      expect(stdout).toContain('\n! Rehearsed by the limits of the hosted service\n');
      expect(stdout).not.toContain('older than 183 days:');
      expect(stdout).toMatch(/invalid +2 .*too-old|too-old/);
      const options =
        meant === 'hosted'
          ? '--app-id … --region …'
          : meant.startsWith('https')
            ? `--to ${meant}`
            : `--app-id ${meant} --region …`;
      expect(stdout.trimEnd().split('\n').at(-1)?.trim()).toBe(`${programName} import export ${options}`);
      expect((await run('report')).stdout).toContain('Rehearsed by the limits of the hosted service');
    },
  );

  it('spec goes by those of the specification', async () => {
    const { run } = at(exportOf(today, ages));
    const { stdout } = await run('import', 'export', '--rehearse-for', 'https://chat.example.com');
    expect(stdout).toContain('! Rehearsed by the limits of the specification');
    expect(stdout.trimEnd().split('\n').at(-1)?.trim()).toBe(
      `${programName} import export --to https://chat.example.com`,
    );
  });

  it.each([[['--to', 'https://chat.example.com']], [['--app-id', '1', '--region', 'us']]])(
    'with %j sends nothing, and says why',
    async (to) => {
      const { run } = at(exportOf(today, ages));
      for (const command of ['plan', 'import'])
        expect(await run(command, 'export', '--rehearse-for', 'hosted', ...to)).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('Cannot rehearse at another destination than the embedded sandbox'),
        });
    },
  );

  it('is what --to sandbox means where chatferry.yaml names a destination', async () => {
    const folder = exportOf(today, ages);
    writeFileSync(join(folder, 'chatferry.yaml'), 'appId: 1234567890abcdef\nregion: us\n');
    const { stdout } = await at(folder).run('import', 'export', '--to', 'sandbox', '--config', 'chatferry.yaml');
    expect(stdout).toContain('Rehearsed by the limits of the hosted service');
    expect(stdout).toContain('import export --to https://1234567890abcdef.api-us.cometchat.io');
  });

  it('agrees with the import that follows, and leaves the totals of the real destination alone', async () => {
    const now = Date.now();
    const folder = exportOf(now, [300 * daySeconds, kept + 3600, kept - 3600, daySeconds]);
    const { json } = at(folder, systemClock as VirtualClock);
    const store = openSandboxStore(join(folder, 'server.db'));
    const { limits } = profiles.hosted;
    const sandbox = createSandbox({ store, apiKey: testKey, profile: 'hosted', limits, clock: systemClock });
    const served = await serveSandbox(sandbox);
    onTestFinished(async () => {
      await served.close(100);
      sandbox.close();
    });
    const invalidOf = () => {
      const { invalid, changedSince } = JSON.parse(reportOf(folder, 'json'));
      return { invalid, changedSince };
    };
    const totals = { code: 3, read: 4, planned: 2, imported: 2, invalid: 2, failed: 0, pending: 0 };
    expect(await json('import', 'export', '--rehearse-for', 'hosted')).toMatchObject(totals);
    const rehearsed = invalidOf();
    const real = ['--to', served.url, '--profile', 'hosted'];
    expect(await json('plan', 'export', ...real)).toMatchObject({ ...totals, imported: 0, pending: 2 });
    expect(await json('import', 'export', ...real, '--yes')).toMatchObject(totals);
    expect(rehearsed.invalid).toMatchObject([{ code: 'too-old', count: 2 }]);
    expect(invalidOf()).toEqual({ invalid: rehearsed.invalid, changedSince: [] });
  });
});

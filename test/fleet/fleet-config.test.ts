import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFleet } from '../../src/fleet/fleet-config.ts';
import { embeddedFlag } from '../../src/cli/operate/fleet-place.ts';
import { lineLog } from '../../src/cli/operate/worker.ts';
import { run, testHost } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** A folder in which a worker has made its PostgreSQL, or is about to. */
function fleetFolder(): string {
  const folder = home.make();
  writeFileSync(join(folder, 'postgres.lock'), '');
  return folder;
}

describe('loadFleet()', () => {
  it('finds the fleet in a folder that is named, before any database of the surroundings', () => {
    const embedded = fleetFolder();
    const env = { CHATFERRY_FLEET_DATABASE: 'postgres://ferry@db.example.com/ferry' };
    expect(loadFleet({ env, embedded })).toMatchObject({
      embedded,
      database: undefined,
      files: { files: join(embedded, 'files') },
      work: join(embedded, 'work'),
    });
  });

  it.each(['missing', 'empty'])('refuses a folder that is %s: only a worker makes a fleet', (folder) => {
    const embedded = join(home.make(), folder);
    if (folder === 'empty') mkdirSync(embedded);
    expect(() => loadFleet({ env: {}, embedded })).toThrow(`Cannot use the fleet in "${embedded}"`);
    expect(loadFleet({ env: {}, embedded, makes: true })).toMatchObject({ embedded });
  });
});

describe('the fleet of a worker with a folder of its own', () => {
  it('is named by a flag, which the folder of every command needs not', () => {
    expect(embeddedFlag('/srv/my fleet')).toBe(" --embedded '/srv/my fleet'");
    expect(embeddedFlag(resolve('chatferry-fleet'))).toBe('');
  });

  it('is shown by the worker, with the lines to use', () => {
    const { host, stdout } = testHost({ folder: home.make() });
    const facts = { worker: 'w', leases: 1, database: 'postgres', files: '/srv/fleet/files', metrics: null };
    lineLog(host, false).started({ ...facts, embedded: '/srv/fleet' });
    expect(stdout.text).toContain(
      'For this fleet: chatferry submit --embedded /srv/fleet EXPORT …, chatferry fleet status --embedded /srv/fleet\n',
    );
    lineLog(host, false).started({ ...facts, embedded: null });
    expect(stdout.text.match(/For this fleet/g)).toHaveLength(1);
  });

  it.each(['submit export.ndjson', 'fleet init', 'fleet status', 'fleet pause acme', 'fleet open acme/one'])(
    'is asked for by chatferry %s --embedded DIR',
    async (line) => {
      const { code, stderr } = await run([...line.split(' '), '--embedded', './no-fleet'], { folder: home.make() });
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('fleet in "./no-fleet"') });
    },
  );
});

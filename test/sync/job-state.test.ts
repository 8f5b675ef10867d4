import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { readOverview } from '../../src/sync/job-overview.ts';
import { openJobState, openJobStateToRead, recordRunStart } from '../../src/sync/job-state.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { jobsOf } from './fixture.ts';

const home = temporaryFolder();
const at = Date.parse('2026-11-21T12:30:00Z');

const numbered = (version: number) => (path: string) => {
  openJobState(path, at).close();
  const db = openDatabase(path);
  db.pragma(`user_version = ${version}`);
  db.close();
};

describe('openJobState()', () => {
  it('is for its owner only, and for one process at a time', () => {
    const path = join(home.make(), 'jobs.db');
    const state = openJobState(path, at);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => openJobState(path, at)).toThrow(
      /^Cannot run the jobs of ".*": held by "chatferry sync", process \d+ on .*, since 2026-11-21T12:30:00.000Z$/,
    );
    expect(openJobStateToRead(path)).toBeDefined();
    state.close();
    openJobState(path, at).close();
  });

  it.each([
    [
      'something else',
      (path: string) => writeFileSync(path, 'hello, this is no database at all'),
      'it is not a SQLite database',
    ],
    [
      'a database of another kind',
      (path: string) => {
        const db = openDatabase(path);
        db.exec('CREATE TABLE x (y)');
        db.close();
      },
      'it is a database of another program',
    ],
    ['the state of a newer version', numbered(999), 'a newer version of Chatferry wrote it'],
    ['a state that was made before 0.1', numbered(2), 'it was made before 0.1'],
  ])('refuses %s', (_, write, words) => {
    const path = join(home.make(), 'jobs.db');
    write(path);
    expect(() => openJobState(path, at)).toThrow(words);
    expect(() => openJobState(path, at)).toThrow(
      expect.objectContaining({ hint: expect.not.stringMatching(/--store|reconcile/) }),
    );
    // The lock is not kept.
    expect(() => openJobState(path, at)).toThrow(words);
  });
});

describe('readOverview()', () => {
  const yaml = `jobs:
  - { name: hourly, to: sandbox, export: x, schedule: '0 * * * *', hours: 14:00-20:00 }
  - { name: by-hand, to: sandbox, export: x }`;

  function sceneOf(text = yaml) {
    const folder = home.make();
    const path = join(folder, 'jobs.db');
    const config = { jobs: jobsOf(folder, text).map((job) => job.config), sync: { state: path } };
    return { path, look: () => readOverview(config, at) };
  }

  it('knows when jobs run that never ran, and makes no file', () => {
    const { path, look } = sceneOf();
    expect(look()).toEqual({
      process: null,
      jobs: [
        { name: 'hourly', running: null, cutOff: null, last: null, nextAtMs: Date.parse('2026-11-21T14:00Z') },
        { name: 'by-hand', running: null, cutOff: null, last: null, nextAtMs: null },
      ],
    });
    expect(existsSync(path)).toBe(false);
  });

  it('distinguishes a killed run from one of the next process', () => {
    const { path, look } = sceneOf();
    const killed = openJobState(path, at - 90_000_000);
    recordRunStart(killed.db, 'hourly', { cause: 'schedule', nowMs: at - 86_400_000, schedule: 'x', dueAtMs: at + 1 });
    killed.close();
    const state = openJobState(path, at - 1000);
    expect(look()).toMatchObject({
      jobs: [{ running: null, cutOff: { number: 1 }, nextAtMs: Date.parse('2026-11-21T14:00Z') }, {}],
    });
    state.close();
  });

  it('returns when the next run is due while one is running', () => {
    const { path, look } = sceneOf(yaml.replace(', hours: 14:00-20:00', ', jitter: 10m'));
    const state = openJobState(path, at - 1000);
    const schedule = '0 * * * * UTC 600000';
    const dueAtMs = Date.parse('2026-11-21T13:07Z');
    recordRunStart(state.db, 'hourly', { cause: 'schedule', nowMs: at - 500, schedule, dueAtMs });
    expect(look()).toMatchObject({ jobs: [{ running: { number: 1 }, nextAtMs: dueAtMs }, {}] });
    state.close();
  });

  it('distinguishes a current run from a killed one', () => {
    const { path, look } = sceneOf();
    const state = openJobState(path, at - 1000);
    recordRunStart(state.db, 'hourly', { cause: 'schedule', nowMs: at - 500, schedule: 'x', dueAtMs: at + 1 });
    expect(look()).toMatchObject({
      process: { pid: process.pid, sinceMs: at - 1000 },
      jobs: [{ running: { number: 1, cause: 'schedule', sinceMs: at - 500 }, cutOff: null }, { running: null }],
    });
    state.close();
    expect(look()).toMatchObject({
      process: null,
      jobs: [{ running: null, cutOff: { number: 1, sinceMs: at - 500 } }, {}],
    });
  });
});

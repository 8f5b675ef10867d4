import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run as runAt, runJson as runJsonAt } from './in-process.ts';

const home = temporaryFolder();
const [ann, bob] = [userId(1), userId(2)];
const today = Date.parse('2026-11-21T12:00:00Z');
const dayMs = 86_400_000;

const rowAt = (ms: number, author: string, text: string) => message(`${Math.floor(ms / 1000)}.000100`, author, text);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** An export with a message of each of some ages in days, oldest first, in a file for each day. */
function exportOf(...ages: readonly number[]): string {
  const folder = home.make();
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann, 'Ann'), user(bob, 'Bob')],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [ann, bob] }],
  });
  for (const age of ages) addDay(folder, today - age * dayMs);
  return folder;
}

function addDay(folder: string, ms: number): void {
  const path = join(folder, `export/general/${dayOf(ms)}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify([rowAt(ms, ann, `of ${dayOf(ms)}`)]));
}

/** Runs commands on a clock that stays at the given time. */
function at(folder: string, ms: number) {
  const clock = new VirtualClock(ms);
  return {
    run: (...args: string[]) => runAt(args, { folder, clock }),
    async json(...args: string[]) {
      const { code, json } = await runJsonAt(args, { folder, clock });
      return { code, ...json };
    },
  };
}

const kept = ['--profile', 'hosted', '--retention-days', '30'];

describe('a plan that was made while the clock was wrong', () => {
  it('is made again once it is right: messages too far in the future are sent', async () => {
    const folder = exportOf(20, 10);
    const wrong = at(folder, today - 3650 * dayMs);
    expect(await wrong.json('import', 'export')).toMatchObject({ code: 3, invalid: 2, imported: 0 });
    const right = at(folder, today);
    expect(await right.json('import', 'export')).toMatchObject({ code: 0, invalid: 0, imported: 2, unconfirmed: 0 });
  });

  it('is made again once it is right: messages that were too old are sent', async () => {
    const folder = exportOf(20, 10);
    expect(await at(folder, today + 3650 * dayMs).json('import', 'export', ...kept)).toMatchObject({ invalid: 2 });
    expect(await at(folder, today).json('import', 'export', ...kept)).toMatchObject({ code: 0, imported: 2 });
  });

  it.each(['skip', 'reject'])('is made again for messages.olderThan with old: %s', async (old) => {
    const folder = exportOf(20, 10);
    writeFileSync(join(folder, 'm.yaml'), `version: 1\nmessages: { olderThan: 15d, old: ${old} }\n`);
    const args = ['plan', 'export', '--mapping', 'm.yaml'];
    expect(await at(folder, today + 30 * dayMs).json(...args)).toMatchObject({ planned: 0 });
    expect(await at(folder, today).json(...args)).toMatchObject({ planned: 1 });
    expect(await at(folder, today - 10 * dayMs).json(...args)).toMatchObject({ planned: 2 });
    expect(await at(folder, today + 30 * dayMs).json(...args)).toMatchObject({ planned: 0 });
  });

  it('withdraws messages that it planned while the clock was ahead', async () => {
    const folder = exportOf(20, -10);
    expect(await at(folder, today + 20 * dayMs).json('plan', 'export')).toMatchObject({ planned: 2 });
    expect(await at(folder, today).json('import', 'export')).toMatchObject({ code: 3, imported: 1, invalid: 1 });
  });

  it('reads nothing again if no verdict changes', async () => {
    const folder = exportOf(20, 10);
    await at(folder, today).run('plan', 'export', ...kept);
    const { stderr } = await at(folder, today + 5 * dayMs).run('plan', 'export', ...kept);
    expect(stderr).toContain('nothing changed since the last plan');
  });
});

describe('a message that grows old', () => {
  it('is invalid in the next plan if it was not sent', async () => {
    const folder = exportOf(29.5, 10);
    expect(await at(folder, today).json('plan', 'export', ...kept)).toMatchObject({ code: 0, planned: 2 });
    const later = at(folder, today + dayMs);
    expect(await later.json('import', 'export', ...kept)).toMatchObject({ code: 3, invalid: 1, imported: 1 });
  });

  it('stays imported if it was sent in time, even when its file is read again', async () => {
    const folder = exportOf(29.5, 10);
    expect(await at(folder, today).json('import', 'export', ...kept)).toMatchObject({ code: 0, imported: 2 });
    const later = at(folder, today + 100 * dayMs);
    appendFileSync(join(folder, `export/general/${dayOf(today - 29.5 * dayMs)}.json`), '\n');
    addDay(folder, today + 99 * dayMs);
    writeFiles(join(folder, 'export'), { 'users.json': [user(ann, 'Anna'), user(bob, 'Bob')] });
    expect(await later.json('import', 'export', ...kept)).toMatchObject({ code: 0, imported: 3, invalid: 0 });
  });

  it('is checked once more before it is sent, and fails if it is too old by then', async () => {
    const folder = exportOf(29.9, 29.5, 10);
    expect(await at(folder, today).json('plan', 'export', ...kept)).toMatchObject({ planned: 3 });
    // Without the export nothing is planned again.
    const later = at(folder, today + dayMs);
    const ended = await later.json('import', ...kept);
    expect(ended).toMatchObject({ code: 3, imported: 1, failed: 2, pending: 0, invalid: 0 });
    const { stdout } = await later.run('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ failed: 2 });
    const again = await later.json('retry', '--code', 'too-old', ...kept);
    expect(again).toMatchObject({ code: 3, imported: 1, failed: 2, pending: 0 });
  });

  it('is forecast if it will be too old by its turn', async () => {
    const folder = exportOf(10);
    const edge = today - 30 * dayMs + 60_000;
    const rows = Array.from({ length: 400 }, (_, index) => rowAt(edge + index * 1000, bob, `row ${index}`));
    writeFiles(join(folder, 'export'), { [`general/${dayOf(edge)}.json`]: rows });
    const slow = ['plan', 'export', ...kept, '--rate', '2'];
    const { code, stdout } = await at(folder, today).run(...slow);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    // 3 requests for people, and 9 for 401 messages, at 2 a minute: 6 minutes, and the oldest has one left.
    expect(stdout).toMatch(/^ +Which messages have to go before they are too old\? {2}300 messages$/m);
    const unhurried = await at(folder, today).run('plan', 'export', ...kept);
    expect(unhurried.stdout).not.toContain('too-old-by-its-turn');
  });
});

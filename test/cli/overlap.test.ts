import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();

/** Returns the output of a plan of both exports, in this order. */
async function planned(exports: Readonly<Record<string, Readonly<Record<string, unknown>>>>, order: readonly string[]) {
  const folder = home.make();
  for (const [name, files] of Object.entries(exports)) {
    for (const [path, value] of Object.entries(files)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(value));
    }
  }
  const { code, stdout, stderr } = await run(['plan', ...order], { folder });
  expect(code, stderr).toBe(0);
  return stdout + stderr;
}

describe('plan of two exports that overlap', () => {
  it('takes the row that was updated later, in whatever order they are named', async () => {
    const row = {
      _id: 'm1',
      rid: 'GENERAL',
      msg: 'tick',
      ts: { $date: '2026-03-02T09:15:01.000Z' },
      u: { _id: 'u1', username: 'ines' },
    };
    const files = (day: number, more: object) => ({
      'rocketchat_message.json': { ...row, _updatedAt: { $date: `2026-03-0${day}T09:15:01.000Z` }, ...more },
      'rocketchat_room.json': { _id: 'GENERAL', t: 'c', name: 'general' },
      'users.json': { _id: 'u1', username: 'ines', name: 'Ines' },
    });
    const exports = {
      before: files(2, {}),
      after: files(5, { pinned: true, reactions: { ':+1:': { usernames: ['ines'] } } }),
    };
    const plans = [await planned(exports, ['before', 'after']), await planned(exports, ['after', 'before'])];
    for (const said of plans) {
      expect(said).toMatch(/1 {2}reactions.*1 {2}pins/s);
      expect(said).not.toContain('version-undecided');
    }
  });

  it('asks where nothing says which state is later', async () => {
    const files = (more: object) => ({
      'channels.json': [{ id: 'C1', name: 'general', created: 1, members: ['U1'] }],
      'users.json': [{ id: 'U1', team_id: 'T1', name: 'ines', profile: { display_name: 'Ines' } }],
      'general/2026-03-02.json': [{ type: 'message', user: 'U1', text: 'tide', ts: '1772442900.000100', ...more }],
    });
    const exports = { before: files({}), after: files({ reactions: [{ name: 'wave', users: ['U1'], count: 1 }] }) };
    for (const order of [
      ['before', 'after'],
      ['after', 'before'],
    ])
      expect(await planned(exports, order)).toMatch(/Needs your decision.*version-undecided/s);
  });
});

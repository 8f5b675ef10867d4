import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();

type Exports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function writeExports(folder: string, exports: Exports): void {
  for (const [name, files] of Object.entries(exports)) {
    for (const [path, value] of Object.entries(files)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(value));
    }
  }
}

/** Returns the output of a plan of both exports, in this order. */
async function planned(exports: Exports, order: readonly string[]) {
  const folder = home.make();
  writeExports(folder, exports);
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

  const wave = { reactions: [{ name: 'wave', users: ['U1'], count: 1 }] };
  const edited = { text: 'tide, really', edited: { user: 'U1', ts: '1772443000.000000' } };
  const slack = (...messages: readonly object[]) => ({
    'channels.json': [{ id: 'C1', name: 'general', created: 1, members: ['U1'] }],
    'users.json': [{ id: 'U1', team_id: 'T1', name: 'ines', profile: { display_name: 'Ines' } }],
    'general/2026-03-02.json': messages.map((more, at) => ({
      ...{ type: 'message', user: 'U1', text: `tide ${at}`, ts: `177244290${at}.000100` },
      ...more,
    })),
  });
  const bothOrders = [
    ['before', 'after'],
    ['after', 'before'],
  ];

  it.each([
    ['an edit', { before: slack({}, {}), after: slack(wave, edited) }],
    [
      'a reply that the other does not have',
      {
        before: slack({}),
        after: slack(wave, { thread_ts: '1772442900.000100', parent_user_id: 'U1' }),
      },
    ],
    ['later messages', { before: slack({}), after: slack(wave, {}) }],
    ['an edit in one that lacks the last messages', { before: slack({}, {}, {}), after: slack(wave, edited) }],
  ])('takes the state of the export that is later by %s, and asks nothing', async (_, exports) => {
    for (const order of bothOrders) {
      const said = await planned(exports, order);
      expect(said).toMatch(/1 {2}reactions/);
      expect(said).not.toContain('version-undecided');
    }
  });

  it.each([
    ['edits contradict each other', { before: slack(edited, {}, {}), after: slack({}, edited, wave) }],
    [
      'the later message is in another conversation',
      {
        before: slack({}),
        after: {
          ...slack(wave),
          'random/2026-03-02.json': [{ type: 'message', user: 'U1', text: 'b', ts: '1772452900.000100' }],
        },
      },
    ],
  ])('asks if %s', async (_, exports) => {
    for (const order of bothOrders) expect(await planned(exports, order)).toContain('version-undecided');
  });

  it('asks if later messages are all that says it, and an export says that it lacks a part', async () => {
    const event = (id: number, type: string, content: object) => ({
      ...{ type, event_id: `$${id}`, room_id: '!quay:example.com', sender: '@ines:example.com' },
      ...{ origin_server_ts: 1_772_442_900_000 + id, content },
    });
    const [first, second] = [1, 3].map((id) => event(id, 'm.room.message', { msgtype: 'm.text', body: `tide ${id}` }));
    const liked = event(2, 'm.reaction', { 'm.relates_to': { rel_type: 'm.annotation', event_id: '$1', key: '👋' } });
    const files = (chunk: readonly unknown[], end: object) => ({ 'messages.json': { chunk, start: 't9', ...end } });
    const after = files([second, liked, first], {});
    for (const order of bothOrders) {
      expect(await planned({ before: files([first], {}), after }, order)).not.toContain('version-undecided');
      expect(await planned({ before: files([first], { end: 't1' }), after }, order)).toContain('version-undecided');
    }
  });

  it('takes the same state when everything is read again', async () => {
    const exports = { before: slack({}), after: slack(wave, {}) };
    const [folder, mapping] = [home.make(), 'version: 1\nmessages: { deleted: skip }\n'];
    writeExports(folder, exports);
    for (const rules of ['version: 1\n', mapping]) {
      writeFileSync(join(folder, 'mapping.yaml'), rules);
      const { stdout } = await run(['plan', 'after', 'before', '--mapping', 'mapping.yaml'], { folder });
      expect(stdout).toMatch(/1 {2}reactions/);
      expect(stdout).not.toContain('version-undecided');
    }
  });

  it('asks where nothing says which state is later', async () => {
    const exports = { before: slack({}), after: slack(wave) };
    for (const order of bothOrders)
      expect(await planned(exports, order)).toMatch(/Needs your decision.*version-undecided/s);
  });
});

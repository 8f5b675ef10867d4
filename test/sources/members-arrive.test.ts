import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ReportData } from '../../src/report/report-data.ts';
import { run } from '../cli/in-process.ts';
import { confirmReading } from '../scenes/confirm-reading.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const samples = join(import.meta.dirname, '../../samples');

/** `conversation person scope`, with ids of the export. */
type Member = `${string} ${string} ${'admin' | 'moderator' | 'participant'}`;

const json = (path: string) => JSON.parse(readFileSync(join(samples, path), 'utf8'));

/** Rows of a database, without Chatferry's code. */
function select<Row>(path: string, sql: string): Row[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

/** Imports into a sandbox that is like the hosted service, and returns the members of its groups. */
async function membersAfterImport(folder: string, ...args: readonly string[]): Promise<Member[]> {
  const always = ['--rehearse-for', 'hosted', '--retention-days', 'unlimited', '--quiet'];
  const done = await run(['import', ...args, ...always, '--yes'], { folder });
  expect(done.code, done.stdout + done.stderr).toBe(0);
  const store = join(folder, 'chatferry.db');
  const source = (table: string, key: string) =>
    new Map(
      select<{ id: string; source_id: string }>(store, `SELECT ${key} AS id, source_id FROM ${table}`).map((row) => [
        row.id,
        row.source_id,
      ]),
    );
  const [people, conversations] = [source('person', 'uid'), source('conversation', 'guid')];
  const found = select<{ guid: string; uid: string; scope: string }>(
    join(folder, 'chatferry.sandbox.db'),
    'SELECT guid, uid, scope FROM group_member',
  );
  return found.map(({ guid, uid, scope }) => `${conversations.get(guid)} ${people.get(uid)} ${scope}` as Member).sort();
}

describe('groups at the destination have the members of the export, with their rights, and no one who left', () => {
  const importSample = (sample: string) => membersAfterImport(home.make(), join(samples, sample, 'export'));

  it('Slack', async () => {
    const lists = ['channels', 'groups', 'mpims'].flatMap((list) => json(`slack/every-feature/export/${list}.json`));
    const expected = (lists as { id: string; members: string[] }[])
      // No one has written there.
      .filter(({ id }) => id !== 'C05QUIET01')
      .flatMap(({ id, members }) => members.map((user): Member => `${id} ${user} participant`));
    expect(expected.length).toBeGreaterThan(10);
    // Notes to oneself are a group of one.
    expect(await importSample('slack/every-feature')).toEqual(
      [...expected, 'D05INESELF U05HLINES1 participant'].sort(),
    );
  });

  it('Mattermost', async () => {
    const lines = readFileSync(join(samples, 'mattermost/every-feature/export/import.jsonl'), 'utf8');
    const rows = lines
      .split('\n')
      .flatMap((line) => (line.startsWith('{"type":"user"') ? [JSON.parse(line).user] : []));
    const expected = rows.flatMap(({ username, teams }) =>
      teams.flatMap(({ name, channels }: { name: string; channels: { name: string; roles: string }[] }) =>
        channels.map(
          (channel): Member =>
            `${name}/${channel.name} ${username} ${channel.roles.includes('channel_admin') ? 'admin' : 'participant'}`,
        ),
      ),
    );
    const alone = ['ines', 'kay', 'tomasz.k'].map((user): Member => `ines,kay,tomasz.k ${user} participant`);
    expect(expected.filter((one) => one.endsWith('admin'))).toHaveLength(1);
    expect(await importSample('mattermost/every-feature')).toEqual(
      [...expected, ...alone, 'ines ines participant'].sort(),
    );
  });

  it('Zulip', async () => {
    interface Subscription {
      readonly user_profile: number;
      readonly recipient: number;
      readonly active: boolean;
      readonly role?: number;
    }
    const names: Readonly<Record<number, string>> = { 31: 'stream-5', 32: 'stream-6', 41: 'group-41' };
    const { zerver_subscription: rows } = json('zulip/whole-export/export/realm.json') as {
      readonly zerver_subscription: readonly Subscription[];
    };
    const expected = rows
      .filter(({ active, recipient }) => active && names[recipient] !== undefined)
      .map((row): Member => {
        // A group of users administers the second stream.
        const isAdmin = row.role === 20 || row.recipient === 32;
        return `${names[row.recipient]!} ${row.user_profile} ${isAdmin ? 'admin' : 'participant'}`;
      });
    expect(rows.some(({ active }) => !active)).toBe(true);
    expect(expected.filter((one) => one.endsWith('admin'))).toEqual(['stream-5 9 admin', 'stream-6 9 admin']);
    expect(await importSample('zulip/whole-export')).toEqual([...expected, 'dm-9-9 9 participant'].sort());
  });

  it('Discord, which lists who is on a server, and not who is in a channel', async () => {
    const folder = home.make();
    const sample = join(samples, 'discord/fetched/export');
    const answer = (members: string) => {
      writeFileSync(join(folder, 'mapping.yaml'), `version: 1\nconversations: { members: ${members} }\n`);
      return membersAfterImport(folder, sample, '--mapping', 'mapping.yaml');
    };
    expect(await membersAfterImport(folder, sample)).toEqual([]);
    const report: ReportData = JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8'));
    const asked = report.decisions.find(({ id }) => id === 'members-not-listed')!;
    expect(asked).toMatchObject({ about: { count: 11, of: 'messages' }, answer: null });
    expect(asked.examples).toContainEqual(
      expect.stringMatching(/^1480000000000000102: 2 people wrote 2 messages, for example /),
    );
    expect(report.arrivals!.kinds.members).toMatchObject({ read: 7, planned: 0, skipped: 7 });
    expect(await answer('none')).toEqual([]);
    // Threads and posts are part of their channel.
    const [harbour, forum, announcements] = ['1480000000000000100', '1480000000000000102', '1480000000000005000'];
    const wrote = [
      ...['310000000000000001', '310000000000000002', '310000000000000009', '310000000000000077:Harbour news'].map(
        (user): Member => `${harbour} ${user} participant`,
      ),
      ...['310000000000000002', '310000000000000003'].map((user): Member => `${forum} ${user} participant`),
      `${announcements} 310000000000000001 participant`,
    ];
    expect(await answer('writers')).toEqual(wrote);
  });

  it('a database whose mapping names the roles', async () => {
    const folder = home.make();
    const sample = join(samples, 'database/mapping-own-database');
    const args = [join(sample, 'export.sqlite'), '--mapping', join(sample, 'mapping.yaml')];
    const expected = select<{ conversation_id: string; user_id: string; role: string }>(
      args[0]!,
      "SELECT DISTINCT conversation_id, user_id, role FROM members WHERE conversation_id NOT IN (SELECT id FROM conversations WHERE kind = 'direct')",
    ).map((row): Member => {
      return `${row.conversation_id} ${row.user_id} ${row.role === 'owner' ? 'admin' : 'participant'}`;
    });
    expect(await membersAfterImport(folder, ...args)).toEqual(expected.sort());
  });

  it.each([
    {
      what: 'words of roles and times of leaving',
      columns: 'role TEXT NOT NULL, joined_at TEXT NOT NULL, left_at TEXT',
      members: [
        `('r1', 'u1', 'administrator', '2026-01-05T08:00:00Z', NULL)`,
        `('r1', 'u2', 'mod', '2026-01-05T08:00:00Z', NULL)`,
        `('r1', 'u3', 'member', '2026-01-05T08:00:00Z', '2026-02-01T08:00:00Z')`,
        `('r2', 'u2', 'member', '2026-01-06T08:00:00Z', NULL)`,
        `('r2', 'u3', 'administrator', '2026-01-06T08:00:00Z', NULL)`,
      ],
      answers: ['source.members.only.left_at={"filled": false}'],
      expected: ['r1 u1 admin', 'r1 u2 moderator', 'r2 u2 participant', 'r2 u3 admin'],
      joined: [1767600000, 1767600000, 1767686400, 1767686400],
      left: 1,
    },
    {
      what: 'times of leaving that the mapping names',
      columns: 'role TEXT NOT NULL, joined_at TEXT NOT NULL, left_at TEXT',
      members: [
        `('r1', 'u1', 'administrator', '2026-01-05T08:00:00Z', NULL)`,
        `('r1', 'u2', 'mod', '2026-01-05T08:00:00Z', NULL)`,
        `('r1', 'u3', 'member', '2026-01-05T08:00:00Z', '2026-02-01T08:00:00Z')`,
        `('r2', 'u2', 'member', '2026-01-06T08:00:00Z', NULL)`,
        `('r2', 'u3', 'administrator', '2026-01-06T08:00:00Z', NULL)`,
      ],
      answers: ['source.members.leftAt=left_at', 'source.members.only.left_at={"any": true}'],
      expected: ['r1 u1 admin', 'r1 u2 moderator', 'r2 u2 participant', 'r2 u3 admin'],
      joined: [1767600000, 1767600000, 1767686400, 1767686400],
      left: 1,
    },
    {
      what: 'a flag for those who are banned',
      columns: 'is_banned INTEGER NOT NULL, joined_at TEXT NOT NULL',
      members: [
        `('r1', 'u1', 0, '2026-01-05T08:00:00Z')`,
        `('r1', 'u2', 0, '2026-01-05T08:00:00Z')`,
        `('r1', 'u3', 1, '2026-01-05T08:00:00Z')`,
        `('r2', 'u2', 0, '2026-01-06T08:00:00Z')`,
        `('r2', 'u3', 0, '2026-01-06T08:00:00Z')`,
      ],
      answers: ['source.members.only.is_banned=["0"]'],
      expected: ['r1 u1 participant', 'r1 u2 participant', 'r2 u2 participant', 'r2 u3 participant'],
      joined: [1767600000, 1767600000, 1767686400, 1767686400],
      banned: ['r1 u3'],
    },
    {
      what: 'a flag for administrators',
      columns: 'is_admin INTEGER NOT NULL, created_at TEXT NOT NULL',
      members: [
        `('r1', 'u1', 1, '2026-01-05T08:00:00Z')`,
        `('r1', 'u2', 0, '2026-01-05T08:00:00Z')`,
        `('r2', 'u2', 0, '2026-01-06T08:00:00Z')`,
        `('r2', 'u3', 1, '2026-01-06T08:00:00Z')`,
      ],
      answers: [],
      expected: ['r1 u1 admin', 'r1 u2 participant', 'r2 u2 participant', 'r2 u3 admin'],
      joined: [1767600000, 1767600000, 1767686400, 1767686400],
    },
  ])(
    'a database with $what, as init reads it',
    async ({ columns, members, answers, expected, joined, left = 0, banned = [] }) => {
      const folder = home.make();
      const path = join(folder, 'app.sqlite');
      const db = new Database(path);
      db.exec(`CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE rooms (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL);
      CREATE TABLE room_members (room_id TEXT NOT NULL REFERENCES rooms (id), user_id TEXT NOT NULL REFERENCES users (id), ${columns});
      CREATE TABLE messages (id TEXT PRIMARY KEY, room_id TEXT NOT NULL REFERENCES rooms (id), user_id TEXT NOT NULL REFERENCES users (id),
        body TEXT NOT NULL, created_at TEXT NOT NULL);
      INSERT INTO users VALUES ('u1', 'Ines Bruun'), ('u2', 'Tomasz Kowal'), ('u3', 'Mei Lin');
      INSERT INTO rooms VALUES ('r1', 'Harbour', '2026-01-05T07:00:00Z'), ('r2', 'Crane', '2026-01-05T07:00:00Z');
      INSERT INTO room_members VALUES ${members.join(', ')};
      INSERT INTO messages VALUES ('m1', 'r1', 'u1', 'Who has the key to the pier', '2026-03-02T09:00:00Z'),
        ('m2', 'r1', 'u2', 'It hangs next to the door', '2026-03-02T09:01:00Z'), ('m3', 'r2', 'u2', 'The crane is free', '2026-03-02T09:02:00Z'),
        ('m4', 'r2', 'u3', 'I take it until noon', '2026-03-02T09:03:00Z')`);
      db.close();
      const sets = ['source.conversations.type={"constant": "private"}', ...answers].flatMap((text) => ['--set', text]);
      const init = await run(['init', 'app.sqlite', '--yes', ...sets], { folder });
      expect(init.code, init.stdout + init.stderr).toBe(0);
      await confirmReading(folder, 'app.sqlite');
      expect(await membersAfterImport(folder, 'app.sqlite')).toEqual(expected);
      const times = select<{ joined_at: number }>(
        join(folder, 'chatferry.sandbox.db'),
        'SELECT joined_at FROM group_member ORDER BY guid, uid',
      );
      expect(times.map(({ joined_at }) => joined_at)).toEqual(joined);
      const bans = select<{ guid: string; uid: string }>(
        join(folder, 'chatferry.sandbox.db'),
        'SELECT * FROM group_ban',
      );
      expect(bans.map(({ guid, uid }) => `${guid} ${uid}`)).toEqual(banned);
      const report: ReportData = JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8'));
      const gone = report.arrivals!.skipped.filter(({ reason }) => reason === 'left the group');
      expect(gone.map(({ count }) => count)).toEqual(left === 0 ? [] : [left]);
    },
  );
});

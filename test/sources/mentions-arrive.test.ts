import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { listSamples } from '../contracts/samples.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const project = join(import.meta.dirname, '../..');

interface Arrived {
  readonly users: readonly string[];
  /** `guid uid` */
  readonly members: readonly string[];
  /** Uids that messages say they mention. */
  readonly mentioned: readonly string[];
}

/** Imports into a sandbox, and looks at it. */
async function imported(folder: string, from: readonly string[], rehearseFor: 'hosted' | 'spec'): Promise<Arrived> {
  const options = ['--rehearse-for', rehearseFor, '--retention-days', 'unlimited', '--quiet', '--yes'];
  const done = await run(['import', ...from, ...options], { folder });
  expect([0, 3], done.stdout + done.stderr).toContain(done.code);
  const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
  const pluck = (sql: string) => db.prepare<[], string>(sql).pluck().all();
  try {
    return {
      users: pluck('SELECT id FROM user'),
      members: pluck("SELECT guid || ' ' || uid FROM group_member"),
      mentioned: pluck(
        "SELECT DISTINCT u.value FROM message m, json_each(m.data, '$.metadata.chatferry.mentions') u ORDER BY 1",
      ),
    };
  } finally {
    db.close();
  }
}

const withMentions = listSamples().filter(({ folder }) =>
  readFileSync(join(folder, 'expected.ndjson'), 'utf8').includes('"mentions"'),
);

describe('people whom a message mentions exist at the hosted service after an import', () => {
  it.each(withMentions.map((sample) => [`${sample.source}/${sample.name}`, sample] as const))(
    '%s',
    async (_, sample) => {
      const exports = globSync(join(project, sample.folder, 'export*')).sort();
      const folder = home.make();
      // Some mention people in internal messages alone.
      const kept = 'version: 1\nmessages: { internal: keep, restricted: keep, system: keep, deleted: keep }\n';
      writeFileSync(join(folder, 'mapping.yaml'), kept);
      const { users, mentioned } = await imported(folder, [...exports, '--mapping', 'mapping.yaml'], 'hosted');
      expect(mentioned.length).toBeGreaterThan(0);
      expect(mentioned.filter((uid) => !users.includes(uid))).toEqual([]);
    },
  );
});

const says = (conversation: string, id: string, more: object) => ({
  kind: 'message',
  origin: { source: 'test', workspace: 'w', conversation, id },
  sortKey: id,
  sentAtMs: Date.UTC(2026, 2, 2, 9, Number(id)),
  author: 'ann',
  ...more,
});
const lines = [
  { kind: 'chatferry', version: 1, source: 'test', workspace: 'w' },
  ...['ann', 'bob', 'Desk 4', 'zoe', 'quiet'].map((id) => ({ kind: 'user', id, name: id })),
  { kind: 'conversation', id: 'c1', type: 'private', name: 'Harbour', members: ['ann', 'bob'] },
  { kind: 'conversation', id: 'd1', type: 'direct', name: '', members: ['ann', 'bob'] },
  says('c1', '1', { text: 'Ask @Desk 4', mentions: ['Desk 4'] }),
  says('d1', '2', { text: 'Ask @zoe', mentions: ['zoe'] }),
  says('c1', '3', { text: 'Or @nobody knows', mentions: ['gone'] }),
];

function exportOfStrangers(): string {
  const folder = home.make();
  writeFileSync(join(folder, 'export.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return folder;
}

describe('people who are in no conversation and are mentioned', () => {
  it('are imported as people, and become members of nothing', async () => {
    const { users, members, mentioned } = await imported(exportOfStrangers(), ['export.ndjson'], 'hosted');
    expect(mentioned).toEqual([expect.stringMatching(/^desk-4-/), 'gone', 'zoe']);
    expect(mentioned.filter((uid) => !users.includes(uid))).toEqual([]);
    expect(users).not.toContain('quiet');
    expect(members.toSorted()).toEqual(['c1 ann', 'c1 bob']);
  });

  it('do not come where people come with their messages, and the losses say so', async () => {
    const folder = exportOfStrangers();
    const { users, mentioned } = await imported(folder, ['export.ndjson'], 'spec');
    expect(mentioned.filter((uid) => users.includes(uid))).toEqual([]);
    const { losses } = JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8'));
    expect(losses).toContainEqual(
      expect.objectContaining({ name: 'mentions', count: 3, becomes: expect.stringContaining('do not exist there') }),
    );
    // Three who are mentioned, and one of whom nothing is said.
    expect(losses).toContainEqual(expect.objectContaining({ name: 'people who never wrote', count: 4 }));
  });
});

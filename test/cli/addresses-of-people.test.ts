import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

const person = (id: string, fields: object) => ({ kind: 'user', id, name: `Person ${id}`, ...fields });

const lines = [
  { kind: 'chatferry', version: 1, source: 'test', workspace: 'w' },
  person('u1', { phone: '+44 7700 900123', email: 'ines@example.com', metadata: { desk: 4 } }),
  person('u2', {
    metadata: {
      // Not a number of a telephone: no "+", and no key that says so.
      badge: '00447700900124',
      profile: { mobile: '07700 900125', backup: ['+447700900126'], contact: 'tomasz@example.com', likes: 'tea' },
      phoneNumber: 447700900127,
    },
  }),
  { kind: 'conversation', id: 'c1', type: 'private', name: 'Harbour', members: ['u1', 'u2'] },
  ...['u1', 'u2'].map((author, index) => ({
    kind: 'message',
    origin: { source: 'test', workspace: 'w', conversation: 'c1', id: `m${index}` },
    sortKey: String(index),
    sentAtMs: Date.UTC(2026, 2, 2, 9, index),
    author,
    text: 'Hello',
  })),
];

/** Imports into a sandbox. @returns its people, and everything that it holds as text. */
async function imported(rehearseFor: 'hosted' | 'spec', mapping = '') {
  const folder = home.make();
  writeFileSync(join(folder, 'export.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeFileSync(join(folder, 'mapping.yaml'), `version: 1\n${mapping}`);
  const options = [
    '--rehearse-for',
    rehearseFor,
    '--retention-days',
    'unlimited',
    '--mapping',
    'mapping.yaml',
    '--quiet',
  ];
  const { json } = await runJson(['plan', 'export.ndjson', ...options], { folder });
  const done = await run(['import', 'export.ndjson', ...options, '--yes'], { folder });
  expect(done.code, done.stdout + done.stderr).toBe(0);
  const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
  try {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    const all = tables.flatMap((name) => db.prepare(`SELECT * FROM "${name}"`).all());
    const entities = db.prepare<[], string>("SELECT entity FROM user WHERE id LIKE 'u_'").pluck().all();
    const people = entities.map((text) => JSON.parse(text) as { readonly uid: string; readonly metadata?: object });
    return {
      text: JSON.stringify(all),
      people: Object.fromEntries(people.map(({ uid, metadata }) => [uid, metadata])),
      losses: (json as { readonly losses: Readonly<Record<string, number>> }).losses,
    };
  } finally {
    db.close();
  }
}

const contacts = ['900123', '900125', '900126', '900127', 'ines@', 'tomasz@'];

describe('mail addresses and telephone numbers of people', () => {
  it.each(['hosted', 'spec'] as const)(
    'are not sent, wherever a record has them, and are counted (%s)',
    async (target) => {
      const { text, people, losses } = await imported(target);
      expect(contacts.filter((one) => text.includes(one))).toEqual([]);
      expect(people).toEqual({
        u1: { desk: 4 },
        u2: { badge: '00447700900124', profile: { backup: [], likes: 'tea' } },
      });
      expect(losses).toMatchObject({ 'telephone numbers': 2, 'e-mail addresses': 2 });
    },
  );

  it('go into the metadata of people under the keys that the mapping names', async () => {
    const { people } = await imported('hosted', 'people: { emailAs: mail, phoneAs: tel }\n');
    expect(people).toMatchObject({
      u1: { desk: 4, mail: 'ines@example.com', tel: '+44 7700 900123' },
      u2: { mail: 'tomasz@example.com', tel: '07700 900125' },
    });
  });

  it('are not sent with messages, whatever the mapping names', async () => {
    const { text } = await imported('spec', 'people: { emailAs: mail, phoneAs: tel }\n');
    expect(contacts.filter((one) => text.includes(one))).toEqual([]);
  });
});

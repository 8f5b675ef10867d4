import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseRules } from '../../../src/mapping/load.ts';
import { database } from '../../../src/sources/database/index.ts';
import { sharedFolder } from '../../requirements.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { everyNth, isNightly } from '../../tier.ts';
import { run } from '../../cli/in-process.ts';
import { described, importWith } from '../tables/schemas/import-with.ts';
import { proposalFor } from '../tables/schemas/readings.ts';
import { cellsOf, type Expectation, expectationOf } from '../tables/schemas/schema-set.ts';
import { freescout, freescoutExpected } from './made/freescout.ts';
import { openfire, openfireExpected } from './made/openfire.ts';
import { synapse, synapseExpected } from './made/synapse.ts';

const home = temporaryFolder();
const set = sharedFolder('schemas');

interface Answers {
  readonly source: Readonly<Record<string, unknown>>;
  readonly messages?: object;
}

interface Case {
  /** Name of the mapping. */
  readonly preset: string;
  /** Facts that only the user knows: the keys that `init` asks for, and no others. */
  readonly asked: readonly string[];
  readonly answers: Answers;
}

const typed = (values: object) => ({ type: { from: 'type', values } });

/** By the folder of the database. */
const cases: Readonly<Record<string, Case>> = {
  chatwoot: {
    preset: 'chatwoot',
    asked: ['messages.only.account_id'],
    answers: { source: { messages: { only: { account_id: ['1'] } } } },
  },
  'mattermost-db': {
    preset: 'mattermost',
    asked: ['conversations.type'],
    answers: {
      source: { conversations: typed({ O: 'public', P: 'private', D: 'direct', G: 'group-direct' }) },
      messages: { system: 'keep' },
    },
  },
  'zulip-db': {
    preset: 'zulip',
    asked: ['conversations.type'],
    answers: { source: { conversations: typed({ open: 'public' }) } },
  },
  'discourse-chat': {
    preset: 'discourse',
    asked: ['conversations.type'],
    answers: { source: { conversations: typed({ open: 'public' }) } },
  },
  'rails-campfire': {
    preset: 'campfire',
    asked: ['conversations.type'],
    answers: {
      source: {
        conversations: typed({ 'Rooms::Open': 'public', 'Rooms::Closed': 'private', 'Rooms::Direct': 'direct' }),
      },
    },
  },
  moodle: { preset: 'moodle', asked: [], answers: { source: {} } },
  xenforo: { preset: 'xenforo', asked: [], answers: { source: {} } },
  'rails-mailboxer': {
    preset: 'mailboxer',
    asked: [],
    answers: {
      source: {
        tables: {
          users: {
            query:
              "SELECT 'User:' || id AS id, name, email FROM users UNION ALL SELECT 'Admin:' || id, login, email FROM admins",
          },
        },
      },
    },
  },
  'laravel-chatify': { preset: 'chatify', asked: ['zone'], answers: { source: { zone: 'UTC' } } },
  'laravel-musonza': {
    preset: 'musonza',
    asked: ['zone', 'conversations.type'],
    answers: {
      source: {
        zone: 'UTC',
        tables: {
          users: {
            query:
              "SELECT 'User:' || id AS id, name, email, NULL AS bot FROM users UNION ALL SELECT 'Bot:' || id, title, NULL, 1 FROM bots UNION ALL SELECT 'Client:' || id, company, NULL, NULL FROM clients",
          },
        },
        users: { id: 'id', name: 'name', email: 'email', isBot: 'bot' },
        conversations: {
          type: { from: 'direct_message', values: { t: 'direct', 1: 'direct', f: 'private', 0: 'private' } },
        },
      },
    },
  },
};

/** A line for each database: what is printed at the end. */
const table: string[] = [];
afterAll(() => {
  for (const line of table) console.log(line);
});

/** The tables of its CSV files, without keys and types: flags are t and f, as PostgreSQL writes them. */
function sqliteOfCsv(folder: string): string {
  const files = readdirSync(join(folder, 'csv'));
  return madeDatabase((db) => {
    for (const file of files) {
      const [header = [], ...rows] = cellsOf(readFileSync(join(folder, 'csv', file), 'utf8'));
      db.exec(`CREATE TABLE "${file.replace('.csv', '')}" (${header.map((name) => `"${name}" TEXT`).join(', ')})`);
      const insert = db.prepare(
        `INSERT INTO "${file.replace('.csv', '')}" VALUES (${header.map(() => '?').join(', ')})`,
      );
      for (const row of rows) insert.run(...row);
    }
  });
}

function madeDatabase(fill: (db: Database.Database) => void): string {
  const path = join(home.make(), 'app.sqlite');
  const db = new Database(path);
  fill(db);
  db.close();
  return path;
}

/** Imports with the preset and answers to what is asked. */
async function expectAll(folder: string, expected: Expectation, { preset, asked, answers }: Case) {
  const { findings, open } = await proposalFor({ folder, adapter: database });
  expect(findings[0]?.because).toContain(`(mappings/databases/${preset}.yaml)`);
  expect(open.map(({ key }) => key)).toEqual(asked);
  const schema = { folder, adapter: database, expected };
  const { questions, exit, found } = await importWith(home.make(), schema, { ...answers });
  const wrong = new Set(found.map(({ id }) => id));
  const right = expected.messages.filter(({ id }) => !wrong.has(id)).length;
  table.push(
    `${preset}: asked ${asked.join(', ') || 'nothing'}; ${right} of ${expected.messages.length} messages right`,
  );
  expect({ questions, exit }).toEqual({ questions: [], exit: 0 });
  expect(found.map(described)).toEqual([]);
}

describe.skipIf(set === null)('init of the database of a known application', () => {
  if (set === null) return;
  const named = Object.entries(cases).map(([name, one]) => [name, join(set, name), one] as const);
  const withOwn = named.filter(([, folder]) => existsSync(join(folder, 'app.sqlite')));

  it.each(everyNth(2, withOwn))(
    '%s: asks the user what is left open, and sends what is expected',
    async (_, folder, one) => {
      await expectAll(join(folder, 'app.sqlite'), expectationOf(folder), one);
    },
  );

  const others = isNightly ? named : named.filter((one) => !withOwn.includes(one));
  it.each(everyNth(2, others))(
    '%s, with tables of PostgreSQL: the same, and times have a zone',
    async (_, folder, one) => {
      const asked = one.asked.filter((key) => key !== 'zone');
      await expectAll(sqliteOfCsv(folder), expectationOf(folder), { ...one, asked });
    },
  );
});

describe('init of the database of', () => {
  it('Synapse sends no redacted, encrypted, rejected or state event', async () => {
    const path = madeDatabase((db) => db.exec(synapse));
    await expectAll(path, synapseExpected, {
      preset: 'synapse',
      asked: ['conversations.type'],
      answers: { source: { conversations: typed({ public: 'public', invite: 'private' }) } },
    });
  });

  it('Openfire sends no private message inside of a room, and each chat of two as one', async () => {
    const path = madeDatabase((db) => db.exec(openfire));
    await expectAll(path, openfireExpected, {
      preset: 'openfire',
      asked: ['conversations.type'],
      answers: { source: { conversations: typed({ room: 'private', direct: 'direct' }) } },
    });
  });

  it('FreeScout sends no internal note, no draft and nothing hidden or deleted', async () => {
    const path = madeDatabase((db) => db.exec(freescout));
    await expectAll(path, freescoutExpected, {
      preset: 'freescout',
      asked: ['zone', 'messages.only.conversation_status'],
      answers: { source: { zone: 'Europe/Berlin', messages: { only: { conversation_status: ['1', '2', '3'] } } } },
    });
  });
});

describe('the mappings of known applications', () => {
  const fingerprints = parse(readFileSync('mappings/databases/fingerprints.yaml', 'utf8')) as Record<string, unknown>;
  const names = readdirSync('mappings/databases')
    .map((file) => file.replace('.yaml', ''))
    .filter((name) => name !== 'fingerprints');
  const page = readFileSync('docs/guides/mappings.md', 'utf8');
  const isSchema = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('mappings/mapping.schema.json', 'utf8')),
  );

  it('have a fingerprint each', () => {
    expect(Object.keys(fingerprints).sort()).toEqual(names.sort());
  });

  it.each(names)('%s.yaml conforms to the published schema and the source, and is on the page', (name) => {
    const path = `mappings/databases/${name}.yaml`;
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/mapping\.schema\.json\n/);
    expect(isSchema(parse(text)), JSON.stringify(isSchema.errors)).toBe(true);
    expect(database.options.safeParse(parseRules(text, path).source).error).toBeUndefined();
    expect(page).toContain(`(../../${path})`);
  });
});

describe('a known mapping', () => {
  const made = (change = '') => madeDatabase((db) => db.exec(freescout + change));
  const proposal = (folder: string, more = {}, decided = {}) =>
    proposalFor({ folder, adapter: database }, undefined, decided, more);

  it('is not used if the user declines', async () => {
    const { findings } = await proposal(made(), { agree: async () => false });
    expect(findings.filter(({ because }) => because.includes('FreeScout'))).toEqual([]);
  });

  it('leaves out columns that a database of an older version lacks', async () => {
    const { options, findings } = await proposal(
      made('ALTER TABLE attachments DROP COLUMN size; ALTER TABLE conversations DROP COLUMN subject;'),
    );
    expect(options).toMatchObject({ messages: { only: { type: ['1', '2', '8'] } } });
    const known = findings.filter(({ because }) => because.includes('FreeScout')).map(({ key }) => key);
    expect(known).not.toContain('attachments.size');
    expect(known).not.toContain('conversations.name');
    expect(known).toContain('users.isDeleted');
  });

  it('leaves out a key alone where its table has no such column', async () => {
    const path = madeDatabase((db) =>
      db.exec(`CREATE TABLE ch_messages (id, from_id, to_id, body, attachment, seen, created_at);
        CREATE TABLE ch_favorites (id, favorite_id);
        CREATE TABLE users (id, name);`),
    );
    const { options } = await proposal(path);
    expect(options.users).toEqual({ id: 'id', name: 'name' });
  });

  it('is not used if it cannot read the messages', async () => {
    const { findings } = await proposal(made('ALTER TABLE threads DROP COLUMN edited_at;'));
    expect(findings.filter(({ because }) => because.includes('FreeScout'))).toEqual([]);
  });

  it('yields to decisions of the user', async () => {
    const decided = { tables: { users: { table: 'customers' } }, messages: { only: { type: ['2'] } } };
    const { options } = await proposal(made(), {}, decided);
    expect(options).toMatchObject({ tables: { users: { table: 'customers' } } });
    expect(options).toMatchObject({ messages: { only: { type: ['2'], state: ['2'] } } });
    expect(options.users).not.toHaveProperty('isDeleted');
  });

  it('is named by init --yes --explain, with what distinguishes it from others', async () => {
    const { stdout } = await run(['init', made(), '--yes', '--explain'], { folder: home.make() });
    expect(stdout).toContain('the tables are those of FreeScout (mappings/databases/freescout.yaml)');
    expect(stdout).toContain('FreeScout: threads has conversation_id, created_by_user_id');
  });
});

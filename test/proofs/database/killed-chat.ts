/** A chat in a database, that commands read which are killed, and how to see that all of it has arrived. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { type RunningProcess, start } from '../../cli/process.ts';
import { testMariadb } from './mariadb.ts';
import { testDatabase } from './postgres-databases.ts';

export const counts = { users: 9, rooms: 7, messages: 1400, files: 140, reactions: 420 };
/** Number of rows that reading keeps next to the store until messages need them. */
export const childCount = counts.files + counts.reactions;
/** Number of rows copied from a server. */
export const rowCount = Object.values(counts).reduce((sum, count) => sum + count, 0);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const messages = numbers(counts.messages).map((id) => ({
  ...{ id, room: 1 + (id % counts.rooms), user: 1 + ((id * 5) % counts.users), text: `Message ${id} of the chat` },
  file: id % 10 === 0 ? `https://files.example.org/${id}.txt` : null,
  reactions: id % 5 === 0 ? [1, 2, 3].slice(0, 1 + (id % 3)) : [],
}));

type Cell = string | number;

const rowsOf: Readonly<Record<keyof typeof counts, readonly (readonly Cell[])[]>> = {
  users: numbers(counts.users).map((id) => [id, `Person ${id}`]),
  rooms: numbers(counts.rooms).map((id) => [id, `Room ${id}`, 'channel']),
  messages: messages.map(({ id, room, user, text }) => [
    ...[id, room, user, text],
    new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
  ]),
  files: messages.flatMap(({ id, file }) => (file === null ? [] : [[id, id, file, `${id}.txt`]])),
  reactions: messages.flatMap(({ id, reactions }) => reactions.map((user) => [id, user, '👍'])),
};

const columnsOf: Readonly<Record<keyof typeof counts, string>> = {
  users: 'id INTEGER PRIMARY KEY, name TEXT',
  rooms: 'id INTEGER PRIMARY KEY, title TEXT, kind TEXT',
  messages: 'id INTEGER PRIMARY KEY, room_id INTEGER, user_id INTEGER, body TEXT, sent_at TEXT',
  files: 'id INTEGER PRIMARY KEY, message_id INTEGER, url TEXT, name TEXT',
  reactions: 'message_id INTEGER, user_id INTEGER, emoji TEXT',
};

const written = (cell: Cell) => (typeof cell === 'number' ? String(cell) : `'${cell}'`);

/** In the words of every SQL. */
const chatSql = Object.entries(rowsOf)
  .map(([name, rows]) => {
    const values = rows.map((row) => `(${row.map(written).join(', ')})`);
    return `CREATE TABLE ${name} (${columnsOf[name as keyof typeof counts]}); INSERT INTO ${name} VALUES ${values.join(', ')};`;
  })
  .join('\n');

const mapping = (copy: boolean) => `version: 1
source:
  copy: ${copy}
  tables:
    messages: { table: messages }
    users: { table: users }
    conversations: { table: rooms }
    attachments: { table: files }
    reactions: { table: reactions }
  messages: { id: id, conversation: room_id, author: user_id, time: { from: sent_at, format: iso }, text: body }
  users: { id: id, name: name }
  conversations: { id: id, name: title, type: { from: kind, values: { channel: public } } }
  attachments: { message: message_id, url: url, name: name, id: id }
  reactions: { message: message_id, user: user_id, emoji: emoji }
`;

/** A database with the chat. */
export interface ChatDatabase {
  /** As a command line names it. */
  readonly address: string;
  readonly env: Readonly<Record<string, string>>;
  /** For a server: ends all connections to the database. */
  endSessions(): Promise<void>;
}

export type System = 'SQLite' | 'PostgreSQL' | 'MariaDB';

export const chatIn: Readonly<Record<System, (folder: string, moreSql?: string) => Promise<ChatDatabase>>> = {
  async SQLite(folder) {
    const [running, copied] = [join(folder, 'running.sqlite'), join(folder, 'app.sqlite')];
    const db = new Database(running);
    db.pragma('journal_mode = WAL');
    db.exec(`BEGIN; ${chatSql} COMMIT`);
    // With its log, as of an application that runs: reading it takes a temporary copy.
    for (const end of ['', '-wal']) copyFileSync(`${running}${end}`, `${copied}${end}`);
    db.close();
    return { address: 'app.sqlite', env: {}, endSessions: async () => {} };
  },
  async PostgreSQL(_, moreSql = '') {
    const { sql, shown } = await testDatabase(
      `${chatSql} ${moreSql}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader`,
    );
    return {
      address: shown.replace('://', '://reader@'),
      env: { PGPASSWORD: 'pass' },
      async endSessions() {
        const { rowCount: ended } = await sql(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'reader'`,
        );
        expect(ended).toBe(1);
      },
    };
  },
  async MariaDB() {
    const { run, name, shown } = await testMariadb(chatSql);
    await run(`GRANT SELECT ON ${name}.* TO reader@'%'`);
    return {
      address: shown('127.0.0.1').replace('://', '://reader@'),
      env: { MYSQL_PWD: 'pass' },
      async endSessions() {
        const found = await run(
          `SELECT id FROM information_schema.processlist WHERE user = 'reader' AND db = '${name}'`,
        );
        expect(found).toHaveLength(1);
        await run(`KILL ${found[0]!.id}`);
      },
    };
  },
};

const atWrite = new URL('fixtures/at-write.mjs', import.meta.url).href;

/** An instant of a command: the n-th row that it writes. */
export interface AtWrite {
  /** `copy`: databases without a name, which are gone with the process. `store`: those with one. */
  readonly to: 'copy' | 'store';
  /** 1 for the first. */
  readonly number: number;
  /** Instead of ending, prints `held` and waits until this file exists. */
  readonly holdUntil?: string;
}

/** A command that reads the database, again and again, in one folder, with a folder of its own for temporary files. */
export interface ChatReader {
  /** It must reach that write, and must leave no file of the database behind. */
  kill(at: AtWrite): Promise<void>;
  /** Stops at that write until it may continue. */
  hold(at: AtWrite): Promise<{ readonly process: RunningProcess; goOn(): void }>;
  temporaryFiles(): readonly string[];
  /** To its end: then every message must have arrived once. */
  finish(): Promise<void>;
}

interface ReaderOptions {
  readonly folder: string;
  readonly copy?: boolean;
  /** With a job of `sync` instead of an import. */
  readonly isJob?: boolean;
  /** The job keeps a copy, and asks for rows that changed. */
  readonly isFollowed?: boolean;
}

export function chatReader(
  chat: ChatDatabase,
  { folder, copy = true, isFollowed = false, isJob = isFollowed }: ReaderOptions,
): ChatReader {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  writeFileSync(join(folder, 'mapping.yaml'), mapping(copy));
  const location = isFollowed ? { database: { url: chat.address, cursor: { messages: 'sent_at' } } } : chat.address;
  const job = `{ name: app, export: ${JSON.stringify(location)}, mapping: mapping.yaml, to: sandbox }`;
  if (isJob) writeFileSync(join(folder, 'chatferry.yaml'), `jobs: [${job}]\n`);
  const args = isJob
    ? ['sync', '--once', '--config', 'chatferry.yaml']
    : ['import', chat.address, '--mapping', 'mapping.yaml', '--yes'];
  const temporaryFiles = () => readdirSync(temporary);
  const startAt = (at?: AtWrite) => {
    const preload = at && { NODE_OPTIONS: `--import ${atWrite}`, CHATFERRY_TEST_AT: JSON.stringify(at) };
    return start(args, { folder, env: { ...chat.env, TMPDIR: temporary, ...preload } });
  };
  return {
    temporaryFiles,
    async hold(at) {
      const holdUntil = join(folder, 'go-on');
      const process = startAt({ ...at, holdUntil });
      expect(await process.line('held')).toBe('held');
      return { process, goOn: () => writeFileSync(holdUntil, '') };
    },
    async kill(at) {
      const { code, signal, stderr } = await startAt(at).ended;
      expect({ code, signal }, `${JSON.stringify(at)}: ${stderr}`).toEqual({ code: null, signal: 'SIGKILL' });
      expect(temporaryFiles()).toEqual([]);
    },
    async finish() {
      const { code, stderr } = await startAt().ended;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(temporaryFiles()).toEqual([]);
      expect(arrived(join(folder, isJob ? 'chatferry-app.sandbox.db' : 'chatferry.sandbox.db'))).toEqual(wanted());
    },
  };
}

/** A message in a word or two: who, what, which file, whose reactions. */
const line = (user: string, text: string, file: string | null, by: readonly string[]) =>
  [user, text, file ?? '', ...by].join(' | ');

function add(lines: Record<string, string[]>, conversation: string, added: string): void {
  const known = lines[conversation];
  if (known) known.push(added);
  else lines[conversation] = [added];
}

/** By conversation, in the order of the rows. */
function wanted(): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const { room, user, text, file, reactions } of messages)
    add(lines, `group_${room}`, line(String(user), text, file, reactions.map(String)));
  return lines;
}

interface ArrivedRow {
  readonly name: string;
  readonly sender: string;
  readonly text: string;
  readonly file: string | null;
  readonly by: string | null;
}

/** By conversation, in the order of arrival. Read without any code of ours. */
function arrived(path: string): Record<string, string[]> {
  const db = new Database(path, { readonly: true });
  const rows = db
    .prepare<[], ArrivedRow>(
      `SELECT c.name, m.sender, m.data ->> '$.text' AS text, m.data ->> '$.attachments[0].url' AS file,
         m.data ->> '$.metadata.chatferry.reactions[0].by' AS by
       FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
    )
    .all();
  db.close();
  const lines: Record<string, string[]> = {};
  for (const { name, sender, text, file, by } of rows)
    add(lines, name, line(sender, text, file, JSON.parse(by ?? '[]') as string[]));
  return lines;
}

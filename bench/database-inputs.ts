import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { parse, stringify } from 'yaml';

export const bench = fileURLToPath(new URL('../.bench/', import.meta.url));
const messageCount = 1_000_000;

type Cell = string | number | null;
interface BenchTable {
  readonly name: string;
  readonly columns: string;
  rows(): Generator<readonly Cell[]>;
}

const timeOf = (index: number) =>
  new Date(1_600_000_000_000 + index * 20_000).toISOString().slice(0, 19).replace('T', ' ');

const words = 'the harbour opens at six and nobody reads "quoted" words; Grüße, 日本 and 🎉 stay as they are'.split(
  ' ',
);
const textOf = (index: number) =>
  Array.from({ length: 6 + (index % 20) }, (_, at) => words[(index * 7 + at * 5) % words.length]).join(' ');

/** The tables that `mappings/own-database.yaml` names. The last column of people is named by nothing. */
const tables: readonly BenchTable[] = [
  {
    name: 'users',
    columns: 'id INTEGER PRIMARY KEY, full_name TEXT, email TEXT, is_admin INTEGER, left_at TEXT, password_digest TEXT',
    *rows() {
      for (let id = 1; id <= 5000; id += 1)
        yield [id, `Person ${id}`, `p${id}@example.org`, id % 50 === 0 ? 1 : 0, null, 'never read'];
    },
  },
  {
    name: 'conversations',
    columns: 'id INTEGER PRIMARY KEY, kind TEXT, title TEXT, created_at TEXT',
    *rows() {
      for (let id = 1; id <= 2000; id += 1) yield [id, id % 3 === 0 ? 'channel' : 'group', `Room ${id}`, timeOf(0)];
    },
  },
  {
    name: 'members',
    columns: 'conversation_id INTEGER, user_id INTEGER, role TEXT',
    *rows() {
      for (let index = 0; index < 20_000; index += 1) yield [1 + (index % 2000), 1 + ((index * 13) % 5000), 'member'];
    },
  },
  {
    name: 'messages',
    columns:
      'id INTEGER PRIMARY KEY, conversation_id INTEGER, sender_id INTEGER, body TEXT, reply_to_id INTEGER, deleted_at TEXT, created_at TEXT',
    *rows() {
      for (let id = 1; id <= messageCount; id += 1)
        yield [id, 1 + (id % 2000), 1 + ((id * 13) % 5000), textOf(id), null, null, timeOf(id)];
    },
  },
  {
    name: 'attachments',
    columns:
      'id INTEGER PRIMARY KEY, message_id INTEGER, file_url TEXT, file_name TEXT, mime_type TEXT, byte_count INTEGER, position INTEGER',
    *rows() {
      for (let id = 1; id <= messageCount / 10; id += 1)
        yield [id, id * 10, `https://files.example.org/${id}.jpg`, `${id}.jpg`, 'image/jpeg', 1000 + id, 1];
    },
  },
  {
    name: 'reactions',
    columns: 'message_id INTEGER, user_id INTEGER, emoji TEXT',
    *rows() {
      for (let index = 1; index <= (messageCount * 3) / 10; index += 1)
        yield [1 + ((index * 3) % messageCount), 1 + (index % 5000), '👍'];
    },
  },
];

function makeSqlite(path: string): void {
  const db = new Database(path);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  for (const { name, columns, rows } of tables) {
    db.exec(`CREATE TABLE ${name} (${columns})`);
    const insert = db.prepare(
      `INSERT INTO ${name} VALUES (${columns
        .split(',')
        .map(() => '?')
        .join()})`,
    );
    for (const row of rows()) insert.run(...row);
  }
  db.exec('COMMIT');
  db.close();
}

const copied = (cell: Cell) => (cell === null ? '\\N' : String(cell).replaceAll('\\', '\\\\').replaceAll('\t', '\\t'));
const literal = (cell: Cell) =>
  cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : `'${cell.replaceAll("'", "''")}'`;

function* postgresDump(): Generator<string> {
  yield "--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n\n";
  for (const { name, columns, rows } of tables) {
    yield `CREATE TABLE public.${name} (${columns});\n\nCOPY public.${name} (${namesOf(columns)}) FROM stdin;\n`;
    for (const row of rows()) yield `${row.map(copied).join('\t')}\n`;
    yield '\\.\n\n';
  }
  yield '--\n-- PostgreSQL database dump complete\n--\n';
}

function* mysqlDump(): Generator<string> {
  yield '-- MySQL dump 10.19  Distrib 10.11\n/*!40101 SET NAMES utf8mb4 */;\n';
  for (const { name, columns, rows } of tables) {
    yield `CREATE TABLE \`${name}\` (${columns});\n`;
    let inserted = 0;
    for (const row of rows()) {
      yield inserted % 500 === 0 ? `${inserted > 0 ? ';\n' : ''}INSERT INTO \`${name}\` VALUES ` : ',';
      yield `(${row.map(literal).join(',')})`;
      inserted += 1;
    }
    yield ';\n';
  }
  yield '-- Dump completed on 2026-01-01\n';
}

const namesOf = (columns: string) => columns.replaceAll(/ (?:INTEGER|TEXT)(?: PRIMARY KEY)?/g, '');

function writeDump(path: string, parts: Generator<string>): void {
  const file = openSync(path, 'w');
  let block = '';
  for (const part of parts) {
    block += part;
    if (block.length < 1 << 20) continue;
    writeSync(file, block);
    block = '';
  }
  writeSync(file, block);
  closeSync(file);
}

/** Made on first use. */
function made(name: string, make: (path: string) => void): string {
  const path = join(bench, name);
  if (existsSync(path)) return path;
  mkdirSync(bench, { recursive: true });
  make(`${path}.part`);
  renameSync(`${path}.part`, path);
  return path;
}

interface DatabaseInputs {
  readonly sqlite: string;
  readonly postgres: string;
  readonly mysql: string;
  readonly messages: number;
}

/** A database of 1,000,000 messages with 100,000 files and 300,000 reactions: a SQLite file, and dumps of PostgreSQL and MySQL. */
export const prepareDatabases = (): DatabaseInputs => ({
  sqlite: made('database.sqlite', makeSqlite),
  postgres: made('database.postgres.sql', (path) => writeDump(path, postgresDump())),
  mysql: made('database.mysql.sql', (path) => writeDump(path, mysqlDump())),
  messages: messageCount,
});

/** `mappings/own-database.yaml` without edits, of which there are none here. */
export function databaseSource(): Record<string, unknown> {
  const text = readFileSync(fileURLToPath(new URL('../mappings/own-database.yaml', import.meta.url)), 'utf8');
  const { edits: _, ...source } = parse(text).source;
  const { edits: __, ...named } = source.tables;
  return { ...source, tables: named };
}

export const databaseMapping = (): string => stringify({ source: databaseSource() });

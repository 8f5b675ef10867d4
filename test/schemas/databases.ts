import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'yaml';
import { isTable, type Settings } from '../../src/lib/settings.ts';
import { databaseAnswers } from '../sources/tables/schemas/schema-set.ts';

/** A database of the set, what has to arrive of it, and the mapping under which that arrives. */
export interface SchemaDatabase {
  readonly name: string;
  /** SQLite, or a dump of PostgreSQL where the application knows no other. */
  readonly path: string;
  readonly messages: readonly Expected[];
  /** Whether a text that is not among them may arrive as well. */
  mayArrive(text: string): boolean;
  /** Names of those who may read a conversation, by its id in `messages`; absent: not said. */
  readonly members: ReadonlyMap<string, readonly (string | null)[]>;
  /** Conversations that are not for everybody. */
  readonly closed: ReadonlySet<string>;
  readonly right: Right;
}

export interface Expected {
  readonly id: string;
  readonly conversation: string;
  /** Two with one key are one person. */
  readonly author: string;
  /** Null if the data does not say it. */
  readonly name: string | null;
  readonly time: string;
  readonly text: string;
  /** Markup may differ. */
  readonly isLoose: boolean;
  /** A line of the platform: it may be left out. */
  readonly isSystem: boolean;
}

export interface Right {
  readonly mapping: Settings & { readonly source: Settings };
  /** Answers of an owner that are no part of the right mapping, because a query does there what is asked here. */
  readonly owner: Settings;
  /** Why no mapping can say it. */
  readonly inexpressible: string | null;
}

interface File {
  readonly people: readonly { readonly id: string; readonly name: string | null }[];
  readonly messages: readonly {
    readonly id: string;
    readonly conversation: string;
    readonly author: string | null;
    readonly authorName?: string;
    readonly time: string;
    readonly text: string;
    readonly kind?: string;
    readonly format?: string;
    readonly loose?: boolean;
    readonly anyName?: boolean;
  }[];
  readonly conversations?: readonly {
    readonly id: string;
    readonly type: string;
    readonly members?: readonly string[];
  }[];
  readonly members?: Readonly<Record<string, readonly string[]>>;
  readonly private?: readonly string[];
  /** Pairs of messages whose authors have one name and are two people. */
  readonly distinct?: readonly (readonly string[])[];
  readonly either?: readonly string[];
}

/** @param made Where databases are made of the statements in `more/`. */
export function schemaDatabases(set: string, made: string): readonly SchemaDatabase[] {
  return [set, join(set, 'real'), join(import.meta.dirname, 'more')]
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((folder) => existsSync(join(folder, 'expect.json')))
    .map((folder) => readDatabase(folder, made));
}

function readDatabase(folder: string, made: string): SchemaDatabase {
  const name = basename(folder);
  const path =
    ['app.sqlite', 'pg_dump.sql'].map((file) => join(folder, file)).find(existsSync) ?? makeDatabase(folder, made);
  const file = JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as File;
  const nameOf = new Map(file.people.map(({ id, name }) => [id, name]));
  const twins = new Set(
    file.messages.flatMap(({ id, author }) => (file.distinct?.flat().includes(id) ? [author] : [])),
  );
  return {
    ...{ name, path, right: rightFor(folder, path.endsWith('.sqlite')) },
    messages: file.messages.map(({ loose, anyName, author, authorName, kind, format = 'plain', ...message }) => ({
      ...message,
      author: `${author ?? authorName ?? ''}${twins.has(author) ? ` in ${message.conversation}` : ''}`,
      name: anyName ? null : (nameOf.get(author ?? '') ?? authorName ?? null),
      isLoose: loose === true || !['plain', 'markdown'].includes(format),
      isSystem: kind !== undefined && kind !== 'message',
    })),
    mayArrive: (text) => file.either?.some((one) => text.includes(one)) ?? false,
    members: new Map<string, readonly (string | null)[]>([
      ...Object.entries(file.members ?? {}),
      ...(file.conversations ?? []).flatMap(({ id, members }): [string, readonly (string | null)[]][] =>
        members ? [[id, members.map((member) => (nameOf.has(member) ? nameOf.get(member)! : member))]] : [],
      ),
    ]),
    closed: new Set([
      ...(file.private ?? []),
      ...(file.conversations?.filter(({ type }) => !type.startsWith('public')).map(({ id }) => id) ?? []),
    ]),
  };
}

function makeDatabase(folder: string, made: string): string {
  const path = join(made, `${basename(folder)}.sqlite`);
  const db = new Database(path);
  db.exec(readFileSync(join(folder, 'schema.sql'), 'utf8'));
  db.close();
  return path;
}

function rightFor(folder: string, hasNumbers: boolean): Right {
  const name = basename(folder);
  const path = [join(folder, 'right.yaml'), join(import.meta.dirname, 'right', `${name}.yaml`)].find(existsSync);
  const own = path === undefined ? {} : (parse(readFileSync(path, 'utf8')) as Settings);
  const { owner = {}, inexpressible = null, ...mapping } = own;
  return {
    mapping: (isTable(mapping.source) ? mapping : databaseAnswers(name, hasNumbers)) as Right['mapping'],
    owner: owner as Settings,
    inexpressible: inexpressible as string | null,
  };
}

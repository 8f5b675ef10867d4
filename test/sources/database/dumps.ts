import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileInput, plainFile } from '../../../src/io/input/file-input.ts';
import type { CellText, Database, DatabaseRow } from '../../../src/sources/database/database.ts';
import { openDump } from '../../../src/sources/database/dump/open-dump.ts';
import { never } from '../../scenes/bench.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

export function writeDump(content: string | Uint8Array): string {
  const path = join(home.make(), 'dump.sql');
  writeFileSync(path, content);
  return path;
}

/** Opens a dump of this content, under the name `dump.sql`. */
export function dumpOf(content: string | Uint8Array, options?: Parameters<typeof openDump>[3]): Promise<Database> {
  const input = fileInput(new Map([['dump.sql', plainFile(writeDump(content))]]));
  return openDump(input, 'dump.sql', never, options);
}

/** All rows of a table, in all its columns unless some are named. */
export async function rowsOf(database: Database, table: string, columns?: readonly string[]): Promise<DatabaseRow[]> {
  const all = database.tables.find(({ name }) => name === table)?.columns.map(({ name }) => name);
  const rows: DatabaseRow[] = [];
  for await (const list of database.rows(table, columns ?? all ?? [], never)) rows.push(...list);
  return rows;
}

/** Their values; a row that cannot be read is its fault. */
export async function valuesOf(
  content: string | Uint8Array,
  table: string,
): Promise<(readonly CellText[] | DatabaseRow['fault'])[]> {
  const database = await dumpOf(content);
  const rows = await rowsOf(database, table);
  await database.close();
  return rows.map(({ values, fault }) => fault ?? values);
}

export const postgres = (text: string): string =>
  `--\n-- PostgreSQL database dump\n--\n\n${text}\n--\n-- PostgreSQL database dump complete\n--\n\n`;

export const mysql = (text: string): string =>
  `-- MySQL dump 10.13  Distrib 8.0.36\n\n/*!40101 SET NAMES utf8mb4 */;\n${text}\n-- Dump completed on 2026-03-01\n`;

export const sqlite = (text: string): string => `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n${text}\nCOMMIT;\n`;

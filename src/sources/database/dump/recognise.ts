import type { Dialect } from './dialect.ts';

/** Bytes at the beginning of a file that say what it is. */
export const dumpHeadBytes = 64 * 1024;

const headers: readonly (readonly [Dialect, RegExp])[] = [
  ['postgres', /^-- PostgreSQL database (?:cluster )?dump|^-- Adminer .{1,40}PostgreSQL|^\\(?:restrict|connect) /m],
  ['mysql', /^-- (?:MySQL|MariaDB) dump |^-- phpMyAdmin SQL Dump|^-- Adminer .{1,40}MySQL|^\/\*M!999999|^\/\*!\d{5}/m],
  ['sqlite', /^PRAGMA foreign_keys\s*=\s*(?:OFF|ON);/im],
];

/** Words that only one of them has. A backtick comes last: SQLite takes it as well. */
const marks: readonly (readonly [Dialect, RegExp])[] = [
  ['postgres', /^SET (?:client_encoding|standard_conforming_strings|search_path)\b|^COPY .{1,2000} FROM stdin/im],
  ['sqlite', /^BEGIN TRANSACTION;|\bAUTOINCREMENT\b|\bsqlite_sequence\b/im],
  ['mysql', /`|\bAUTO_INCREMENT\b|\bENGINE\s?=/i],
  ['postgres', /\bCHARACTER VARYING\b|\b(?:BIG)?SERIAL\b|::[a-z]|\bTIMESTAMPTZ\b/i],
];

const dataStatement =
  /^[ \t]*(?:CREATE\s+TABLE\b|INSERT\s+(?:IGNORE\s+)?INTO\b|REPLACE\s+INTO\b|COPY\s.{1,2000}\sFROM\s+stdin\b)/im;

const firstStatement =
  /^(?:SET|CREATE|INSERT|REPLACE|DROP|BEGIN|START|USE|LOCK|COPY|ALTER|SELECT|PRAGMA|DELIMITER|TRUNCATE|DELETE|COMMENT)\b/i;

/** Whether a file that begins so is a dump in SQL that can be read. */
export function looksLikeDump(head: Uint8Array): boolean {
  const text = headText(head);
  if (text.includes('\0')) return false;
  if (headers.some(([, header]) => header.test(text))) return true;
  return firstStatement.test(withoutComments(text)) && dataStatement.test(text);
}

/** Returns the system that wrote the dump. A dump without any sign of it is read by the standard: without escapes. */
export function findDialect(head: Uint8Array): Dialect {
  const text = headText(head);
  const found = headers.find(([, header]) => header.test(text)) ?? marks.find(([, mark]) => mark.test(text));
  return found?.[0] ?? 'sqlite';
}

/** A dump in a form that is not SQL text: what it is, and the command that makes text of it. */
export interface ForeignDump {
  readonly what: string;
  readonly hint: string;
}

/**
 * @returns undefined if the bytes are none of these forms.
 */
export function foreignDump(head: Uint8Array): ForeignDump | undefined {
  const text = headText(head);
  const isTar = text.startsWith('toc.dat\0') && text.slice(257, 262) === 'ustar';
  if (text.startsWith('PGDMP') || isTar) {
    const form = isTar ? 'a tar of pg_dump' : 'a dump in the custom or directory format of pg_dump';
    return { what: form, hint: 'Run "pg_restore -f out.sql FILE" (of a folder, name the folder), and pass out.sql' };
  }
  if (/^\s*\{\s*"dumper"\s*:\s*"mysqlsh/.test(text)) {
    return { what: 'a dump of MySQL Shell', hint: 'Load it into a server, or dump again with mysqldump' };
  }
  if (/^(?:\xff\xfe-\0-\0|\xff\xfe\/\0\*\0|\xff\xfeS\0E\0T\0)/.test(text)) {
    return {
      what: 'a dump in UTF-16',
      hint: 'Let the program write the file itself, not PowerShell: mysqldump --result-file=out.sql, pg_dump -f out.sql',
    };
  }
  return undefined;
}

const headText = (head: Uint8Array): string =>
  Buffer.from(head.subarray(0, dumpHeadBytes))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');

/** From the first statement on. */
const withoutComments = (text: string): string =>
  text.replace(/^(?:\s|--[^\n]*\n|#[^\n]*\n|\/\*(?!!)(?:[^*]|\*(?!\/))*\*\/)*/, '');

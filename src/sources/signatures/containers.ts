import { foreignFiles } from '../kit/files/foreign-files.ts';
import type { Signature } from './signature.ts';

const anything = /\.(?:sql|dump|dmp|bak|txt)$|(?:^|\/)[^./]+$/i;
const sqlAdvice =
  'Export the tables with messages, people and rooms as CSV: "psql -c \'\\copy messages to messages.csv csv header\'", "mysql --batch", or the export of phpMyAdmin with the format CSV; then "chatferry init" with these files';

/** Files that hold anything, chats among it. */
export const containers: readonly Signature[] = [
  {
    platform: 'Excel',
    layout: 'a workbook (.xlsx, .xls) or OpenDocument (.ods)',
    marks: [
      {
        files: /(?:^|\/)xl\/workbook\.(?:xml|bin)$/,
        beside: [/(?:^|\/)\[Content_Types\]\.xml$/],
        shows: 'the parts of a workbook',
      },
      { files: /\.xls[xmb]$/i, bytes: [/^PK\x03\x04/], shows: 'a workbook' },
      { files: /\.xls$/i, bytes: [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/], shows: 'a workbook' },
      {
        files: /(?:^|\/)mimetype$/,
        text: [/^application\/vnd\.oasis\.opendocument\.spreadsheet/],
        shows: 'the type of a spreadsheet',
      },
    ],
    advice:
      'Save each sheet as "CSV UTF-8" and pass these files. Long ids lose digits in a spreadsheet: where there are any, take CSV from the system that they come from',
    isContainer: true,
  },
  {
    platform: 'MongoDB',
    layout: 'a dump of its collections (mongodump, BSON)',
    marks: [{ files: foreignFiles.bson.files, shows: 'the ending ".bson"' }],
    advice: foreignFiles.bson.advice,
    isContainer: true,
  },
  {
    platform: 'DynamoDB',
    layout: 'a table as DynamoDB JSON: an export to S3, or what "aws dynamodb scan" answers',
    marks: [
      ...['S', 'N', 'M'].map((type) => ({
        objects: [
          { at: '', keys: ['Item'] },
          { at: '/Item/*', keys: [type] },
        ],
      })),
      { objects: [{ at: '', keys: ['Items', 'ScannedCount'] }] },
      {
        files: /(?:^|\/)data\/[^/]+\.json\.gz$/,
        beside: [/(?:^|\/)manifest-summary\.json$/],
        shows: 'the files of an export to S3',
      },
    ],
    advice: `Unwrap its values into an object on each line: jq -c 'def plain: to_entries[0] | if .key == "M" then .value | map_values(plain) elif .key == "L" then .value | map(plain) else .value end; (.Item // .Items[]) | map_values(plain)' FILE > messages.ndjson (unpack .gz first)`,
  },
  {
    platform: 'Parquet',
    layout: 'a table',
    marks: [
      { files: foreignFiles.parquet.files, shows: 'the ending ".parquet"' },
      { files: /(?:^|\/)[^./]+$/, bytes: [/^PAR1/], shows: 'the first four bytes' },
    ],
    advice: foreignFiles.parquet.advice,
    isContainer: true,
  },
  {
    platform: 'Avro',
    layout: 'a table',
    marks: [
      { files: foreignFiles.avro.files, shows: 'the ending ".avro"' },
      { files: /(?:^|\/)[^./]+$/, bytes: [/^Obj\x01/], shows: 'the first four bytes' },
    ],
    advice: foreignFiles.avro.advice,
    isContainer: true,
  },
  {
    platform: 'SQL dump',
    layout: 'of PostgreSQL, MySQL, MariaDB or SQLite',
    marks: [
      {
        files: anything,
        text: [/^-- (?:PostgreSQL database dump|MySQL dump|MariaDB dump|phpMyAdmin SQL Dump)/m],
        shows: 'the head that a dump begins with',
      },
      {
        files: anything,
        text: [/^PRAGMA foreign_keys=OFF;\r?\nBEGIN TRANSACTION;/],
        shows: 'the head that a dump begins with',
      },
      { files: anything, bytes: [/^PGDMP/], shows: 'the head of a dump in the custom format' },
      { files: /\.sql$/i, text: [/^(?:CREATE TABLE|INSERT INTO|COPY) [^\n]/im], shows: 'statements of SQL' },
    ],
    advice: sqlAdvice,
    isContainer: true,
  },
  {
    platform: 'Mail',
    layout: 'a mailbox (mbox) or messages (.eml)',
    marks: [
      {
        files: /\.(?:mbox|mbx|txt)$|(?:^|\/)[^./]+$/i,
        text: [/^From \S+ .*\d{4}\r?\n[A-Za-z-]+: /],
        shows: 'a first line "From …", and headers below it',
      },
      { files: /\.eml$/i, text: [/^From: /im, /^(?:Message-ID|MIME-Version): /im], shows: 'headers of mail' },
    ],
    advice:
      'Where a chat was archived as mail, export it from the chat itself. Else turn it into CSV with columns for Message-ID, In-Reply-To, From, Date, Subject and body',
    isContainer: true,
  },
];

import { foreignFiles } from '../kit/files/foreign-files.ts';
import type { Signature } from './signature.ts';

/** Files that hold anything, chats among it. */
export const containers: readonly Signature[] = [
  {
    platform: 'Excel',
    layout: 'a workbook under a name that does not end in ".xlsx"',
    marks: [
      {
        files: /(?:^|\/)xl\/workbook\.(?:xml|bin)$/,
        beside: [/(?:^|\/)\[Content_Types\]\.xml$/],
        shows: 'the parts of a workbook',
      },
      { files: /\.xls[xm]\.gz$/i, shows: 'the ending of a workbook that is packed with gzip' },
    ],
    advice:
      'Give the file a name that ends in ".xlsx"; if it was unpacked, pass the file itself, and if it is packed with gzip inside of a folder, unpack it',
    isContainer: true,
  },
  {
    platform: 'Excel',
    layout: 'an older or binary workbook (.xls, .xlsb), or OpenDocument (.ods)',
    marks: [
      { files: /\.xlsb$/i, bytes: [/^PK\x03\x04/], shows: 'a workbook' },
      { files: /\.xls$/i, bytes: [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/], shows: 'a workbook' },
      {
        files: /(?:^|\/)mimetype$/,
        text: [/^application\/vnd\.oasis\.opendocument\.spreadsheet/],
        shows: 'the type of a spreadsheet',
      },
    ],
    advice:
      'Save it as "Excel Workbook (.xlsx)", which the source "json" reads. Long ids lose digits in a spreadsheet: if there are any, export CSV from the original system',
    isContainer: true,
  },
  {
    platform: 'DynamoDB',
    layout: 'a table in the format Amazon Ion',
    marks: [{ files: /\.ion(?:\.gz)?$/i, text: [/^\$ion_1_0\b/], shows: 'the first word "$ion_1_0"' }],
    advice: 'Export the table once more, in the format DynamoDB JSON, which the source "json" reads',
    isContainer: true,
  },
  {
    platform: 'DynamoDB',
    layout: 'a table of AWS Data Pipeline, separated by control characters',
    marks: [
      {
        files: /./,
        bytes: [/^[^\x02\x03\r\n]{1,255}\x03\{"(?:s|n|b|m|l|sS|nS|bS|bOOL)":/],
        shows: 'a name, the character ETX and a typed value',
      },
    ],
    advice: `Convert it to DynamoDB JSON, which the source "json" reads: perl -ne 'chomp; print "{", join(",", map { my ($k, $v) = split /\\x03/, $_, 2; $k =~ s/(["\\\\])/\\\\$1/g; "\\"$k\\":$v" } split /\\x02/), "}\\n"' FILE > items.ndjson`,
    isContainer: true,
  },
  {
    platform: 'Firestore',
    layout: 'a managed export (gcloud firestore export)',
    marks: [{ files: /\.(?:overall_)?export_metadata$/i, shows: 'the name of the metadata' }],
    advice:
      'Export the collections as JSON with node-firestore-import-export or firestore-export-import, and run "chatferry init" on that',
    isContainer: true,
  },
  {
    platform: 'Parquet',
    layout: 'a table under a name that does not end in ".parquet"',
    marks: [{ files: /(?:^|\/)[^./]+$/, bytes: [/^PAR1/], shows: 'the first four bytes' }],
    advice: 'Give the file a name that ends in ".parquet"',
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
    layout: 'in a form that is not SQL: the custom, directory or tar format of pg_dump, or that of MySQL Shell',
    marks: [
      { files: /./, bytes: [/^PGDMP/], shows: 'the head of a dump in the custom format' },
      { files: /(?:^|\/)toc\.dat$/, shows: 'the table of contents of a dump' },
      { files: /(?:^|\/)@\.json$/, beside: [/\.(?:zst|tsv)$/], shows: 'the head of a dump of MySQL Shell' },
    ],
    advice:
      'Make SQL of it, "pg_restore -f dump.sql FILE" (of a directory, name the directory), and pass dump.sql; a dump of MySQL Shell has to be loaded into a server, and its address passed',
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
      'If a chat was archived as mail, export it from the chat itself. Otherwise convert it to CSV with columns for Message-ID, In-Reply-To, From, Date, Subject and body',
    isContainer: true,
  },
];

/** Files that hold data in a form that no source reads: what they are by their names, and the step that makes something readable of them. */
export interface ForeignFiles {
  /** Tested against paths. */
  readonly files: RegExp;
  /** `BSON of MongoDB`. */
  readonly what: string;
  /** A whole sentence without its full stop. */
  readonly advice: string;
}

/** The more telling first. */
export const foreignFiles = {
  bsonIndexes: {
    files: /\.metadata\.json(?:\.gz)?$/i,
    what: 'Indexes of a collection of MongoDB (mongodump)',
    advice: 'It holds no rows: they are in the file .bson next to it',
  },
  workbook: {
    files: /\.xls[xm]$/i,
    what: 'A workbook of Excel next to other files',
    advice: 'Pass it by itself: the source "json" reads it',
  },
  olderWorkbook: {
    files: /\.(?:xlsb?|ods)$/i,
    what: 'A workbook of Excel or LibreOffice',
    advice: 'Save it as "Excel Workbook (.xlsx)", and pass that by itself',
  },
  avro: {
    files: /\.avro$/i,
    what: 'Apache Avro',
    advice: 'Convert it to JSON, one object per line: "avro-tools tojson messages.avro > messages.ndjson"',
  },
  sqlite: {
    files: /\.(?:db|db3|sqlite3?)$/i,
    what: 'A database, of SQLite by its name',
    advice: 'Pass it by itself: the source "database" reads it',
  },
  sql: {
    files: /\.(?:sql|dump|dmp|bak)(?:\.gz)?$/i,
    what: 'A dump of a database',
    advice: 'Pass it by itself: the source "database" reads a dump in SQL',
  },
} as const satisfies Readonly<Record<string, ForeignFiles>>;

/** Describes a file that no source reads, and the remedy. For callers that find it next to files that are read. */
export function foreignReason(path: string): string | undefined {
  const found = Object.values(foreignFiles).find(({ files }) => files.test(path));
  return found && `${found.what}, which no source reads. ${found.advice}`;
}

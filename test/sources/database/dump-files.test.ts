import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { formatCount } from '../../../src/lib/text/count.ts';
import { describe, expect, it } from 'vitest';
import { defaultCaps } from '../../../src/io/input/caps.ts';
import { fileInput, gzipFile } from '../../../src/io/input/file-input.ts';
import { dumpCodes } from '../../../src/sources/database/dump/codes.ts';
import { openDump } from '../../../src/sources/database/dump/open-dump.ts';
import { foreignDump, looksLikeDump } from '../../../src/sources/database/dump/recognise.ts';
import { StatementLexer } from '../../../src/sources/database/dump/scan/lexer.ts';
import { anyText } from '../../arbitrary-text.ts';
import { never } from '../../scenes/bench.ts';
import { dumpOf, mysql, postgres, rowsOf, sqlite, writeDump } from './dumps.ts';
import { isNightly, tenthOf } from '../../tier.ts';

type Cell = string | null;

const escapedForCopy = (cell: Cell): string =>
  cell === null
    ? '\\N'
    : cell.replaceAll(
        /[\\\n\r\t\b\f\v]/g,
        (char) => `\\${({ '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f', '\v': 'v' })[char] ?? char}`,
      );

const doubled = (cell: Cell): string => (cell === null ? 'NULL' : `'${cell.replaceAll("'", "''")}'`);

const escapedForMysql = (cell: Cell): string =>
  cell === null
    ? 'NULL'
    : `'${cell.replaceAll(/[\\'"\0\n\r\x1a]/g, (char) => `\\${({ '\0': '0', '\n': 'n', '\r': 'r', '\x1a': 'Z' })[char] ?? char}`)}'`;

const escapedForSqlite = (cell: Cell): string =>
  /[\n\r]/.test(cell ?? '') && !/\\[nr]/.test(cell!)
    ? `replace(replace(${doubled(cell!.replaceAll('\n', '\\n').replaceAll('\r', '\\r'))},'\\n',char(10)),'\\r',char(13))`
    : doubled(cell);

const inserts = (rows: readonly (readonly Cell[])[], write: (cell: Cell) => string, perStatement: number): string => {
  const tuples = rows.map((row) => `(${row.map(write).join(',')})`);
  const statements: string[] = [];
  for (let at = 0; at < tuples.length; at += perStatement) {
    statements.push(`INSERT INTO m VALUES ${tuples.slice(at, at + perStatement).join(',\n')};`);
  }
  return statements.join('\n');
};

const table = 'CREATE TABLE m (a text, b text, c text);\n';

/** Every form in which a table may be written. */
const forms: Readonly<Record<string, (rows: readonly (readonly Cell[])[], perStatement: number) => string>> = {
  'COPY of PostgreSQL': (rows) =>
    postgres(
      `${table}COPY m (a, b, c) FROM stdin;\n${rows.map((row) => `${row.map(escapedForCopy).join('\t')}\n`).join('')}\\.\n`,
    ),
  'INSERT of PostgreSQL': (rows, perStatement) => postgres(table + inserts(rows, doubled, perStatement)),
  'INSERT of MySQL': (rows, perStatement) => mysql(table + inserts(rows, escapedForMysql, perStatement)),
  'INSERT of SQLite': (rows, perStatement) => sqlite(table + inserts(rows, escapedForSqlite, perStatement)),
};

/** A value that a database may hold: without half of a surrogate pair. */
const cell: fc.Arbitrary<Cell> = fc.option(
  fc.oneof(
    anyText.map((text) => text.toWellFormed()),
    fc.constantFrom("';--", '\\', "\\'", '\\.', '$$', '/*', "a');DROP TABLE m;--", '\n\\.\n', '\u2028'),
  ),
);

describe('any table', () => {
  it.each(Object.keys(forms))('is read back equal from %s, wherever a chunk of the file ends', async (form) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 8, max: 200 }),
        async (rows, perStatement, chunkBytes) => {
          const database = await dumpOf(forms[form]!(rows, perStatement), { chunkBytes });
          const found = rows.length === 0 ? [] : await rowsOf(database, 'm');
          await database.close();
          expect(found.map(({ values, fault }) => fault ?? values)).toEqual(rows);
          expect(database.tables.map(({ rowsAbout }) => rowsAbout)).toEqual([rows.length]);
          expect(database.problems).toEqual([]);
        },
      ),
    );
  });
});

describe('StatementLexer', () => {
  const statements = [
    ['postgres', `CREATE FUNCTION f() AS $a$ it's ; $$ ; $b$ $a$ -- ;'\n /* ; */ E'\\';' 'a''\\' "x;" ;`],
    ['mysql', "/*!50003 CREATE*/ /*!50017 DEFINER=`a;`*/ 'it\\';' \"x;\" # ;\n -- ;\n /* ; */ 5 /*!1 ; '*/';"],
    ['sqlite', `INSERT INTO m VALUES('a''b;',[x],replace('\\',';','')) /* it's */ -- ;\n;`],
  ] as const;

  it.each(statements)('finds the end of a statement of %s in pieces of any size', (dialect, text) => {
    const content = text.replace("/*!1 ; '*/'", '/*!1 x */');
    const bytes = Buffer.from(`${content} rest;`);
    for (let size = 1; size <= bytes.length; size += 1) {
      const lexer = new StatementLexer({ dialect, isEscaping: dialect === 'mysql' });
      let end = -1;
      for (let at = 0; end < 0 && at < bytes.length; at += size) {
        end = lexer.push(bytes, at, Math.min(bytes.length, at + size));
      }
      expect(bytes.subarray(0, end).toString()).toBe(content);
    }
  });
});

describe('a dump that is cut off', () => {
  const whole = {
    copy: postgres(`${table}COPY m (a, b, c) FROM stdin;\n1\t2\t3\n4\t5\t6\n\\.\n`),
    mysql: mysql(`${table}INSERT INTO m VALUES ('1','2','3'),\n('4','5','6');`),
    sqlite: sqlite(`${table}INSERT INTO m VALUES('1','2','3');\nINSERT INTO m VALUES('4','5','6');`),
  };

  it.each([
    ['copy', '\t6', 1, 8],
    ['copy', '\\.', 2, 9],
    ['mysql', ",'6'", 1, 6],
    ['sqlite', "');\nCOMMIT", 1, 5],
  ] as const)(
    'in its rows (%s, at %j) yields the rows before, and then reports where it ends',
    async (form, at, count, line) => {
      const database = await dumpOf(whole[form].slice(0, whole[form].lastIndexOf(at)));
      expect(database.problems).toMatchObject([{ code: 'dump-cut-off' }]);
      expect(database.problems[0]?.reason).toContain('the last rows are those of "m"');
      const rows: unknown[] = [];
      const read = async () => {
        for await (const list of database.rows('m', ['a'], never)) rows.push(...list.map(({ values }) => values[0]));
      };
      await expect(read()).rejects.toThrow(
        `Cannot read "m" to its end: the dump ends in the middle of its rows (dump.sql:${line})`,
      );
      expect(rows).toEqual(['1', '4'].slice(0, count));
    },
  );

  it.each(['copy', 'mysql', 'sqlite'] as const)(
    'behind its rows (%s) is known by the line that it lacks',
    async (form) => {
      const end = Math.max(
        whole[form].lastIndexOf('--\n-- PostgreSQL'),
        whole[form].lastIndexOf('-- Dump'),
        whole[form].lastIndexOf('COMMIT'),
      );
      const database = await dumpOf(whole[form].slice(0, end));
      expect(database.problems).toMatchObject([{ code: 'dump-cut-off' }]);
      expect(await rowsOf(database, 'm')).toHaveLength(2);
    },
  );

  it('anywhere never gives a row that was not there', async () => {
    const rows = ['1', '4'];
    for (const text of Object.values(whole)) {
      for (let length = text.indexOf('CREATE'); length < text.length; length += isNightly ? 1 : 5) {
        const database = await dumpOf(text.slice(0, length));
        const found: unknown[] = [];
        try {
          if (database.tables.length > 0 && database.tables[0]!.columns.length > 0) {
            for await (const list of database.rows('m', ['a'], never))
              found.push(...list.map(({ values }) => values[0]));
          }
        } catch {
          // Said in the test before.
        }
        await database.close();
        expect(rows.slice(0, found.length)).toEqual(found);
      }
    }
  });
});

describe('a row of megabytes', () => {
  // Pieces of a file must be short next to it.
  const share = isNightly ? 1 : 1 / 4;
  const large = 'x'.repeat(share * 2 ** 20);
  const rowBytesMax = share * 1_500_000;

  it.each(Object.keys(forms))(
    'is read (%s), and one that is larger than may be is a fault of its own',
    async (form) => {
      const rows = [
        ['1', 'a', 'b'],
        ['2', large, large],
        ['3', `${large}\n`, 'c'],
        ['4', 'd', 'e'],
      ];
      const content = forms[form]!(rows, 10);
      expect((await rowsOf(await dumpOf(content), 'm')).map(({ values }) => values)).toEqual(rows);
      const found = await rowsOf(await dumpOf(content, { rowBytesMax }), 'm');
      const fault = { code: 'dump-too-large', reason: `it has more than ${formatCount(rowBytesMax)} bytes` };
      expect(found.map(({ values, fault: own }) => own ?? values)).toEqual([rows[0], fault, rows[2], rows[3]]);
      const lines = (await rowsOf(await dumpOf(content), 'm')).map(({ line }) => line);
      expect(found.map(({ line }) => line)).toEqual(lines);
    },
  );
});

describe('a statement that is no plain INSERT', () => {
  const t = 'CREATE TABLE m (a text, b text);\n';

  it.each([
    [
      mysql,
      "/*!50000 INSERT INTO `m` VALUES ('1','x'),('2','y') */;\n/*!50000 INSERT INTO `m` VALUES ('3','z') */;",
      ['1,x', '2,y', '3,z'],
    ],
    [
      mysql,
      "INSERT INTO m SET b = concat('no'), a=1;INSERT IGNORE INTO m SET a='1', b='x, (y' ON DUPLICATE KEY UPDATE a=2;",
      ['dump-value', '1,x, (y'],
    ],
    [
      postgres,
      "UPDATE m SET a = 1; DELETE FROM ONLY m; TRUNCATE TABLE public.m; INSERT INTO m VALUES ('1', 'x');",
      ['1,x'],
    ],
    [
      sqlite,
      "DELETE FROM sqlite_sequence; UPDATE other SET a = 1; INSERT INTO other SELECT 1; ALTER TABLE m ADD PRIMARY KEY (a); INSERT INTO m VALUES ('1', 'x');",
      ['1,x'],
    ],
  ])(
    'is read where that can be, and passed over where it changes no row of the table: %#',
    async (dump, text, rows) => {
      const database = await dumpOf(dump(t + text));
      expect((await rowsOf(database, 'm')).map(({ values, fault }) => fault?.code ?? values.join())).toEqual(rows);
      await database.close();
    },
  );

  it.each([
    [mysql, "INSERT INTO m SELECT 3, 'z';", 'INSERT'],
    [mysql, "/*!50000 INSERT INTO m SELECT 3, 'z' */;", 'INSERT'],
    [mysql, `UPDATE m SET a = '${'x'.repeat(5 * 2 ** 20)}';`, 'UPDATE'],
    [mysql, "LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE m;", 'LOAD'],
    [mysql, 'REPLACE LOW_PRIORITY INTO m SELECT 1;', 'REPLACE'],
    [mysql, 'RENAME TABLE m TO n;', 'RENAME'],
    [mysql, 'ALTER TABLE m CHANGE a c text;', 'ALTER'],
    [postgres, 'UPDATE ONLY public.m SET a = 1;', 'UPDATE'],
    [postgres, "COPY m FROM '/tmp/x';", 'COPY'],
    [postgres, 'WITH gone AS (DELETE FROM m WHERE true RETURNING *) SELECT 1 FROM gone;', 'DELETE'],
    [postgres, "DO $do$ BEGIN IF true THEN INSERT INTO public.m VALUES ('2', 'y'); END IF; END $do$;", 'INSERT'],
    [postgres, 'MERGE INTO m USING n ON true WHEN MATCHED THEN DELETE;', 'MERGE'],
    [postgres, 'TRUNCATE m;', 'TRUNCATE'],
    [sqlite, 'UPDATE OR IGNORE m SET a = 1;', 'UPDATE'],
    [sqlite, 'DELETE FROM m WHERE a = 1;', 'DELETE'],
    [sqlite, 'ALTER TABLE m RENAME COLUMN a TO c;', 'ALTER'],
  ])('is named with its line if it would change rows: %#', async (dump, text, word) => {
    const content = dump(`${t}INSERT INTO m VALUES ('1', 'x');\n${text}\n`);
    const line = content.split('\n').indexOf(text) + 1;
    const database = await dumpOf(content);
    const fault = { code: 'dump-statement', reason: `${word} is not read, and would change "m"` };
    expect(await rowsOf(database, 'm')).toMatchObject([{ values: ['1', 'x'] }, { line, fault }]);
    await database.close();
  });
});

describe('openDump()', () => {
  it.each([1, 7, 512 * 1024])('reads rows behind comments in comments, in pieces of %i bytes', async (chunkBytes) => {
    const rows = "(1, 2, 3) /* /* ( */ ; */, -- (9);\n(4, 5, 6), /* /* /**/ ') */ */ (7, 8, 9)";
    const content = postgres(
      `/* /* */ DROP TABLE m; */ ${table}/* ; /* */ ' */ INSERT INTO m /* /* */ */ VALUES ${rows};`,
    );
    const database = await dumpOf(content, { chunkBytes });
    expect((await rowsOf(database, 'm', ['a'])).map(({ values }) => values[0])).toEqual(['1', '4', '7']);
    await database.close();
  });

  it.each(["WITH (DELIMITER ',')", "WITH (ENCODING 'latin1')", 'CSV', 'WITH (HEADER)', 'WHERE a > 1'])(
    'reads no rows of COPY %s',
    async (options) => {
      const content = postgres(`${table}COPY m (a, b, c) FROM stdin ${options};\n1\t2\t3\n\\.\n`);
      await expect(dumpOf(content)).rejects.toThrow('found options behind it');
    },
  );

  it('reads a dump that is packed', async () => {
    const path = writeDump(gzipSync(postgres(`${table}COPY m (a, b, c) FROM stdin;\n1\t2\t3\n\\.\n`)));
    const input = fileInput(new Map([['dump.sql', gzipFile(path, 'dump.sql', defaultCaps)]]));
    const database = await openDump(input, 'dump.sql', never);
    expect(await rowsOf(database, 'm')).toMatchObject([{ values: ['1', '2', '3'] }]);
    await database.close();
    await input.close();
  });

  it('gives rows as they are taken, and ends when no more are', async () => {
    const rows = Array.from({ length: tenthOf(100_000) }, (_, index) => [`${index}`, 'some text', null]);
    const database = await dumpOf(forms['INSERT of MySQL']!(rows, 1000));
    let count = 0;
    for await (const list of database.rows('m', ['a'], never)) {
      expect(list.length).toBeLessThanOrEqual(500);
      count += list.length;
    }
    expect(count).toBe(rows.length);
    for await (const list of database.rows('m', ['a'], never)) {
      expect(list[0]?.values).toEqual(['0']);
      break;
    }
    await database.close();
  });

  it('needs no more memory for more rows', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => [`${index}`, 'x'.repeat(300), null]);
    const path = writeDump(forms['INSERT of PostgreSQL']!(rows, 1));
    const module = (name: string) => JSON.stringify(new URL(`../../../src/${name}`, import.meta.url));
    // Half of what the rows take.
    const worker = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads');
      (async () => {
        const { fileInput, plainFile } = await import(${module('io/input/file-input.ts')});
        const { openDump } = await import(${module('sources/database/dump/open-dump.ts')});
        const { signal } = new AbortController();
        const database = await openDump(fileInput(new Map([['dump.sql', plainFile(workerData)]])), 'dump.sql', signal);
        let count = 0;
        for await (const list of database.rows('m', ['a', 'b'], signal)) count += list.length;
        parentPort.postMessage(count);
      })();`,
      { eval: true, workerData: path, resourceLimits: { maxOldGenerationSizeMb: 20, maxYoungGenerationSizeMb: 8 } },
    );
    const [count] = await once(worker, 'message');
    expect(count).toBe(100_000);
    await worker.terminate();
  });

  it('ends when it is aborted', async () => {
    const database = await dumpOf(postgres(`${table}COPY m (a, b, c) FROM stdin;\n1\t2\t3\n\\.\n`));
    const aborted = AbortSignal.abort();
    await expect(database.rows('m', ['a'], aborted).next()).rejects.toThrow(/abort/);
  });

  it('names a dump in another form, and what makes text of it', async () => {
    await expect(dumpOf('PGDMP\x01\x0e')).rejects.toMatchObject({
      message:
        'Cannot read the dump: expected SQL, found a dump in the custom or directory format of pg_dump (dump.sql)',
      hint: 'Run "pg_restore -f out.sql FILE" (of a folder, name the folder), and pass out.sql',
    });
  });

  it('says that SQLite made the dump of a damaged database', async () => {
    const database = await dumpOf(sqlite(table).replace('COMMIT;', 'ROLLBACK; -- due to errors'));
    expect(database.problems).toMatchObject([{ code: 'dump-of-damaged' }]);
  });
});

describe('every code of a dump', () => {
  it('is explained, and none else is', () => {
    const folder = fileURLToPath(new URL('../../../src/sources/database/dump/', import.meta.url));
    const files = globSync(['*.ts', '*/*.ts'], { cwd: folder }).filter((name) => name !== 'codes.ts');
    const given = files.flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8')
        .matchAll(/code: '(dump-[a-z-]+)'/g)
        .map(([, code]) => code!),
    ]);
    expect([...new Set(given)].sort()).toEqual(dumpCodes.map(({ code }) => code).sort());
  });
});

describe('looksLikeDump()', () => {
  const is = (text: string) => looksLikeDump(Buffer.from(text));

  it.each([
    [postgres(table)],
    [mysql(table)],
    [sqlite(table)],
    ['/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19'],
    ['-- phpMyAdmin SQL Dump\n-- version 5.2.1'],
    ['-- by hand\n\nCREATE TABLE m (a text);'],
    ['\ufeffinsert into m values (1);'],
    ['SET x = 1;\nCOPY public.m (a) FROM stdin;'],
  ])('knows %j', (text) => expect(is(text)).toBe(true));

  it.each([
    ['id,name\n1,CREATE TABLE x\n'],
    ['{"text": "INSERT INTO x VALUES (1)"}'],
    ['[01.03.26, 10:00] Ann: look\nCREATE TABLE x (a int);\nINSERT INTO x VALUES (1);'],
    ['SELECT 1;\n'],
    [''],
    ['CREATE TABLE \0'],
  ])('does not know %j', (text) => expect(is(text)).toBe(false));
});

describe('foreignDump()', () => {
  it.each([
    ['PGDMP', /pg_restore -f out\.sql FILE/],
    [`toc.dat${'\0'.repeat(250)}ustar`, /pg_restore -f out\.sql FILE/],
    ['{\n  "dumper": "mysqlsh Ver 8.0.36",', /mysqldump/],
  ])('knows %j', (text, hint) => expect(foreignDump(Buffer.from(text, 'latin1'))?.hint).toMatch(hint));

  it('knows what PowerShell writes', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('-- MySQL dump', 'utf16le')]);
    expect(foreignDump(bytes)?.what).toBe('a dump in UTF-16');
  });

  it('does not know SQL', () => expect(foreignDump(Buffer.from(mysql(table)))).toBeUndefined());
});

import { describe, expect, it } from 'vitest';
import { conditionCases, conditionRows, foundBy } from './cell-conditions.ts';
import { dumpOf, mysql, postgres, sqlite, valuesOf } from './dumps.ts';

const copy = (rows: string, type = 'text') =>
  postgres(`CREATE TABLE public.t (\n    a ${type}\n);\n\nCOPY public.t (a) FROM stdin;\n${rows}\n\\.\n`);

const insert = (value: string, type = 'text') =>
  postgres(
    `SET standard_conforming_strings = on;\nCREATE TABLE public.t (a ${type});\nINSERT INTO public.t VALUES (${value});`,
  );

const inMysql = (value: string, type = 'text') =>
  mysql(`CREATE TABLE \`t\` (\n  \`a\` ${type}\n);\nINSERT INTO \`t\` VALUES (${value});`);

const inSqlite = (value: string) => sqlite(`CREATE TABLE t(a TEXT);\nINSERT INTO t VALUES(${value});`);

const cellOf = async (content: string | Uint8Array) => {
  const [row] = await valuesOf(content, 't');
  return Array.isArray(row) ? row[0] : row;
};

describe('a value of COPY', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['\\N', null],
    ['\\\\N', '\\N'],
    ['a\\tb\\nc\\rd', 'a\tb\nc\rd'],
    ['\\b\\f\\v', '\b\f\v'],
    ['\\\\ \\\\.', '\\ \\.'],
    ['\\101\\x42\\x4', 'AB\x04'],
    ['Stra\\303\\237e', 'Straße'],
    ['it\'s "so"; -- $$', 'it\'s "so"; -- $$'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['12345678901234567890.10', '12345678901234567890.10'],
    ['infinity', 'infinity'],
    ['2026-03-01 10:00:00.123456+00', '2026-03-01 10:00:00.123456+00'],
  ])('is read as it was: %j', async (written, value) => expect(await cellOf(copy(written))).toBe(value));

  it.each([
    ['\\\\x00FF', '00ff', 'bytea'],
    ['a\\\\000\\\\\\\\', '61005c', 'bytea'],
    ['t', 't', 'boolean'],
    ['{a,"b,c",NULL}', '{a,"b,c",NULL}', 'text[]'],
  ])('%j is %j in a column of type %s', async (written, value, type) =>
    expect(await cellOf(copy(written, type))).toBe(value),
  );

  it('may be in a file with Windows line endings', async () => {
    expect(await valuesOf(copy('a\\r\nb').replaceAll('\n', '\r\n'), 't')).toEqual([['a\r'], ['b']]);
  });

  it('that is not UTF-8 is a fault of its row alone', async () => {
    const bytes = Buffer.from(copy('a\n\xff\n\ufffd'), 'latin1');
    const found = await valuesOf(bytes, 't');
    expect(found).toEqual([['a'], { code: 'dump-encoding', reason: '"a" is not text in utf8' }, expect.anything()]);
    expect(await cellOf(copy('\ufffd'))).toBe('\ufffd');
  });
});

describe('a value of an INSERT of PostgreSQL', () => {
  it.each([
    ["'it''s'", "it's"],
    ["''", ''],
    ["''''", "'"],
    ["'a\\nb'", 'a\\nb'],
    ["'a\nb'", 'a\nb'],
    ["E'a\\nb\\\\\\'c\\''''", "a\nb\\'c''"],
    ["E'\\u00e9\\U0001F600\\101'", 'é😀A'],
    ['NULL', null],
    ['-12.50', '-12.50'],
    ["'2026-03-01 10:00:00+00'::timestamp with time zone", '2026-03-01 10:00:00+00'],
    ["'x'::character varying(10)", 'x'],
    ["'{1,2}'::integer[]", '{1,2}'],
    ["('a'::text)::public.citext", 'a'],
    ["ARRAY['a','b,)']", "ARRAY['a','b,)']"],
    ["B'0101'", '0101'],
    ["X'00fF'", '00ff'],
    ["CAST('x' AS text)", 'x'],
    ['DEFAULT', null],
  ])('is read as it was: %s', async (written, value) => expect(await cellOf(insert(written))).toBe(value));

  it.each([
    ['true', 't', 'boolean'],
    ['false', 'f', 'boolean'],
    ["'\\x00FF'", '00ff', 'bytea'],
    ["'infinity'", 'infinity', 'timestamp with time zone'],
  ])('%s is %j in a column of type %s', async (written, value, type) =>
    expect(await cellOf(insert(written, type))).toBe(value),
  );

  it('has escapes in plain strings if the dump declares them', async () => {
    const content = insert("'a\\nb\\'c'").replace('= on', '= off');
    expect(await cellOf(content)).toBe("a\nb'c");
  });

  it('that would have to be worked out is a fault, and nothing is run', async () => {
    const fault = { code: 'dump-value', reason: '"a" holds no value: pg_read_file(' };
    expect(await cellOf(insert("pg_read_file('/etc/passwd')"))).toEqual(fault);
  });
});

it.each(['_latin1 0xe9', '_utf16 0x0041', "_latin1'x'"])(
  'a value of MySQL in another charset is a fault: %s',
  async (value) => expect(await cellOf(inMysql(value))).toMatchObject({ code: 'dump-value' }),
);

describe('a value of MySQL', () => {
  it.each([
    ["'it\\'s \\\"so\\\"'", 'it\'s "so"'],
    ["'it''s'", "it's"],
    ["'\\0\\b\\n\\r\\t\\Z\\\\'", '\0\b\n\r\t\x1a\\'],
    ["'100\\% \\_ \\q'", '100\\% \\_ q'],
    ['"double ""quoted"" \\"text\\""', 'double "quoted" "text"'],
    ["_utf8mb4'x'", 'x'],
    ["N'x'", 'x'],
    ['NULL', null],
    ['18446744073709551615', '18446744073709551615'],
    ['1e-7', '1e-7'],
    ['TRUE', '1'],
    ['0x616263', 'abc'],
    ["'a;b -- c /* d */ # e'", 'a;b -- c /* d */ # e'],
  ])('is read as it was: %s', async (written, value) => expect(await cellOf(inMysql(written))).toBe(value));

  it.each([
    ["_binary 'a\\0\\'b'", '6100' + '2762', 'longblob'],
    ["'abc'", '616263', 'varbinary(10)'],
    ['0x00FF', '00ff', 'blob'],
    ["X'00fF'", '00ff', 'blob'],
    ["b'0101'", '101', 'bit(4)'],
    ["'\\0'", '0', 'bit(1)'],
    ["_binary '\x05'", '101', 'bit(8)'],
    ['0x10', '16', 'int unsigned'],
    ["'0000-00-00 00:00:00'", '0000-00-00 00:00:00', 'timestamp'],
    ["'2026-03-01 10:00:00'", '2026-03-01 10:00:00', 'timestamp'],
  ])('%s is %j in a column of type %s', async (written, value, type) =>
    expect(await cellOf(inMysql(written, type))).toBe(value),
  );

  it('has the zone of the dump in a column of type timestamp, and in no other', async () => {
    const content = mysql(`/*!40103 SET TIME_ZONE='+00:00' */;
CREATE TABLE \`t\` (\`a\` timestamp(6) NULL, \`b\` datetime, \`c\` timestamp NULL);
INSERT INTO \`t\` VALUES ('2026-03-01 10:00:00.5','2026-03-01 10:00:00','0000-00-00 00:00:00'),(NULL,NULL,NULL);
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
INSERT INTO \`t\` VALUES ('2026-03-01 10:00:00',NULL,NULL);`);
    expect(await valuesOf(content, 't')).toEqual([
      ['2026-03-01 10:00:00.5+00:00', '2026-03-01 10:00:00', '0000-00-00 00:00:00'],
      [null, null, null],
      ['2026-03-01 10:00:00', null, null],
    ]);
  });

  it('is decoded as the dump names its encoding, or the encoding is refused', async () => {
    const latin1 = Buffer.from(inMysql("'Gr\xf6\xdfe \x80'").replace('utf8mb4', 'latin1'), 'latin1');
    expect(await cellOf(latin1)).toBe('Größe €');
    const refused = cellOf(inMysql("'x'").replace('utf8mb4', 'gbk'));
    await expect(refused).rejects.toThrow('Cannot read the dump: its text is in the encoding "gbk"');
  });
});

describe('a value of .dump of SQLite', () => {
  it.each([
    ["'it''s'", "it's"],
    ["'a\\nb'", 'a\\nb'],
    ["replace('a\\nb','\\n',char(10))", 'a\nb'],
    ["replace(replace('a\\r\\nb','\\r',char(13)),'\\n',char(10))", 'a\r\nb'],
    ["unistr('a\\u000ab\\\\c\\u0007')", 'a\nb\\c\x07'],
    ["unistr('\\u000a12345678')", '\n12345678'],
    ["'a'||char(8364,10)||'b'", 'a€\nb'],
    ["X''", ''],
    ["X'00fF'", '00ff'],
    ["CAST(X'6100' AS TEXT)", 'a\0'],
    ['9007199254740993', '9007199254740993'],
    ['1.0', '1.0'],
    ['-9.9e+99', '-9.9e+99'],
    ['1e999', '1e999'],
    ['NULL', null],
  ])('is read as it was: %s', async (written, value) => expect(await cellOf(inSqlite(written))).toBe(value));

  it('that calls another function is a fault', async () => {
    const fault = { code: 'dump-value', reason: '"a" holds no value: load_extension(' };
    expect(await cellOf(inSqlite("load_extension('/tmp/x.so')"))).toEqual(fault);
  });

  it('that would grow to gigabytes is a fault', async () => {
    const ten = 'aaaaaaaaaa';
    const written = Array.from({ length: 12 }).reduce<string>((inner) => `replace(${inner},'a','${ten}')`, `'${ten}'`);
    expect(await cellOf(inSqlite(written))).toMatchObject({ code: 'dump-value' });
  });
});

describe('a row', () => {
  it('with another number of values than columns is a fault, and those around it are read', async () => {
    const fault = { code: 'dump-columns', reason: 'expected 2 values, one for each column, found 1' };
    const pg = postgres(
      'CREATE TABLE public.t (a text, b text);\nCOPY public.t (a, b) FROM stdin;\n1\t2\n3\n4\t5\n\\.\n',
    );
    expect(await valuesOf(pg, 't')).toEqual([['1', '2'], fault, ['4', '5']]);
    const my = mysql("CREATE TABLE `t` (`a` text, `b` text);\nINSERT INTO `t` VALUES ('1','2'),('3'),('4','5');");
    expect(await valuesOf(my, 't')).toEqual([['1', '2'], fault, ['4', '5']]);
  });
});

describe('rows of a dump', () => {
  const made = 'CREATE TABLE t (id bigint PRIMARY KEY, word text, data BYTES);';
  const copied = [
    String.raw`9007199254740993	a	\\x00ffab01`,
    String.raw`2	A	\N`,
    String.raw`3	ä	\N`,
    String.raw`4		\N`,
    String.raw`5	\N	\\x00000000`,
    String.raw`6	it's "b" \\ %	\N`,
  ].join('\n');

  it.each([
    ['INSERT of SQLite', sqlite(`${made.replace('BYTES', 'BLOB')}${conditionRows((digits) => `x'${digits}'`)};`)],
    [
      'INSERT of PostgreSQL',
      postgres(
        `SET standard_conforming_strings = on;${made.replace('BYTES', 'bytea')}${conditionRows((digits) => `'\\x${digits}'`)};`,
      ),
    ],
    [
      'COPY',
      postgres(`${made.replace('BYTES', 'bytea')}\nCOPY public.t (id, word, data) FROM stdin;\n${copied}\n\\.\n`),
    ],
  ])('are found by conditions on their cells, by the letter and at most so many: %s', async (_, content) => {
    const database = await dumpOf(content);
    expect(await foundBy(database)).toEqual(conditionCases);
    const anyOf = [{ column: 'id', values: [], isOneOf: false }];
    const lists = await Array.fromAsync(database.rowsWhere!('t', ['word', 'id'], { anyOf, max: 2 }));
    expect(lists.flat().map(({ values }) => values)).toEqual([
      ['a', '9007199254740993'],
      ['A', '2'],
    ]);
    await database.close();
  });
});

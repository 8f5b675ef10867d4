import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Format, growingScene, planIfPossible } from './scene.ts';

const growing = growingScene();

/** A row of any chat: who says what where; several are alike. */
interface Row {
  readonly room: string;
  readonly who: string;
  readonly second: number;
  readonly text: string;
  /** Of the row that it may answer. */
  readonly root: number;
}

const anyText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'hello',
      'Grüße, 日本 🎉',
      'a "quoted" word',
      'two\nlines',
      'crlf\r\ninside',
      ',;\t|',
      '',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
);
const anyRow: fc.Arbitrary<Row> = fc.record({
  room: fc.constantFrom('general', 'random'),
  who: fc.constantFrom('ann', 'bob', 'Zoë'),
  second: fc.nat({ max: 1 }),
  text: anyText,
  root: fc.nat({ max: 12 }),
});

const atMs = ({ second }: Pick<Row, 'second'>) => 1_700_000_000_000 + second * 1000;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const record = (row: Row, index: number) =>
  JSON.stringify({
    kind: 'message',
    origin: { source: 'app', workspace: '', conversation: row.room, id: `m${index}` },
    sortKey: '',
    sentAtMs: atMs(row),
    author: row.who,
    text: row.text,
    attachments: [{ name: 'a', url: `https://${row.who === 'ann' ? 'a' : 'b'}.example/f` }],
  });

const columns = 'messages: { conversation: room, author: who, time: { from: at, format: unix-ms }, text: text';

interface Writing extends Format {
  readonly head: string;
  line(row: Row, index: number): string;
  /** What else may stand on a line. */
  readonly broken: readonly string[];
}

const writings: readonly Writing[] = [
  {
    name: 'messages.ndjson',
    source: 'chatferry',
    head: '{"kind":"chatferry","version":1,"source":"app"}\n',
    line: record,
    broken: [
      record({ room: 'general', who: 'ann', second: 1, text: 'of another app', root: 0 }, 900).replace(
        '"app"',
        '"other"',
      ),
      ...['', '  ', '{"kind":"message"}', '{"cut', '[1,2]', '{"kind":"problem","code":"odd","reason":"so"}'],
    ],
  },
  ...['group', 'reject'].map((outsiders) => ({
    name: `people-too-${outsiders}.ndjson`,
    source: 'chatferry',
    mapping: `conversations: { outsiders: ${outsiders} }`,
    head: `{"kind":"user","id":"ann","name":"Ann"}\n{"kind":"conversation","id":"general","type":"public","name":"G","members":["ann"]}\n`,
    line: record,
    broken: [
      ...['{"kind":"user","id":"bob","name":"Bob"}', '{"kind":"reject","code":"lost","reason":"so"}', 'x'],
      ...['bob', 'Zoë'].map((other) =>
        JSON.stringify({ kind: 'conversation', id: 'random', type: 'direct', name: '', members: ['ann', other] }),
      ),
    ],
  })),
  {
    name: 'rows.ndjson',
    source: 'json',
    mapping: `source: { ${columns}, id: id } }`,
    head: '',
    line: (row, index) =>
      JSON.stringify({ id: `m${index}`, room: row.room, who: row.who, at: atMs(row), text: row.text }),
    broken: ['', '{"id":"no-room"}', '{"id":', '3'],
  },
  {
    name: 'rows.csv',
    source: 'csv',
    mapping: `source: { ${columns}, id: id } }`,
    head: 'id,room,who,at,text\n',
    line: (row, index) => `m${index},${row.room},${row.who},${atMs(row)},${quoted(row.text)}`,
    broken: [
      '',
      'too,few',
      'm,general,ann,never,"x"',
      'b,general,ann,1700000000000,"text" after',
      'c,general,an"n,1700000000000,"x"',
    ],
  },
  {
    name: 'no-ids.csv',
    source: 'csv',
    mapping: `source: { delimiter: ';', ${columns}, skipWhen: { who: Zoë } } }`,
    head: '\ufeffroom;who;at;text\r\n',
    line: (row) => `${row.room};${row.who};${atMs(row)};${quoted(row.text)}`,
    broken: ['', ';;;', 'general;ann;1700000000000;open "quote'],
  },
  // A cut row names people and conversations that are not.
  ...['room,called,who,name', 'who,name,room,called'].map((last) => ({
    name: `${last.replaceAll(',', '-')}.csv`,
    source: 'csv',
    mapping:
      'source: { messages: { time: { from: at, format: unix-ms }, text: text, author: who, authorName: name, conversation: room, conversationName: called } }',
    head: `at,text,${last}\n`,
    line: ({ room, who, text, second }: Row) => {
      const cells = { room: `${room}-${who}`, called: `${room} of ${who}`, who, name: `${who} ${who}` };
      const rest = last.split(',').map((column) => cells[column as keyof typeof cells]);
      return `${atMs({ second })},${quoted(text)},${rest.join()}`;
    },
    broken: ['1700000000000,x,general-annabel,annabel,Annabel,General', '1700000000000,"x'],
  })),
  {
    name: 'direct.csv',
    source: 'csv',
    mapping:
      'source: { messages: { time: { from: at, format: unix-ms }, text: text, author: who, conversation: { between: [one, other] } } }',
    head: 'at,text,one,other,who\n',
    line: ({ room, who, text, second }) =>
      `${atMs({ second })},${quoted(text)},${room === 'general' ? 'ann' : 'bob'},${who}bel,${who}bel`,
    broken: ['1700000000000,x,ann,bobbel,annbel', '1700000000000,"x'],
  },
  ...['unlink', 'skip'].map((orphans) => ({
    name: `replies-${orphans}.csv`,
    source: 'csv',
    mapping: `source: { ${columns}, id: id, reply: root } }\nmessages: { orphans: ${orphans} }`,
    head: 'id,room,who,at,text,root\n',
    line: (row: Row, index: number) => `m${index},general,${row.who},${atMs(row)},${quoted(row.text)},m${row.root}`,
    broken: ['1700000000000,"x'],
  })),
];

describe.each(writings)('$name', ({ head, line, broken, ...format }) => {
  const anyFile = fc
    .record({
      rows: fc.array(fc.oneof({ weight: 5, arbitrary: anyRow }, { weight: 1, arbitrary: fc.constantFrom(...broken) }), {
        minLength: 1,
        maxLength: 12,
      }),
      lineEnd: fc.constantFrom('\n', '\r\n'),
      endsLine: fc.boolean(),
    })
    .map(({ rows, lineEnd, endsLine }) => {
      const lines = rows.map((row, index) => (typeof row === 'string' ? row : line(row, index)));
      return Buffer.from(head + lines.join(lineEnd) + (endsLine ? lineEnd : ''));
    });

  it('is staged the same in any pieces as at once', async () => {
    // Without bias: small numbers first would cut at the head again and again.
    const anyCut = fc.noBias(fc.integer({ min: 1, max: 9_999 }));
    const anyCuts = fc.array(anyCut, { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(anyFile, anyCuts, async (bytes, shares) => {
      const cuts = shares.map((share) => Math.round((share / 10_000) * bytes.length)).sort((a, b) => a - b);
      const [pieces, whole] = [growing(format), growing(format)];
      let written = 0;
      for (const cut of [...cuts, bytes.length]) {
        if (written === 0) pieces.write(bytes.subarray(0, cut));
        else pieces.append(bytes.subarray(written, cut));
        written = cut;
        await planIfPossible(pieces);
      }
      whole.write(bytes);
      await planIfPossible(whole);
      expect(pieces.staged()).toEqual(whole.staged());
    });
    await fc.assert(property, { numRuns: Number(process.env.GROWING_RUNS ?? 1) });
  });
});

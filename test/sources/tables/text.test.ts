import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CellRow, indexColumns } from '../../../src/sources/tables/cell-row.ts';
import { JsonRow } from '../../../src/sources/json/json-row.ts';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import { bindAll, bindOne, messagesIn, rowOf } from './rows.ts';

const usual = { id: '1', room_id: 'a', user_id: 'ines', created_at: '2026-03-02T09:15:00Z' };

async function propose(rows: readonly Readonly<Record<string, unknown>>[], options = {}) {
  const samples = [
    { path: 'a.csv', table: {}, rows: rows.map((row, index) => rowOf({ ...usual, id: String(index), ...row })) },
  ];
  const { findings, options: bound } = await proposeBindings(samples, options);
  const finding = (key: string) => findings.find((found) => found.key === `messages.${key}`);
  const readings = (key: string) => {
    const found = finding(key);
    return [found?.value, ...(found?.alternatives.map(({ value }) => value) ?? [])].filter((one) => one !== undefined);
  };
  return { finding, readings, bound };
}

const documentOf = (text: string) =>
  JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });

const said = [
  ...['ok', 'See you at eight', 'Könnten Sie mir bitte die Rechnung schicken?', 'I am late, sorry'],
  ...['Bring the papers and the key', 'yes', 'What did the harbour master say about the second berth?', 'fine by me'],
];
const hash = (text: string, from = 0, to = 32) => createHash('sha256').update(text).digest().subarray(from, to);
function encryptBytes(text: string): { readonly iv: Buffer; readonly tag: Buffer; readonly data: Buffer } {
  const iv = hash(text, 0, 12);
  const cipher = createCipheriv('aes-256-gcm', hash('key'), iv);
  const data = Buffer.concat([cipher.update(text), cipher.final()]);
  return { iv, tag: cipher.getAuthTag(), data };
}
const inBase64 = (value: Buffer | string) => Buffer.from(value).toString('base64');

/** The ways of applications to write a cipher. */
const ciphers = {
  CryptoJS: (text) =>
    inBase64(Buffer.concat([Buffer.from('Salted__'), hash(text, 0, 8), encryptBytes(text.padEnd(16)).data])),
  Laravel: (text) => {
    const { iv, data } = encryptBytes(text);
    return inBase64(
      JSON.stringify({ iv: inBase64(iv), value: inBase64(data), mac: hash(text).toString('hex'), tag: '' }),
    );
  },
  Rails: (text) => {
    const { iv, tag, data } = encryptBytes(text);
    return JSON.stringify({ p: inBase64(data), h: { iv: inBase64(iv), at: inBase64(tag) } });
  },
  'Rails in jsonb': (text) => {
    const { iv, tag, data } = encryptBytes(text);
    return `{"h": {"at": "${inBase64(tag)}", "iv": "${inBase64(iv)}"}, "p": "${inBase64(data)}"}`;
  },
  'older Rails': (text) => {
    const { iv, tag, data } = encryptBytes(text.padEnd(16));
    return [data, iv, tag].map(inBase64).join('--');
  },
  Fernet: (text) => {
    const head = Buffer.from([128, 0, 0, 0, 0, 101]);
    const body = Buffer.concat([hash(text, 0, 27), encryptBytes(text.padEnd(48)).data.subarray(0, 16), hash(text)]);
    return Buffer.concat([head, body]).toString('base64url');
  },
  'GCM in hex': (text) => Buffer.concat(Object.values(encryptBytes(text))).toString('hex'),
  'random bytes in base64': (text) => inBase64(Buffer.concat(Object.values(encryptBytes(text)))),
  'iv:tag:data': (text) =>
    Object.values(encryptBytes(text.padEnd(4)))
      .map((part) => part.toString('hex'))
      .join(':'),
  'JSON with a vector': (text) => {
    const { iv, data } = encryptBytes(text);
    return JSON.stringify({ iv: iv.toString('hex'), encryptedData: data.toString('hex') });
  },
} as const satisfies Readonly<Record<string, (text: string) => string>>;

const noCiphers = {
  hashes: said.map((text) => hash(text).toString('hex')),
  UUIDs: said.map((text) =>
    hash(text, 0, 16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ),
  addresses: said.map((text) => `https://www.example.com/a/${hash(text).toString('base64url')}`),
  'photos in base64': said.map((text) => `/9j/4AAQSkZJRgABAQ${inBase64(hash(text))}`),
  'data URLs': said.map((text) => `data:image/png;base64,iVBORw0KGgo${inBase64(hash(text))}`),
  Thai: said.map((_, at) => 'พรุ่งนี้เจอกันที่ร้านกาแฟตอนบ่ายสามโมงนะครับ'.slice(at)),
  Chinese: said.map((_, at) => '我们明天下午三点在会议室见面讨论新的项目计划和预算安排'.slice(at)),
  'words with a hash among them': [...said, hash('one').toString('hex')],
} as const;

const numbered = (rows: readonly { readonly text: string }[]) =>
  rows.map((row, index) => ({ ...row, id: String(index) }));

const textsOf = (...texts: string[]) => texts.map((text) => ({ text }));

describe('the column of the text', () => {
  const kind = { from: 'text', values: { 'Bo left': 'system', remark: 'message' }, otherwise: 'message' };

  it('remains the text if the kind of a row is derived from it', async () => {
    const rows = textsOf('Who is there?', 'Bo left').map((row) => ({ ...row, avatar_note: 'a red hat' }));
    expect((await propose(rows, { messages: { kind } })).readings('text.from')).toEqual(['text']);
  });

  it('is no word that another binding holds', async () => {
    const rows = [{ type: 'body', body: 'Who is there?', constant: 'x' }];
    const decided = { messages: { kind: { from: 'type', values: { body: 'message' } } } };
    expect((await propose(rows, decided)).readings('text.from')).toEqual(['body']);
  });

  it('is no column bound to something else', async () => {
    const rows = [{ text: 'Who is there?', comment: 'late' }];
    expect((await propose(rows, { messages: { custom: { remark: 'comment' } } })).readings('text.from')).toEqual([
      'text',
    ]);
  });
});

describe('texts that are not words yet', () => {
  it('are asked about if they are JSON, with its fields', async () => {
    const rows = [
      { body: '{"type":"text","text":"Who is there?"}' },
      { body: '{"type":"image","url":"https://example.com/a.png"}' },
    ];
    const { finding, readings, bound } = await propose(rows);
    expect(readings('text.from')).toEqual(['body.text', 'body.type', 'body.url', 'body']);
    expect(finding('text.from')).toMatchObject({ isRequired: true });
    expect(finding('text.from')?.because).toContain('2 of 2 texts are JSON');
    expect(bound).not.toHaveProperty('messages.text');
  });

  it('are asked about if the only column of sentences is JSON, with the texts deep in it', async () => {
    const rows = ['Who is there?', 'Only the wind'].map((body) => ({
      event: JSON.stringify({ type: 'm.message', content: { body, info: null }, sender: 'ines' }),
    }));
    const { readings, bound } = await propose(rows);
    expect(readings('text.from')).toEqual(['event.content.body', 'event.type', 'event.sender', 'event']);
    expect(bound).not.toHaveProperty('messages.text');
  });

  it('are asked about if they repeat in JSON what other columns hold as sentences', async () => {
    const rows = ['When do you open?', 'And on Sunday?'].map((query) => ({
      query,
      message: JSON.stringify([{ role: 'user', text: query }]),
      answer: 'We open at nine.',
    }));
    const { readings, bound } = await propose(rows);
    expect(readings('text.from')).toEqual(['query', 'answer', 'message']);
    expect(bound).not.toHaveProperty('messages.text');
  });

  it('are asked about where UTF-8 was read as Latin-1', async () => {
    const { finding } = await propose(textsOf('FÃ¼r Ã¤ltere Schiffe â€“ gerne ðŸ˜€', 'schÃ¶n', 'Ärger in Århus'));
    expect(finding('text.from')?.because).toContain('2 of 3 texts are UTF-8 that was read as Latin-1');
    expect(finding('text.from')?.because).toContain('"Für ältere Schiffe – gerne 😀"');
    expect((await propose(textsOf('Für ältere Schiffe – 😀', 'Ã la carte', 'naïve'))).readings('text.from')).toEqual([
      'text',
    ]);
  });

  it.each(Object.entries(ciphers))('are asked about if they are encrypted as %s', async (_, encrypt) => {
    const found = await propose(said.map((text) => ({ text: encrypt(text) })));
    expect(found.readings('encrypted')).toEqual(['skip', 'keep']);
    expect(found.finding('encrypted')).toMatchObject({ isRequired: true, instead: [{}, {}] });
    expect(found.finding('text.from')?.alternatives).toEqual([]);
    expect(found.bound).not.toHaveProperty('messages.encrypted');
    const mixed = [...said.slice(0, 4).map((text) => ({ text })), ...said.map((text) => ({ text: encrypt(text) }))];
    expect((await propose(mixed)).finding('encrypted')?.because).toContain('8 of 12 texts are encrypted');
    expect(messagesIn(bindAll({ encrypted: 'skip' }, numbered(mixed))).map(({ text }) => text)).toEqual(
      said.slice(0, 4),
    );
    expect(messagesIn(bindAll({ encrypted: 'keep' }, numbered(mixed)))).toHaveLength(12);
  });

  it('are asked about again when the column is named, and not when another one has the words', async () => {
    const rows = said.map((text) => ({ body: ciphers.Laravel(text), words: text }));
    const { readings } = await propose(rows);
    expect(readings('text.from')).toEqual(['body', 'words']);
    for (const text of ['body', { from: 'body' }])
      expect((await propose(rows, { messages: { text } })).readings('encrypted')).toEqual(['skip', 'keep']);
    expect((await propose(rows, { messages: { text: 'words' } })).finding('encrypted')).toBeUndefined();
  });

  it.each(Object.entries(noCiphers))('are not taken for encrypted if they are %s', async (_, texts) => {
    expect((await propose(textsOf(...texts))).finding('encrypted')).toBeUndefined();
  });

  it('are sent unchanged once the user says so', async () => {
    const decided = { messages: { text: { from: 'body' } } };
    expect((await propose([{ body: '{"type":"text"}' }], decided)).finding('text.from')).toBeUndefined();
  });
});

describe('the markup of texts', () => {
  it('is HTML where every tag is one, and nothing else would be lost', async () => {
    expect(
      (await propose(textsOf('<p>I am <b>here</b></p>', 'Yes', '<div>one<br>two</div>'))).readings('text.markup'),
    ).toEqual(['html']);
  });

  it('is asked about where some rows have tags and others what HTML would eat', async () => {
    const { finding, readings } = await propose(
      textsOf('List:\n- one\n- two', '<p>I am <b>here</b></p>', 'if a < b then\n  c > d && e', 'use <div> for it'),
    );
    expect(readings('text.markup')).toEqual(['plain', 'html-lines', 'html']);
    expect(finding('text.markup')).toMatchObject({ isRequired: true });
    expect(finding('text.markup')?.alternatives[1]?.because).toContain(
      '"List:\\n- one\\n- two" is read as "List: - one - two"',
    );
  });

  it('is asked about where one text in a hundred has a tag', async () => {
    const texts = Array.from({ length: 100 }, (_, index) => (index === 7 ? 'see <b>this</b>' : `words ${index}`));
    expect((await propose(textsOf(...texts))).readings('text.markup')).toEqual(['plain', 'html', 'html-lines']);
  });

  it('is asked about where texts hold BBCode', async () => {
    const { finding, readings } = await propose(textsOf('[b]Tide[/b] is in', '[quote]Tide?[/quote] Yes', 'plain'));
    expect(readings('text.markup')).toEqual(['bbcode', 'plain']);
    expect(finding('text.markup')?.because).toContain(
      '2 of 3 texts hold BBCode; "[b]Tide[/b] is in" is read as "**Tide** is in"',
    );
  });

  it('is nothing to ask about in plain texts', async () => {
    expect((await propose(textsOf('a < b', 'R&D\nline', 'x[0]', 'use <div>'))).finding('text.markup')).toBeUndefined();
  });

  it('is that of a column which says it of each row, unless the texts say otherwise', async () => {
    const rows = [
      { text: '<p>one</p>', format: 'html' },
      { text: 'a < b', format: 'text' },
    ];
    const markup = { from: 'format', values: { html: 'html', text: 'plain' } };
    expect((await propose(rows)).readings('text.markup')).toEqual([markup]);
    const torn = [...rows, { text: '<p>two</p>', format: 'text' }];
    expect((await propose(torn)).readings('text.markup')).toEqual([markup, 'plain', 'html', 'html-lines']);
    const moodle = rows.map(({ text }, index) => ({ text, fullmessageformat: String(index) }));
    expect((await propose(moodle)).readings('text.markup')[0]).toEqual({
      from: 'fullmessageformat',
      values: { 0: 'html-lines', 1: 'html' },
    });
  });

  it('is that of a flag or a format whose words only the texts explain', async () => {
    const rows = said.map((text, at) => (at % 2 ? { body: `<p>${text}</p>`, is_html: 1 } : { body: text, is_html: 0 }));
    const flag = await propose(rows);
    expect(flag.finding('text.markup')).toMatchObject({
      value: { from: 'is_html', values: { 0: 'plain', 1: 'html' } },
      alternatives: [],
    });
    const formats = said.map((text, at) =>
      at % 2 ? { body: documentOf(text), text_format: 'rich' } : { body: text, text_format: 'simple' },
    );
    const format = await propose(formats);
    expect(format.readings('text.markup')).toEqual([
      { from: 'text_format', values: { simple: 'plain', rich: 'document' } },
      'plain',
      'document',
    ]);
    expect(format.finding('text.markup')!.because).toContain('is read as "See you at eight"');
  });

  it('is a document where every text is one of an editor, and asked about where some are', async () => {
    const documents = await propose(said.map((text) => ({ content: documentOf(text) })));
    expect(documents.finding('text.from')).toMatchObject({ value: 'content', alternatives: [] });
    expect(documents.finding('text.markup')).toMatchObject({ value: 'document', alternatives: [] });
    const mixed = await propose(said.map((text, at) => ({ content: at % 2 ? documentOf(text) : text })));
    expect(mixed.readings('text.markup')).toEqual(['document', 'plain']);
  });

  it('is Markdown where a fifth of the texts have its marks', async () => {
    const marked = (every: number) => said.map((text, at) => ({ body: at % every ? text : `**${text}**` }));
    expect((await propose(marked(4))).finding('text.markup')).toMatchObject({ value: 'markdown', alternatives: [] });
    expect((await propose(marked(8))).finding('text.markup')).toBeUndefined();
  });

  it('names parts of a document that have no place, and keeps their words', () => {
    const poll = { type: 'poll', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Who comes?' }] }] };
    const text = JSON.stringify({ type: 'doc', content: [poll] });
    const entries = bindAll({ text: { from: 'text', markup: 'document' } }, [{ text }]);
    expect(messagesIn(entries)[0]!.text).toBe('Who comes?');
    expect(entries).toContainEqual(expect.objectContaining({ type: 'problem', code: 'unknown-text-part' }));
  });

  it('is bound row by row, and a row of an unknown word is invalid', async () => {
    const text = { from: 'text', markup: { from: 'f', values: { 1: 'html', 2: 'plain' } } };
    const entries = bindAll({ text }, [
      { id: '1', text: '<b>x</b>', f: '1' },
      { id: '2', text: '<b>x</b>', f: '2' },
      { id: '3', text: '[b]x[/b]', f: 'bbcode' },
      { id: '4', text: '<b>x</b>', f: '' },
      { id: '5', text: '<b>x</b>', f: '7' },
    ]);
    expect(messagesIn(entries).map((message) => message.text)).toEqual(['**x**', '<b>x</b>', '**x**', '<b>x</b>']);
    expect(entries.filter(({ type }) => type === 'invalid')).toMatchObject([{ code: 'unknown-markup' }]);
    const otherwise = { from: 'text', markup: { ...text.markup, otherwise: 'html' } };
    expect(bindOne({ text: otherwise }, { text: '<b>x</b>', f: '7' }).text).toBe('**x**');
  });
});

describe('a path into a cell that holds JSON', () => {
  const cell = '{"deleted":true,"ids":[9007199254740993],"a.b":{"c":1},"__proto__":{"x":1}}';
  const csv = new CellRow([cell, 'own', 'x'], indexColumns(['meta', 'meta.own', 'text']), { path: 'a.csv' });
  const json = new JsonRow({ meta: cell, text: 'x' }, { path: 'a.json' }, {});

  it.each([
    ['meta.deleted', true],
    ['meta.ids.0', '9007199254740993'],
    ['meta."a.b".c', 1],
    ['meta.constructor', undefined],
    ['meta.toString.name', undefined],
    ['text.deleted', undefined],
    ['other.deleted', undefined],
  ])('is read alike in csv and json: %s', async (name, value) => {
    expect(csv.get(name)).toEqual(value);
    expect(json.get(name)).toEqual(value);
  });

  it('gives way to a column of that name', async () => {
    expect(csv.get('meta.own')).toBe('own');
  });
});

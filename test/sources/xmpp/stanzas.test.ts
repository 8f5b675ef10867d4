import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { xmpp } from '../../../src/sources/xmpp/index.ts';
import { LuaItems } from '../../../src/sources/xmpp/lua/lua-items.ts';
import { parseLuaTable } from '../../../src/sources/xmpp/lua/lua-table.ts';
import { parseStanza } from '../../../src/sources/xmpp/xml/parse-stanza.ts';
import { XmlElements } from '../../../src/io/xml-elements.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';

const start = 1772442900;

interface Result {
  readonly owner?: string;
  readonly seconds?: number;
  readonly xml: string;
}

/** A file of XEP-0227 with a result for each stanza. */
function archive(...results: readonly Result[]): string {
  const users = results.map(({ owner = 'ines', seconds = 0, xml }, index) => {
    const stamp = new Date((start + seconds) * 1000).toISOString();
    return `<user name='${owner}'><archive xmlns='urn:xmpp:pie:0#mam'><result xmlns='urn:xmpp:mam:2' id='r${index}'><forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='${stamp}'/>${xml}</forwarded></result></archive></user>`;
  });
  return `<server-data xmlns='urn:xmpp:pie:0'><host jid='example.com'>${users.join('')}</host></server-data>`;
}

const message = (content: string, attributes = "id='m1'", from = 'ines@example.com/x', to = 'bo@example.com') =>
  `<message xmlns='jabber:client' from='${from}' to='${to}' type='chat' ${attributes}>${content}</message>`;

const read = async (...results: readonly Result[]): Promise<readonly Entry[]> =>
  readAll(xmpp, memoryInput({ 'a.xml': archive(...results) }));

const distinct = (messages: readonly MessageRecord[]) => new Set(messages.map(({ origin }) => origin.id)).size;
const codesIn = (entries: readonly Entry[]) => entries.flatMap((entry) => ('code' in entry ? [entry.code] : []));

describe('a stanza without a text', () => {
  it('is invalid if an element that is not known has words', async () => {
    const card = "<card xmlns='urn:example:card'><title>High water</title></card>";
    const found = (await read({ xml: message(card) })).filter(({ type }) => type === 'invalid');
    const reason = 'no text, but content in <card xmlns="urn:example:card">';
    expect(found).toMatchObject([{ code: 'xmpp-unknown-content', reason }]);
  });

  it.each(["<active xmlns='http://jabber.org/protocol/chatstates'/>", "<card xmlns='urn:example:card'/>"])(
    'is none if it has no words: %s',
    async (element) => {
      expect((await read({ xml: message(element) })).filter(({ type }) => type === 'invalid')).toEqual([]);
    },
  );
});

describe('copies of a message', () => {
  it('are one, and what was sent twice is two', async () => {
    const twice = [0, 60].flatMap((seconds) =>
      ['ines', 'bo'].map((owner) => ({ owner, seconds: seconds + 0.01, xml: message('<body>ok</body>', '') })),
    );
    const found = messagesOf(await read(...twice));
    expect([found.length, distinct(found)]).toEqual([4, 2]);
  });

  it('are two if one id is used for two texts', async () => {
    const origin = "<origin-id xmlns='urn:xmpp:sid:0' id='1'/>";
    const found = messagesOf(
      await read({ xml: message(`<body>a</body>${origin}`) }, { xml: message(`<body>b</body>${origin}`), seconds: 1 }),
    );
    expect(distinct(found)).toBe(2);
  });

  it('that one has for oneself are one', async () => {
    const own = message('<body>Note</body>', "id='n'", 'ines@example.com/x', 'ines@example.com');
    const found = messagesOf(await read({ xml: own, seconds: 1 }, { xml: own, seconds: 1.004 }));
    expect([found.length, distinct(found), found[0]!.origin.conversation]).toEqual([
      2,
      1,
      'ines@example.com ines@example.com',
    ]);
  });

  it('are refused if somebody else sent them', async () => {
    const inner = message('<body>I owe you</body>', '', 'bo@example.com/x', 'ines@example.com');
    const forged = message(
      `<received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>${inner}</forwarded></received>`,
      '',
      'mal@far.example/x',
      'ines@example.com',
    );
    const entries = await read({ xml: forged });
    expect([messagesOf(entries), codesIn(entries)]).toEqual([[], ['xmpp-forged']]);
  });
});

describe('a stanza about another one', () => {
  const first = { xml: message('<body>First</body>'), seconds: 0 };

  it('by somebody else corrects and deletes nothing', async () => {
    const from = 'bo@example.com/x';
    const edit = message("<body>Bad</body><replace xmlns='urn:xmpp:message-correct:0' id='m1'/>", "id='e'", from);
    const deletion = message("<retract xmlns='urn:xmpp:message-retract:1' id='m1'/>", "id='d'", from);
    const other = (xml: string, seconds: number) => ({
      xml: xml.replace("to='bo@example.com'", "to='ines@example.com'"),
      seconds,
    });
    const entries = await read(first, other(edit, 1), other(deletion, 2));
    const found = messagesOf(entries);
    expect(found.map(({ text, author, isDeleted }) => [text, author, isDeleted])).toEqual([
      ['First', 'ines@example.com', undefined],
      ['Bad', 'bo@example.com', undefined],
    ]);
    expect(codesIn(entries)).toContain('xmpp-target-elsewhere');
  });

  it('may mean the message by its correction', async () => {
    const edit = message("<body>Second</body><replace xmlns='urn:xmpp:message-correct:0' id='m1'/>", "id='m2'");
    const again = message("<body>Third</body><replace xmlns='urn:xmpp:message-correct:0' id='m2'/>", "id='m3'");
    const found = messagesOf(await read(first, { xml: edit, seconds: 1 }, { xml: again, seconds: 2 }));
    expect(found.map(({ text }) => text)).toEqual(['Third']);
  });

  it('replaces the reactions of the same person', async () => {
    const react = (emoji: string, seconds: number) => ({
      xml: message(
        `<reactions xmlns='urn:xmpp:reactions:0' id='m1'>${emoji && `<reaction>${emoji}</reaction>`}</reactions>`,
        `id='x${seconds}'`,
      ),
      seconds,
    });
    const last = async (...all: readonly string[]) =>
      messagesOf(await read(first, ...all.map((emoji, index) => react(emoji, index + 1))))[0]!.reactions;
    expect(await last('👍', '🎉')).toEqual([{ emoji: '🎉', users: ['ines@example.com'], count: 1 }]);
    expect(await last('👍', '')).toBeUndefined();
  });
});

describe('a message inside of a room', () => {
  const x = "<x xmlns='http://jabber.org/protocol/muc#user'/>";
  const sent = message(`<body>Secret</body>${x}`, "id='p'", 'ines@example.com/x', 'room@muc.example.com/Bo');
  const received = message(`<body>Secret</body>${x}`, "id='p'", 'room@muc.example.com/Ines', 'bo@example.com/y');

  it('to one person is of the two people, one of its two copies', async () => {
    const found = messagesOf(await read({ xml: sent }, { owner: 'bo', xml: received }));
    expect(found.map(({ author, origin }) => [author, origin.conversation])).toEqual([
      ['ines@example.com', 'bo@example.com ines@example.com'],
      ['ines@example.com', 'bo@example.com ines@example.com'],
    ]);
    expect(distinct(found)).toBe(1);
  });

  it('to one person is never of the room, if the nick is known of two people', async () => {
    const said = (nick: string, jid: string) =>
      `<message xmlns='jabber:client' from='room@muc.example.com/${nick}' type='groupchat' id='${jid}'><body>Hi</body><x xmlns='http://jabber.org/protocol/muc#user'><item jid='${jid}'/></x></message>`;
    const entries = await read(
      { xml: said('Bo', 'bo@example.com') },
      { xml: said('Bo', 'mal@example.com') },
      { xml: sent },
    );
    const secret = messagesOf(entries).filter(({ text }) => text === 'Secret');
    expect(secret.map(({ origin }) => origin.conversation)).toEqual(['ines@example.com room@muc.example.com/Bo']);
    expect(codesIn(entries)).toContain('xmpp-known-by-nick');
  });
});

describe('a room that Tigase exports', () => {
  it('is a group of real people, also in a file of its own', async () => {
    const said = message('<body>Noon</body>', "id='m1'", 'quay@muc.example.com/Ines', 'quay@muc.example.com');
    const result = `<result xmlns='urn:xmpp:mam:2' id='r1' sender='ines@example.com/x'><forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-03-02T09:15:00Z'/>${said.replace("'chat'", "'groupchat'")}</forwarded></result>`;
    const room = `<room jid='quay@muc.example.com' createdBy='bo@example.com'><config/><archive xmlns='urn:xmpp:pie:0#mam'>${result}</archive></room>`;
    const muc = `<muc xmlns='tigase:xep-0227:muc:0'>${room}</muc>`;
    const whole = `<server-data xmlns='urn:xmpp:pie:0'><host jid='example.com'>${muc}</host></server-data>`;
    for (const xml of [room, muc, whole]) {
      const entries = await readAll(xmpp, memoryInput({ 'a.xml': xml }));
      expect(messagesOf(entries)).toMatchObject([
        {
          origin: { conversation: 'quay@muc.example.com', id: expect.any(String) },
          author: 'ines@example.com',
          text: 'Noon',
        },
      ]);
      expect(entries).toContainEqual(expect.objectContaining({ reason: '1 × <config> of a room' }));
    }
  });
});

describe('a text', () => {
  it('that stands in for an encrypted one is not read', async () => {
    for (const encrypted of [
      "<encrypted xmlns='urn:xmpp:omemo:2'><payload>AA</payload></encrypted><body>Secret client</body>",
      "<x xmlns='jabber:x:encrypted'>AA</x><body>Secret client</body>",
      '<body>?OTR:AAMC Secret client</body>',
    ]) {
      const [found] = messagesOf(await read({ xml: message(encrypted) }));
      expect([found!.text, found!.systemEvent, found!.lost]).toEqual([
        'Encrypted message',
        'encrypted',
        { encrypted: 1 },
      ]);
    }
  });

  it('of XHTML that says something else than the plain one does not count', async () => {
    const html = (text: string) =>
      `<body>Hello</body><html xmlns='http://jabber.org/protocol/xhtml-im'><body xmlns='http://www.w3.org/1999/xhtml'>${text}</body></html>`;
    const texts = messagesOf(
      await read({ xml: message(html('<b>Hello</b>')) }, { xml: message(html('<b>Bye</b>'), "id='m2'") }),
    ).map(({ text }) => text);
    expect(texts).toEqual(['**Hello**', 'Hello']);
  });

  it('is the same in each copy, also where the archive no longer has the message that it answers', async () => {
    const reply =
      "<body>&gt; 𝄞 Before\nAfter</body><reply xmlns='urn:xmpp:reply:0' id='gone'/><fallback xmlns='urn:xmpp:feature-fallback:0' for='urn:xmpp:reply:0'><body start='0' end='11'/></fallback>";
    const entries = await read({ xml: message(reply) });
    expect(messagesOf(entries)[0]!.text).toBe('After');
    expect(codesIn(entries)).toEqual(['xmpp-not-migrated']);
  });
});

describe('parseStanza()', () => {
  it('reads namespaces, references and sections of characters, and nothing from outside', () => {
    const node = parseStanza(
      "<c:message xmlns:c='jabber:client'><c:body a='&lt;'>&amp;&#x41;<![CDATA[<b>&amp;]]>&xxe;</c:body></c:message>",
    );
    expect(node).toMatchObject({
      name: 'message',
      ns: 'jabber:client',
      children: [{ name: 'body', ns: 'jabber:client', children: ['&A<b>&amp;&xxe;'] }],
    });
  });

  it.each(['', 'text', '<message>', '<message><body></message>', '<a/><b/>', `${'<a>'.repeat(100_000)}`])(
    'says why %.20s is none',
    (text) => expect(typeof parseStanza(text)).toBe('string'),
  );
});

describe('XmlElements', () => {
  it('reads the same from pieces of any size', () => {
    const text = `<?xml version='1.0'?>\n<a x='1 &amp; 2'>\n  <!-- no --><b>é𝄞</b><c/><![CDATA[x]]>\n</a>`;
    const read = (size: number) => {
      const found: unknown[] = [];
      const elements = new XmlElements({
        open: (name, attributes, line) => found.push([name, [...attributes], line]),
        text: (piece) => found.push(piece),
        close: (name) => found.push(`/${name}`),
        damage: () => found.push('damage'),
      });
      for (let at = 0; at < text.length; at += size) elements.push(text.slice(at, at + size));
      elements.end();
      return found;
    };
    for (const size of [1, 3, 10]) expect(read(size)).toEqual(read(1000));
    expect(read(1000)).toContainEqual(['b', [], 3]);
  });
});

describe('a stanza that is too large or too deep', () => {
  it.each([
    ['a text', `<body>${'x'.repeat(2 ** 21)}</body>`],
    ['an attribute', `<body a='${'x'.repeat(2 ** 21)}'>x</body>`],
    ['two attributes of one name', "<body a='1' a='2'>x</body>"],
    ['depth', '<z>'.repeat(100_000)],
    ['an element without an end', '<body>x'],
  ])('by %s is invalid, and those around it are read', async (_, content) => {
    const entries = await read(
      { xml: message('<body>Before</body>', "id='a'") },
      { xml: message(content, "id='b'") },
      { xml: message('<body>After</body>', "id='c'") },
    );
    expect(messagesOf(entries).map(({ text }) => text)).toEqual(['Before', 'After']);
    expect(codesIn(entries)).toEqual(['xmpp-bad-stanza']);
  });
});

describe('LuaItems', () => {
  it('splits the same from pieces of any size, whatever is in the texts', () => {
    const bytes = Buffer.from('item({ "a)};\\"(é"; [1] = \'{\' });\nitem({});\n\nitem({ "b" });\n');
    const split = (size: number) => {
      const items = new LuaItems();
      const found = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...items.push(bytes.subarray(at, at + size)));
      return [...found, ...items.end()];
    };
    for (const size of [1, 2, 7]) expect(split(size)).toEqual(split(1000));
    expect(split(1000).map(({ line, fault }) => [line, fault])).toEqual([
      [1, undefined],
      [2, undefined],
      [4, undefined],
    ]);
  });
});

describe('parseLuaTable()', () => {
  it('reads strings of bytes, numbers as they are written, and keys of every form', () => {
    const table = parseLuaTable(
      '{ "\\195\\169\\n\\x41\\u{e9}", [2] = true, when = 1772442900.123456789, ["k"] = { nil }; -- end\n }',
    );
    expect(table?.list).toEqual(['é\nAé', true]);
    expect(table?.byKey.get('when')).toEqual({ digits: '1772442900.123456789' });
  });

  it.each(['{', '{ os.exit() }', '{ ["a"] }', '"text"', '{}{}', '{'.repeat(100_000)])('reads no %.20s', (text) =>
    expect(parseLuaTable(text)).toBeUndefined(),
  );
});

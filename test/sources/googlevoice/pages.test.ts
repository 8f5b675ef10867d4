import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { durationMs, isPageName, nameInPath } from '../../../src/sources/googlevoice/format.ts';
import { googlevoice } from '../../../src/sources/googlevoice/index.ts';
import { numberOfCard } from '../../../src/sources/googlevoice/phone-card.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { callPage, me, messageOf, textPage } from './pages.ts';
import { writeSamples } from './write-samples.ts';

const home = temporaryFolder();
const ann = { name: 'Ann', number: '+15555550101' };
const ben = { name: 'Ben', number: '+15555550102' };
const at = '2026-03-02T04:00:00.000-05:00';

async function read(files: Readonly<Record<string, string>>, options = {}): Promise<Entry[]> {
  const folder = home.make();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const [input] = await openExport([folder]);
  const entries = await readAll(googlevoice, input!, {}, options);
  await input!.close();
  return entries;
}

const messagesIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));

describe('nameInPath()', () => {
  it.each([
    ['Voice/Calls/Ann Ray - Text - 2026-03-02T09_00_00Z.html', 'Ann Ray'],
    ['Ann - Ray - Text - 2026-03-02T09_00_00Z.html', 'Ann - Ray'],
    ['+15555550101 - Verpasst - 2026-03-02T09_00_00Z.html', '+15555550101'],
    [' - Missed - 2026-03-02T09_00_00Z.html', ''],
    ['Ann Ray - 2026-03-02T09_00_00Z.html', 'Ann Ray'],
  ])('finds who a page is with: %s', (path, name) => {
    expect(isPageName(path)).toBe(true);
    expect(nameInPath(path)).toBe(name);
  });

  it('has none for other files', () => {
    expect(['Bills.html', 'archive_browser.html', 'a - 2026.html'].filter(isPageName)).toEqual([]);
  });
});

describe('durationMs()', () => {
  it.each([
    ['PT1M5S', 65_000],
    ['PT2H1S', 7_201_000],
    ['PT4S', 4000],
    ['PT', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads %s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});

describe('numberOfCard()', () => {
  it('takes the number with the label of Google Voice, wherever the label is', () => {
    const card = 'item1.X-ABLabel:Google Voice\nitem1.TEL:+1 555 555-0100\nTEL;TYPE=CELL:+15555550199\n';
    expect([...numberOfCard(card)]).toEqual(['+15555550100']);
  });

  it('takes the only number, and none of several without a label', () => {
    expect([...numberOfCard('FN:Ines\nitem1.TEL:+15555550100\r\n')]).toEqual(['+15555550100']);
    expect([...numberOfCard('TEL:+15555550100\nTEL;TYPE=CELL:+15555550199\n')]).toEqual([]);
  });
});

describe('a page of Google Voice', () => {
  it('is by its owner where the page says "Me" in any language, and never because of a name', async () => {
    const text = textPage('Ann', [messageOf(at, me, 'Mine'), messageOf(at, { ...ann, name: 'Me too' }, 'Hers')]);
    const translated = text.replace('>Me<', '>Ich<').replace('Me too', 'Me');
    const messages = messagesIn(await read({ 'Ann - Text - 2026-03-02T09_00_00Z.html': translated }));
    expect(messages.map(({ author }) => author)).toEqual(['self', '+15555550101']);
  });

  it('of many messages is read like one of few', async () => {
    const texts = Array.from({ length: 2500 }, (_, index) => messageOf(at, index % 2 ? me : ann, `Message ${index}`));
    const entries = await read({
      'Ann - Text - 2026-03-02T09_00_00Z.html': textPage('Ann', texts, { isDeleted: true }),
    });
    const messages = messagesIn(entries);
    expect(messages).toHaveLength(2500);
    expect(messages.every(({ isDeleted }) => isDeleted)).toBe(true);
    expect(new Set(messages.map(({ origin }) => origin.id)).size).toBe(2500);
  });

  it('with a name of two numbers stays a conversation of its own, and the report asks', async () => {
    const entries = await read({
      'Ann - Text - 2026-03-01T09_00_00Z.html': textPage('Ann', [messageOf(at, ann, 'One')]),
      'Ann - Text - 2026-03-02T09_00_00Z.html': textPage('Ann', [
        messageOf(at, { ...ann, number: '+15555550109' }, 'Two'),
      ]),
      'Ann - Text - 2026-03-03T09_00_00Z.html': textPage('Me to Ann', [messageOf(at, me, 'To whom?')]),
    });
    expect(messagesIn(entries).map(({ origin }) => origin.conversation)).toEqual([
      '+15555550101',
      '+15555550109',
      'Ann',
    ]);
    expect(entries).toContainEqual(expect.objectContaining({ code: 'googlevoice-no-number' }));
  });

  it('is a group by the set of its numbers, in whatever order they are', async () => {
    const group = (people: (typeof ann)[], text: string) =>
      textPage('Group Conversation', [messageOf(at, ann, text)], { participants: people });
    const entries = await read({
      'Group Conversation - 2026-03-01T09_00_00Z.html': group([ann, ben], 'One'),
      'Group Conversation - 2026-03-02T09_00_00Z.html': group([ben, ann], 'Two'),
    });
    const ids = messagesIn(entries).map(({ origin }) => origin.conversation);
    expect(ids).toEqual(['+15555550101~+15555550102', '+15555550101~+15555550102']);
  });

  it('of a group keeps people without a number apart by their names, and is never a chat of two', async () => {
    const [bob, cat] = ['Bob', 'Cat'].map((name) => ({ name, number: '' })) as [typeof ann, typeof ann];
    const words = [messageOf(at, ann, 'A'), messageOf(at, bob, 'B'), messageOf(at, cat, 'C'), messageOf(at, me, 'All')];
    const path = 'Group Conversation - 2026-03-01T09_00_00Z.html';
    const entries = await read({ [path]: textPage('Group', words, { participants: [ann, bob, cat] }) });
    const messages = messagesIn(entries);
    expect(messages.map(({ author }) => author)).toEqual(['+15555550101', 'name:Bob', 'name:Cat', 'self']);
    expect(new Set(messages.map(({ origin }) => origin.conversation))).toEqual(
      new Set(['+15555550101~name:Bob~name:Cat']),
    );
    const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
    expect(records).toContainEqual(
      expect.objectContaining({ kind: 'conversation', type: 'group-direct', name: '' }) as object,
    );
    expect(records).toContainEqual({ kind: 'user', id: 'name:Bob', name: 'Bob' });
    expect(entries.filter((entry) => 'code' in entry && entry.code === 'googlevoice-no-number')).toHaveLength(2);
  });

  it('of a group has no author for words of nobody, and is not the chat of the one who is named', async () => {
    const words = [messageOf(at, { name: '', number: '' }, 'Who?')];
    const path = 'Group Conversation - 2026-03-01T09_00_00Z.html';
    const participants = [ann, { name: '', number: '' }];
    const [message] = messagesIn(await read({ [path]: textPage('Group', words, { participants }) }));
    expect(message).toMatchObject({ author: undefined, origin: { conversation: '+15555550101~name:' } });
  });

  it('of two gives words without a number to the other, and not if somebody else is named', async () => {
    const authors = async (name: string) => {
      const words = [messageOf(at, ann, 'A'), messageOf(at, { name, number: '' }, 'B')];
      const entries = await read({ 'Ann - Text - 2026-03-02T09_00_00Z.html': textPage('Ann', words) });
      return messagesIn(entries).map(({ author }) => author);
    };
    expect(await authors('')).toEqual(['+15555550101', '+15555550101']);
    expect(await authors('Ann')).toEqual(['+15555550101', '+15555550101']);
    expect(await authors('Bob')).toEqual(['+15555550101', 'name:Bob']);
  });

  it('finds a file by its name without the ending, and never outside of the export', async () => {
    const image = (src: string) => `<img src="${src}" alt="Image MMS Attachment" />`;
    const entries = await read({
      'Ann - Text - 2026-03-02T09_00_00Z.html': textPage('Ann', [
        messageOf(at, ann, 'A', image('Ann - Text - 2026-03-02T09_00_00Z-1-1')),
        messageOf(at, ann, 'B', image('../../secret')),
      ]),
      'Ann - Text - 2026-03-02T09_00_00Z-1-1.png': 'A picture',
    });
    expect(messagesIn(entries).map(({ attachments }) => attachments![0])).toMatchObject([
      { url: 'Ann%20-%20Text%20-%202026-03-02T09_00_00Z-1-1.png' },
      { unavailable: 'not-in-export' },
    ]);
  });

  it('of more people than any group has is one invalid row', async () => {
    const texts = Array.from({ length: 1002 }, (_, index) =>
      messageOf(at, { name: '', number: `+1${index + 1000}` }, 'Hi'),
    );
    const entries = await read({ 'Ann - Text - 2026-03-02T09_00_00Z.html': textPage('Ann', texts) });
    expect(entries.filter(({ type }) => type === 'invalid')).toMatchObject([{ code: 'unreadable-file' }]);
  });

  it('has its owner from the card of another archive of the same Takeout', async () => {
    const [first, second] = [home.make(), home.make()];
    writeFileSync(join(first, 'Ann - Text - 2026-03-02T09_00_00Z.html'), textPage('Ann', [messageOf(at, ann, 'Hi')]));
    writeFileSync(join(second, 'Phones.vcf'), 'FN:Ines Kai\nitem1.TEL:+15555550100\n');
    const inputs = [...(await openExport([first])), ...(await openExport([second]))];
    const entries = await readAll(googlevoice, inputs[0]!, { inputs }, {});
    expect(entries).toContainEqual(expect.objectContaining({ record: { kind: 'user', id: 'self', name: 'Ines Kai' } }));
  });

  it('in the folder Spam is asked about, and says so', async () => {
    const entries = await read({
      'Spam/Ann - Text - 2026-03-02T09_00_00Z.html': textPage('Ann', [messageOf(at, ann, 'Hi')]),
    });
    expect(messagesIn(entries)).toMatchObject([{ custom: { spam: true } }]);
    expect(entries.filter(({ type }) => type === 'problem')).toMatchObject([{ code: 'googlevoice-spam' }]);
  });

  it('of a voicemail is a message of who spoke, unless it has neither words nor a recording', async () => {
    const call = { heading: 'Voicemail from', by: ann, at, label: 'voicemail', duration: 'PT12S' } as const;
    const audio = 'Ann - Voicemail - 2026-03-02T09_00_00Z.mp3';
    const messages = messagesIn(
      await read({
        [audio]: 'A voice',
        'Ann - Voicemail - 2026-03-02T09_00_00Z.html': callPage({ ...call, transcript: 'Bring the rope', audio }),
        'Ann - Voicemail - 2026-03-02T09_00_01Z.html': callPage({ ...call, audio }),
        'Ann - Voicemail - 2026-03-02T09_00_02Z.html': callPage(call),
      }),
    );
    const said = { author: '+15555550101', custom: { durationMs: 12_000 }, attachments: [{ name: audio }] };
    expect(messages).toMatchObject([
      { ...said, text: 'Bring the rope', systemEvent: undefined },
      { ...said, text: '', systemEvent: undefined },
      { text: 'Voicemail from Ann', systemEvent: 'voicemail' },
    ]);
  });

  it('has no words of the app next to a file, and those of a person without one', async () => {
    const picture = '<img src="Ann - Text - 2026-03-02T09_00_00Z-1-1" alt="Image MMS Attachment" />';
    const words = [messageOf(at, me, 'MMS Sent', picture), messageOf(at, ann, 'MMS Received')];
    const messages = messagesIn(await read({ 'Ann - Text - 2026-03-02T09_00_00Z.html': textPage('Ann', words) }));
    expect(messages.map(({ text, attachments }) => [text, attachments?.length])).toEqual([
      ['', 1],
      ['MMS Received', undefined],
    ]);
  });

  it('of each sample is what write-samples.ts writes', async () => {
    const folder = home.make();
    writeSamples(folder);
    for (const sample of ['takeout', 'damaged-pages']) {
      const both = await Promise.all(
        [join(folder, sample, 'export'), join('samples/googlevoice', sample, 'export')].map(async (path) => {
          const [input] = await openExport([path]);
          return readAll(googlevoice, input!, {}, {});
        }),
      );
      expect(both[0]).toEqual(both[1]);
    }
  });
});

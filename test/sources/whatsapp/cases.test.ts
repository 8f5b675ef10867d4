import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { MessageRecord } from '../../../src/model/records.ts';
import { signal } from '../../../src/sources/signal/index.ts';
import { whatsapp } from '../../../src/sources/whatsapp/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

async function readCase(name: string, options: object = {}): Promise<readonly Entry[]> {
  const [input] = await openExport([resolve('test/sources/whatsapp/cases', name)]);
  const entries = await readAll(whatsapp, input!, {}, { zone: 'UTC', ...options });
  await input!.close();
  return entries;
}
const readFiles = (files: MemoryFiles, options: object = {}) =>
  readAll(whatsapp, memoryInput(files, 'chats'), {}, { zone: 'UTC', ...options });

const messagesOf = (entries: readonly Entry[]): readonly MessageRecord[] =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const codesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'invalid' || entry.type === 'problem' ? [entry.code] : []));
const chatsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record] : []));
const peopleOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'user' ? [entry.record.id] : []));
const kindOf = ({ systemEvent, call, isDeleted }: MessageRecord) =>
  systemEvent ?? (call ? 'call' : isDeleted ? 'deleted' : 'message');
const saidBy = (entries: readonly Entry[]) =>
  messagesOf(entries).flatMap((one) => (kindOf(one) === 'message' ? [[one.author, one.text]] : []));
const timesOf = (entries: readonly Entry[]) =>
  messagesOf(entries).map(({ sentAtMs }) => new Date(sentAtMs).toISOString().slice(0, 19));

describe('a person and the app', () => {
  it('on Android a line with a name is a person’s, whatever marks are in it', async () => {
    expect(saidBy(await readCase('lrm-person'))).toEqual([
      ['Ann', 'hello'],
      ['Ben', 'Open this link to join my group: https://example.com/x'],
      ['U+200E', 'my name is a blank'],
      ['Ann', 'bye'],
    ]);
  });

  it('on iOS the mark before the app’s words is U+200F in languages that run from right to left', async () => {
    const messages = messagesOf(await readCase('ios-arabic-group'));
    expect(messages.filter(({ systemEvent }) => systemEvent !== undefined).length).toBe(4);
    expect(messages.filter(({ author }) => author === 'رامي').length).toBe(4);
    expect(messages.flatMap(({ attachments = [] }) => attachments.map(({ name }) => name))).toEqual([
      'document',
      '00000013-PHOTO-2024-08-14-21-00-16.jpg',
    ]);
  });

  it('calls on Android are calls, and a placeholder of the app is no text of its author', async () => {
    const entries = await readCase('android-calls');
    expect(messagesOf(entries).map(kindOf)).toEqual(['message', 'call', 'call', 'call', 'absent', 'absent']);
    expect(codesOf(entries)).toEqual(['whatsapp-absent', 'whatsapp-absent']);
    expect(messagesOf(entries).at(-1)).toMatchObject({ custom: { by: 'Ann' } });
  });

  it('a colon in a line of the app makes no author', async () => {
    const entries = await readCase('android-community');
    expect(peopleOf(entries)).toEqual(['~ Rae', '+44 7700 900123']);
    expect(saidBy(entries)).toContainEqual(['+44 7700 900123', 'Price list: 10:30 - 12:00']);
    expect(messagesOf(entries).flatMap((one) => (kindOf(one) === 'call' ? [one.text] : []))).toEqual([
      'Voice call (5 min)',
      'Missed voice call',
      'Missed group video call',
    ]);
  });

  it('a group of iOS has its people, and polls, places and events are theirs', async () => {
    const entries = await readCase('ios-group-2024');
    expect(peopleOf(entries).sort()).toEqual(['Boris', 'Meta AI', '~ Rae']);
    const texts = saidBy(entries).flatMap(([author, text]) => (author === 'Boris' ? [text!.split(':')[0]] : []));
    for (const word of ['POLL', 'Location', 'Live location shared', 'Event']) expect(texts).toContain(word);
    const kinds = messagesOf(entries).map(kindOf);
    expect(['call', 'deleted', 'absent'].map((kind) => kinds.filter((one) => one === kind).length)).toEqual([3, 2, 3]);
    expect(codesOf(entries)).toEqual(['whatsapp-absent', 'whatsapp-absent', 'whatsapp-absent']);
  });

  const ios = (text: string) => `[13.4.24, 10:00:00] Ann: hi\n[13.4.24, 10:01:00] Ben: \u200e${text}\n`;
  it.each(['Join us: https://example.com/x', 'Ord som ingen kender'])(
    'on iOS "%s" after a mark is sent and asked about, unless the mapping says whose it is',
    async (text) => {
      const read = (options: object) => readFiles({ '_chat.txt': ios(text) }, options);
      const asked = await read({});
      expect([codesOf(asked), saidBy(asked).at(-1)]).toEqual([['whatsapp-app-or-person'], ['Ben', text]]);
      const people = await read({ unknownLines: 'people' });
      expect([codesOf(people), saidBy(people).at(-1)]).toEqual([[], ['Ben', text]]);
      const app = await read({ unknownLines: 'app' });
      expect([codesOf(app), messagesOf(app).at(-1)]).toEqual([[], expect.objectContaining({ systemEvent: 'info' })]);
    },
  );

  const android = (name: string) => `13/4/24, 10:00 - Ann: hi\n13/4/24, 10:01 - ${name}: yes\n`;
  it.each([
    ['Ann Left', 'message', []],
    ['Group admin', 'message', []],
    ['Ann Lee from the harbour', 'either', ['whatsapp-app-or-person']],
    ['+44 7700 900123 gjorde noget andet', 'either', ['whatsapp-app-or-person']],
    ['+44 7700 900123 hat dich hinzugefügt', 'app', []],
    ['Ben added you to the community', 'either', ['whatsapp-app-or-person']],
    ['Ann added you to the community', 'app', []],
  ])('the name "%s" is that of a line that is %s', async (name, kind, codes) => {
    const entries = await readFiles({ '_chat.txt': android(name) });
    expect(codesOf(entries)).toEqual(codes);
    expect(messagesOf(entries).at(-1)!.author).toBe(kind === 'app' ? undefined : name);
  });
});

describe('dates and clocks', () => {
  it('a half of the day that is used otherwise than its language does is refused, and named', async () => {
    const entries = await readCase('unknown-halfday');
    expect(codesOf(entries)).toEqual(['whatsapp-unknown-clock', 'whatsapp-unknown-clock']);
    expect(timesOf(entries)).toEqual(['2024-02-03T09:07:00', '2024-02-03T13:30:00']);
  });

  const rows = (...clocks: readonly string[]) => clocks.map((clock) => `13/2/24, ${clock} - Ann: hi\n`).join('');

  it('an unknown word next to a 24-hour clock means nothing, and next to a 12-hour clock the rows are refused', async () => {
    const known = await readFiles({ '_chat.txt': rows('6:30 blorp', '18:30 blorp') });
    expect([codesOf(known), timesOf(known)]).toEqual([[], ['2024-02-13T06:30:00', '2024-02-13T18:30:00']]);
    const unknown = await readFiles({ '_chat.txt': rows('6:30 blorp', '8:30 blarp') });
    expect(codesOf(unknown)).toEqual(['whatsapp-unknown-clock', 'whatsapp-unknown-clock']);
    const [reject] = unknown.flatMap((entry) => (entry.type === 'invalid' ? [entry.reason] : []));
    expect(reject).toContain('"blorp"');
  });

  it('a text of a person with a date and a time is no message', async () => {
    const entries = await readFiles({ '_chat.txt': `${rows('6:30', '18:30')}24/12/23 see you 18:30 - ok\n` });
    expect([codesOf(entries), messagesOf(entries).at(-1)!.text]).toEqual([[], 'hi\n24/12/23 see you 18:30 - ok']);
  });

  it('the time may come first', async () => {
    expect(timesOf(await readCase('time-first'))).toEqual(['2022-03-18T14:56:01', '2022-03-27T21:41:35']);
    const vietnamese = '18:05 29/2/24 - Ann: hi\n09:07 13/3/24 - Ben: yo\n';
    const entries = await readFiles({ '_chat.txt': vietnamese });
    expect(timesOf(entries)).toEqual(['2024-02-29T18:05:00', '2024-03-13T09:07:00']);
  });

  it('Thai years of two digits are Buddhist', async () => {
    expect(timesOf(await readCase('thai-short-year')).map((time) => time.slice(0, 10))).toEqual([
      '2024-02-03',
      '2024-02-13',
      '2024-02-29',
      '2024-03-01',
    ]);
  });

  const twoForms = '13/4/24, 10:00 - Ann: hi\n14/4/24, 10:01 - Ben: yo\n15.04.2024, 10:02 - Cay: later\n';
  it('lines in another form are counted and asked about, and treated as the mapping says', async () => {
    const asked = await readFiles({ '_chat.txt': twoForms });
    expect([codesOf(asked), messagesOf(asked).length]).toEqual([['whatsapp-other-form'], 2]);
    const text = await readFiles({ '_chat.txt': twoForms }, { otherForms: 'text' });
    expect([codesOf(text), messagesOf(text).length]).toEqual([[], 2]);
    const messages = await readFiles({ '_chat.txt': twoForms }, { otherForms: 'messages' });
    expect([codesOf(messages), saidBy(messages).at(-1)]).toEqual([[], ['Cay', 'later']]);
    expect(timesOf(messages).at(-1)).toBe('2024-04-15T10:02:00');
  });

  it('content copied from WhatsApp Web is text', async () => {
    const pasted = '13/4/24, 10:00 - Ann: see\n[18:30, 12/4/2024] Ben: hi\n14/4/24, 10:01 - Ben: yo\n';
    const entries = await readFiles({ '_chat.txt': pasted });
    expect([codesOf(entries), messagesOf(entries).length]).toEqual([[], 2]);
  });
});

describe('chats of one name', () => {
  const name = 'WhatsApp Chat with Crew.txt';

  it('with no message in common stay apart, and are asked about', async () => {
    const entries = await readCase('same-name');
    expect(chatsOf(entries).map(({ id, name: title }) => [id, title])).toEqual([
      [`Crew (new/${name})`, 'Crew'],
      [`Crew (old/${name})`, 'Crew'],
    ]);
    expect(codesOf(entries)).toEqual(['whatsapp-same-name', 'whatsapp-same-name']);
    expect(codesOf(await readCase('same-name', { sameName: 'apart' }))).toEqual([]);
    expect(new Set(chatsOf(await readCase('same-name', { sameName: 'together' })).map(({ id }) => id))).toEqual(
      new Set(['Crew']),
    );
  });

  it('with messages in common are exports of one chat', async () => {
    const common = '14/4/24, 10:01 - Ben: yo\n14/4/24, 10:02 - Ann: so\n14/4/24, 10:03 - Ben: no\n';
    const first = `13/4/24, 10:00 - Ann: hi\n${common}`;
    const second = `${common}15/4/24, 10:02 - Cay: later\n`;
    const entries = await readFiles({ [`a/${name}`]: first, [`b/${name}`]: second });
    expect(new Set(messagesOf(entries).map(({ origin }) => origin.conversation))).toEqual(new Set(['Crew']));
    expect(codesOf(entries)).toEqual([]);
  });

  it('with one greeting in common are asked about: it may have been sent to both', async () => {
    const greeting = '1/1/24, 00:00 - Ben: Happy New Year\n';
    const entries = await readFiles({
      [`a/${name}`]: `13/4/23, 10:00 - Ann: hi\n${greeting}`,
      [`b/${name}`]: `${greeting}15/4/24, 10:02 - Cay: later\n`,
    });
    expect(new Set(messagesOf(entries).map(({ origin }) => origin.conversation)).size).toBe(2);
    expect(codesOf(entries)).toEqual(['whatsapp-same-name', 'whatsapp-same-name']);
  });
});

describe('a chat of two', () => {
  it('in Czech has the name of the other one', async () => {
    const entries = await readCase('czech-name');
    expect(chatsOf(entries)).toMatchObject([{ id: 'Ann', type: 'direct', members: ['Ben', 'Ann'] }]);
    expect(messagesOf(entries).map(kindOf)).toEqual(['message', 'message', 'deleted', 'deleted']);
  });

  it('is recognised by its authors if the words before the name are unknown', async () => {
    const chat = '13/4/24, 10:00 - Ann: hi\n13/4/24, 10:01 - Ben: yo\n';
    const entries = await readFiles({ 'Gwrs WhatsApp gyda Ann.txt': chat });
    expect(chatsOf(entries)).toMatchObject([{ type: 'direct', members: ['Ben', 'Ann'] }]);
  });

  it('dates have another order behind a change of the language, and ask if it cannot be known', async () => {
    const before = '6/30/26, 16:14 - Ann: hello\n6/30/26, 16:14 - Ben: hello yourself\n';
    const changed = await readFiles({
      'WhatsApp Chat with Ben.txt': `${before}30/6/2026, 16:15 - Ben: so\n1/7/2026, 9:00 - Ann: yes\n`,
    });
    expect(codesOf(changed)).toEqual([]);
    expect(messagesOf(changed).map(({ sentAtMs }) => new Date(sentAtMs).toISOString().slice(0, 10))).toEqual([
      ...['2026-06-30', '2026-06-30', '2026-06-30', '2026-07-01'],
    ]);
    const text = { 'WhatsApp Chat with Ben.txt': `${before}30/6/2026, 16:15 - Ben: so\n` };
    expect(messagesOf(await readFiles(text, { otherForms: 'text' })).length).toBe(2);
    const open = await readFiles({ 'WhatsApp Chat with Ben.txt': `${before}8/7/2026, 16:15 - Ben: so\n` });
    expect([codesOf(open), messagesOf(open).length]).toEqual([['whatsapp-other-form'], 2]);
    const pasted = await readFiles({ 'WhatsApp Chat with Ben.txt': `${before}30/6/2025, 16:15 - Ben: so\n` });
    expect([codesOf(pasted), messagesOf(pasted).length]).toEqual([['whatsapp-other-form'], 2]);
  });

  it('brackets without seconds begin messages, where the name of the file says whose they are', async () => {
    const text = '[02/27/26 10:00] Ann: Who?\n[02/27/26 10:01] Ben: Look\nunder the mat\n';
    expect(messagesOf(await readFiles({ 'WhatsApp Chat with Pier.txt': text })).map(({ text: said }) => said)).toEqual([
      'Who?',
      'Look\nunder the mat',
    ]);
    expect(await whatsapp.probe(memoryInput({ 'WhatsApp Chat with Pier.txt': text }))).toMatchObject({
      match: 'certain',
    });
    expect(await whatsapp.probe(memoryInput({ 'pier.txt': text }))).toEqual({ match: 'no' });
  });

  it('ISO dates with seconds are none of Signal', async () => {
    const text = '[2026-03-02, 10:00:05] Ann: Up\n[2026-03-14, 09:07:08] Ben: Seen\n';
    for (const path of ['_chat.txt', 'export.txt']) {
      expect((await whatsapp.probe(memoryInput({ [path]: text }))).match).toBe('certain');
      expect((await signal.probe(memoryInput({ [path]: text }))).match).toBe('no');
    }
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kakaotalk } from '../../../src/sources/kakaotalk/index.ts';
import { readLine } from '../../../src/sources/kakaotalk/format.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, sampleOptions, samplesOf } from '../../contracts/samples.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** Words that the app writes in the language of the phone. */
const inEnglish = (text: string): string => text.replace(/^사진$/, 'Photo').replace(/^파일: /, 'File: ');

describe('one chat in the dialects of KakaoTalk', () => {
  const dialects = samplesOf('kakaotalk').filter(({ name }) => name !== 'damaged-lines');

  it('has a sample for each', () => {
    expect(dialects.length).toBe(8);
  });

  it.each(dialects)('comes out the same: $name', async (sample) => {
    const input = await openSample(sample);
    const messages = messagesOf(await readAll(kakaotalk, input, {}, sampleOptions(sample)));
    await input.close();
    const said = messages.filter(({ systemEvent }) => systemEvent === undefined);
    const minuteOf = (ms: number) => new Date(Math.floor(ms / 60_000) * 60_000).toISOString().slice(0, 16);
    expect(
      said.map(({ origin, author, sentAtMs, text }) => [
        origin.conversation,
        author,
        minuteOf(sentAtMs),
        inEnglish(text),
      ]),
    ).toEqual([
      ['Harbour crew', 'Tomasz Brandt', '2015-07-09T11:35', 'Is the gate open?'],
      ['Harbour crew', 'self', '2015-07-09T11:35', 'From six on\nor a little later : maybe'],
      ['Harbour crew', 'Mei, of the pier', '2015-07-09T11:35', 'At the same minute'],
      ['Harbour crew', 'Tomasz Brandt', '2015-07-09T15:05', 'Photo'],
      ['Harbour crew', 'self', '2015-07-09T15:06', 'Thanks 🌊'],
      ['Harbour crew', 'Mei, of the pier', '2015-07-10T03:00', 'File: tides.pdf'],
    ]);
    expect(messages.filter(({ systemEvent }) => systemEvent).map(({ systemEvent }) => systemEvent)).toEqual([
      'member-invited',
      'member-left',
    ]);
  });

  it('has the same ids in all of one language', async () => {
    const idsIn = async (name: string) => {
      const sample = dialects.find((one) => one.name === name)!;
      const input = await openSample(sample);
      const messages = messagesOf(await readAll(kakaotalk, input, {}, sampleOptions(sample)));
      await input.close();
      return messages.filter(({ systemEvent }) => systemEvent === undefined).map(({ origin }) => origin.id);
    };
    const phone = await idsIn('android-en');
    for (const name of ['android-en-2023', 'ios-en', 'windows-en', 'mac'])
      expect(await idsIn(name), name).toEqual(phone);
  });
});

describe('a name with " : " inside', () => {
  const saidIn = async (text: string, options = {}) => {
    const entries = await readAll(kakaotalk, memoryInput({ 'a.txt': text }), {}, { zone: 'UTC', ...options });
    return {
      said: messagesOf(entries).map(({ author, text: words }) => [author, words]),
      problems: entries.flatMap((entry) => (entry.type === 'problem' ? [entry.reason] : [])),
    };
  };
  const chat = (title: string, ...lines: readonly string[]) =>
    `KakaoTalk Chats with ${title}\nDate Saved : Jul 9, 2015\n\n${lines.map((line) => `8:34pm, July 9, 2015, ${line}\n`).join('')}`;

  it('is whole if the mapping or the title has it, and asked about if all texts go on alike', async () => {
    const text = chat('Crew (3)', 'Ann : Harbour : Hello', 'Ben : at : 10', 'Ann : Harbour : a : b', 'Ben : Hi');
    const asked = await saidIn(text);
    expect(asked.said[0]).toEqual(['Ann', 'Harbour : Hello']);
    expect(asked.problems).toEqual(['Nothing says whether the name is "Ann : Harbour", or ends at its first " : "']);
    const told = await saidIn(text, { names: ['Ann : Harbour'] });
    expect(told).toEqual({
      said: [
        ['Ann : Harbour', 'Hello'],
        ['Ben', 'at : 10'],
        ['Ann : Harbour', 'a : b'],
        ['Ben', 'Hi'],
      ],
      problems: [],
    });
    const ofTwo = await saidIn(chat('Ann : Harbour', 'Ann : Harbour : Hello', 'you : Hi'));
    expect(ofTwo.said).toEqual([
      ['Ann : Harbour', 'Hello'],
      ['self', 'Hi'],
    ]);
  });

  it('makes no message of a line of the app', async () => {
    const text = chat('Crew (3)', 'Ann invited Ben : Boss.', 'Ann : Kim invited Lee.', 'Ben : Hi');
    expect((await saidIn(text)).said).toEqual([
      [undefined, 'Ann invited Ben : Boss.'],
      ['Ann', 'Kim invited Lee.'],
      ['Ben', 'Hi'],
    ]);
    const korean =
      'Crew 3 님과 카카오톡 대화\n저장한 날짜 : 2015년 7월 9일\n\n2015년 7월 9일 오후 8:34, Ann님이 B : C님을 초대했습니다.\n';
    expect((await saidIn(korean)).said).toEqual([[undefined, 'Ann님이 B : C님을 초대했습니다.']]);
  });
});

describe('readLine()', () => {
  it.each([
    ['2026년 2월 20일 오후 3:25, 이름 : 안녕', '2026-02-20T15:25'],
    ['2026. 2. 20. 15:25, 이름 : 안녕', '2026-02-20T15:25'],
    ['2026. 2. 20. 오전 12:05, 이름 : 안녕', '2026-02-20T00:05'],
    ['12:05pm, February 20, 2026, 이름 : 안녕', '2026-02-20T12:05'],
    ['Feb 20, 2026, 12:05\u202fAM, 이름 : 안녕', '2026-02-20T00:05'],
  ])('reads %s', (line, at) => {
    const found = readLine(line);
    expect(found).toMatchObject({ kind: 'row', author: '이름', text: '안녕' });
    expect('localMs' in found && new Date(found.localMs!).toISOString().slice(0, 16)).toBe(at);
  });
});

describe('chats of KakaoTalk', () => {
  const part = (number: number, text: string) =>
    `KakaoTalk Chats with Pier (3 people)-${number}.txt\nDate Saved : Aug 3, 2015, 12:20 AM\n\nJul ${number}, 2015, 8:34 PM, Ann : ${text}\n`;

  it('are one where their parts have different numbers, and stay apart where they have not', async () => {
    const conversationsIn = async (files: Readonly<Record<string, string>>, sameName = 'ask') => {
      const entries = await readAll(kakaotalk, memoryInput(files), {}, { sameName });
      return [...new Set(messagesOf(entries).map(({ origin }) => origin.conversation))];
    };
    expect(await conversationsIn({ 'a.txt': part(1, 'one'), 'b.txt': part(2, 'two') })).toEqual(['Pier']);
    const same = { 'a.txt': part(1, 'one'), 'b.txt': part(1, 'two') };
    expect(await conversationsIn(same)).toEqual(['Pier (a.txt)', 'Pier (b.txt)']);
    expect(await conversationsIn(same, 'together')).toEqual(['Pier']);
  });

  it('are inspected, planned and imported as a user would', async () => {
    const folder = home.make();
    const path = resolve('samples/kakaotalk/ios-kr/export.txt');
    const inspected = await run(['inspect', path], { folder });
    expect([inspected.code, inspected.stdout]).toEqual([0, expect.stringContaining('KakaoTalk (')]);
    const request = [path, '--mapping', resolve('samples/kakaotalk/ios-kr/mapping.yaml'), '--quiet'];
    expect((await runJson(['plan', ...request], { folder })).json).toMatchObject({ read: 8, planned: 6, skipped: 2 });
    expect((await runJson(['import', ...request], { folder })).json).toMatchObject({ imported: 6, pending: 0 });
  });

  it('of the samples are what their phones write: byte by byte of the dialect', () => {
    expect(readdirSync('samples/kakaotalk/android-en')).toContain('export.txt');
    expect(readFileSync('samples/kakaotalk/android-en/export.txt', 'utf8')).toMatch(
      /^\ufeffKakaoTalk Chats with .*\r\nDate Saved : [^\r]*\n\r\n/,
    );
  });
});

describe('a date that a person wrote', () => {
  const text = async (content: string) => {
    const entries = await readAll(kakaotalk, memoryInput({ 'chat.txt': content }), undefined, { zone: 'UTC' });
    return messagesOf(entries).map((message) => [message.text, new Date(message.sentAtMs).toISOString().slice(0, 10)]);
  };

  it('is text, and no heading: of Windows, whose headings have dashes', async () => {
    const day = '--------------- Saturday, August 1, 2015 ---------------';
    const chat = `Pier with KakaoTalk Chats\nDate Saved : 2015-08-03 00:47:14\n\n${day}\n[Ann] [2:37 PM] When?\n[Ben] [2:38 PM] On\nThursday, July 9, 2015\n[Ann] [2:39 PM] ok\n`;
    expect(await text(chat)).toEqual([
      ['When?', '2015-08-01'],
      ['On\nThursday, July 9, 2015', '2015-08-01'],
      ['ok', '2015-08-01'],
    ]);
  });

  it('is text without the day of the week', () => {
    expect(readLine('July 10, 2015')).toEqual({ kind: 'other' });
    expect(readLine('2015년 7월 10일')).toEqual({ kind: 'other' });
  });
});

describe('words of the app in a chat of KakaoTalk', () => {
  const readChat = async (path: string, text: string) => {
    const entries = await readAll(kakaotalk, memoryInput({ [path]: text }), {}, { zone: 'UTC' });
    const codes = entries.flatMap((entry) => (entry.type === 'problem' || entry.type === 'invalid' ? entry.code : []));
    const said = messagesOf(entries).map(({ author, systemEvent, text: words }) => [author ?? systemEvent, words]);
    return { codes, said };
  };

  it('are lines of the app on computers: who was removed, what was hidden, and the notice of an open chat', async () => {
    const chat = (...lines: readonly string[]) =>
      `Crew 님과 카카오톡 대화\n저장한 날짜 : 2026-03-02 10:00:00\n\n--------------- 2026년 3월 1일 일요일 ---------------\n[Ann] [오후 8:34] 문\n${lines.join('\n')}\n[Bo] [오후 8:36] 네\n`;
    const events: readonly (readonly [line: string, event: string])[] = [
      ['Cai님을 내보냈습니다.', 'member-removed'],
      ['Cai has been removed from this chatroom.', 'member-removed'],
      ['채팅방 관리자가 메시지를 가렸습니다.', 'message-hidden'],
      ['Cai님이 부방장이 되었습니다.', 'admin'],
      ['Cai has been assigned as the admin.', 'admin'],
      [
        'Cai님이 들어왔습니다.운영정책을 위반한 메시지로 신고 접수 시 카카오톡 이용에 제한이 있을 수 있습니다.',
        'member-joined',
      ],
    ];
    for (const [line, event] of events)
      expect((await readChat('a.txt', chat(line))).said, line).toEqual([
        ['Ann', '문'],
        [event, line],
        ['Bo', '네'],
      ]);
    expect((await readChat('a.txt', chat('Cai님을 내보냈습니다.'))).codes).toEqual(['kakaotalk-app-or-person']);
  });

  it('are lines of the app in the table of a Mac, whoever has the name and whether there is a time', async () => {
    const rows = [
      '2026-03-01 20:34:10,"Ann","Is the gate open?"',
      '2026-03-01 20:36:10,"Cai","Cai has been removed from this chatroom."',
      '2026-03-01 20:37:10,"Ann","Dee님을 내보냈습니다."',
      ',,"관리자가 메시지를 가렸습니다."',
      '2026-03-01 20:39:10,"Bo","I left this chatroom."',
    ];
    const { said, codes } = await readChat('a.csv', `Date,User,Message\n${rows.join('\n')}\n`);
    expect(said).toEqual([
      ['Ann', 'Is the gate open?'],
      ['member-removed', 'Cai has been removed from this chatroom.'],
      ['member-removed', 'Dee님을 내보냈습니다.'],
      ['message-hidden', '관리자가 메시지를 가렸습니다.'],
      ['Bo', 'I left this chatroom.'],
    ]);
    expect(codes).toEqual(['kakaotalk-app-or-person']);
  });
});

describe('English chats of KakaoTalk since 2018', () => {
  it.each([
    ['March 1, 2018, 8:34 p.m., Ann : Hi', '2018-03-01T20:34'],
    ['March 1, 2026 at 12:34\u202fa.m., Ann : Hi', '2026-03-01T00:34'],
    ['May 1, 2026 at 8:34\u202fPM, Ann : Hi', '2026-05-01T20:34'],
    ['Mar 1, 2021 8:34 PM, Ann : Hi', '2021-03-01T20:34'],
    ['Mar 1, 2021, 20:34, Ann : Hi', '2021-03-01T20:34'],
  ])('have lines such as %s', (line, at) => {
    const found = readLine(line);
    expect(found).toMatchObject({ kind: 'row', author: 'Ann', text: 'Hi' });
    expect('localMs' in found && new Date(found.localMs!).toISOString().slice(0, 16)).toBe(at);
  });

  it('have lines of the app behind a colon on iOS, and words of no month in texts', () => {
    expect(readLine('Mar 1, 2021 8:34 PM: Ann : joined this chatroom.')).toMatchObject({ author: undefined });
    expect(readLine('Mon 1, 2021 8:34 PM, Ann : Hi')).toEqual({ kind: 'other' });
  });

  it('have the name of the chat on computers, and on iPhones that of the file in the first line', async () => {
    const titlesOf = async (files: Readonly<Record<string, string>>) => {
      const entries = await readAll(kakaotalk, memoryInput(files), {}, { zone: 'UTC' });
      expect(entries.filter(({ type }) => type === 'invalid')).toEqual([]);
      return [...new Set(messagesOf(entries).map(({ origin }) => origin.conversation))];
    };
    const saved = 'Date Saved : 2026-03-02 10:00:00\n\n--------------- Sunday, March 1, 2026 ---------------\n';
    const computer = `\ufeffHarbour crew Talk Chats\n${saved}[Ann] [8:34 PM] Hi\n`;
    expect(await titlesOf({ 'a.txt': computer })).toEqual(['Harbour crew']);
    const part = (number: number) =>
      `Talk_2026.3.2 23:01-${number}.txt\nDate Saved : Mar 2, 2026, 11:01 PM\n\n\nMonday, March 2, 2026\nMar 2, 2026, ${number}:01 PM, Ann : Hi\n`;
    const parts = { 'Talk_2026.3.2 23:01-1.txt': part(1), 'Talk_2026.3.2 23:01-2.txt': part(2) };
    expect(await titlesOf(parts)).toEqual(['Talk_2026.3.2 23:01']);
  });
});

describe('days and messages that a person wrote into a text of KakaoTalk', () => {
  const readChat = async (text: string) => {
    const entries = await readAll(kakaotalk, memoryInput({ 'a.txt': text }), {}, { zone: 'UTC' });
    const codes = entries.flatMap((entry) => (entry.type === 'problem' || entry.type === 'invalid' ? entry.code : []));
    const said = messagesOf(entries).map(({ author, sentAtMs, text: words }) => [
      author,
      new Date(sentAtMs).toISOString().slice(5, 16),
      words,
    ]);
    return { codes, said };
  };
  const computer = (...lines: readonly string[]) =>
    `Crew 님과 카카오톡 대화\n저장한 날짜 : 2026-03-02 10:00:00\n\n--------------- 2026년 3월 1일 일요일 ---------------\n${lines.join('\n')}\n--------------- 2026년 3월 2일 월요일 ---------------\n[Bo] [오전 9:00] 안녕\n`;
  const copied = ['--------------- 2025년 1월 5일 일요일 ---------------', '[Cai] [오전 9:00] 옛날 말'];

  it('are a part of it on a computer where days or times go back', async () => {
    for (const lines of [copied, copied.slice(1)]) {
      const { said, codes } = await readChat(computer('[Ann] [오후 8:34] 복사', ...lines, '[Bo] [오후 8:40] 네'));
      expect(said).toEqual([
        ['Ann', '03-01T20:34', ['복사', ...lines].join('\n')],
        ['Bo', '03-01T20:40', '네'],
        ['Bo', '03-02T09:00', '안녕'],
      ]);
      expect(codes).toEqual(lines.map(() => 'kakaotalk-pasted'));
    }
  });

  it('are a part of it on a computer where the rest of the day is earlier', async () => {
    const evening = '[Cai] [오후 11:00] 어제';
    const rest = [9, 10, 11].map((hour) => `[Bo] [오전 ${hour}:00] 네`);
    const { said, codes } = await readChat(computer('[Ann] [오전 8:34] 복사', evening, ...rest));
    expect(said.map(([author]) => author)).toEqual(['Ann', 'Bo', 'Bo', 'Bo', 'Bo']);
    expect(codes).toEqual(['kakaotalk-pasted']);
  });

  it('are a part of it if dashes are around no day', async () => {
    const { said, codes } = await readChat(computer('[Ann] [오후 8:34] 공지', '------ 중요 ------', '내일 휴무'));
    expect([said[0]?.[2], codes]).toEqual(['공지\n------ 중요 ------\n내일 휴무', []]);
  });

  it('are a part of it on a phone where no message of the day is below', async () => {
    const head = 'Crew 님과 카카오톡 대화\n저장한 날짜 : 2026. 3. 2. 오전 10:00\n\n\n2026년 3월 1일 일요일\n';
    const rows = [
      '2026. 3. 1. 오후 8:34, Ann : 일정',
      '2026년 5월 5일 화요일',
      '부산',
      '2026. 3. 1. 오후 8:36, Bo : 네',
    ];
    const { said, codes } = await readChat(`${head}${rows.join('\n')}\n`);
    expect(said).toEqual([
      ['Ann', '03-01T20:34', '일정\n2026년 5월 5일 화요일\n부산'],
      ['Bo', '03-01T20:36', '네'],
    ]);
    expect(codes).toEqual(['kakaotalk-pasted']);
  });

  it('are a part of it in the form of another device', async () => {
    const phone = '2025. 1. 5. 오전 9:00, Cai : 옛날 말';
    const onComputer = await readChat(computer('[Ann] [오후 8:34] 복사', phone, '[Bo] [오후 8:40] 네'));
    expect(onComputer.said[0]).toEqual(['Ann', '03-01T20:34', `복사\n${phone}`]);
    expect(onComputer.codes).toEqual(['kakaotalk-pasted']);
    const head = 'Crew 님과 카카오톡 대화\n저장한 날짜 : 2026. 3. 2. 오전 10:00\n\n\n2026년 3월 1일 일요일\n';
    const rows = ['2026. 3. 1. 오후 8:34, Ann : 복사', '[Cai] [오후 8:35] 말', '2026. 3. 1. 오후 8:36, Bo : 네'];
    const onPhone = await readChat(`${head}${rows.join('\n')}\n`);
    expect(onPhone.said.map(([author]) => author)).toEqual(['Ann', 'Bo']);
    expect(onPhone.codes).toEqual(['kakaotalk-pasted']);
  });
});

import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLine } from '../../../src/sources/line/format.ts';
import { line } from '../../../src/sources/line/index.ts';
import { run, runJson } from '../../cli/in-process.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, sampleOptions, samplesOf } from '../../contracts/samples.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** Words that the app writes in the language of the phone. */
const inEnglish = (text: string): string => text.replace(/^\[?(?:写真|照片)\]?$/, '[Photo]');

describe('one chat in the dialects of LINE', () => {
  const dialects = samplesOf('line').filter(({ name }) => name !== 'damaged-lines');
  const messagesIn = async (sample: (typeof dialects)[number]) => {
    const input = await openSample(sample);
    const messages = messagesOf(await readAll(line, input, {}, sampleOptions(sample)));
    await input.close();
    return messages;
  };

  it('has a sample for each', () => {
    expect(dialects.length).toBe(6);
  });

  it.each(dialects)('comes out the same: $name', async (sample) => {
    const messages = await messagesIn(sample);
    const said = messages.filter(({ systemEvent }) => systemEvent === undefined);
    expect(
      said.map(({ origin, author, sentAtMs, text, attachments }) => [
        ...[origin.conversation, author, new Date(sentAtMs).toISOString().slice(0, 16), inEnglish(text)],
        attachments?.[0]?.name,
      ]),
    ).toEqual([
      ['Harbour crew', 'Tomasz Brandt', '2015-07-09T11:35', 'Is the gate open?', undefined],
      ['Harbour crew', 'Ines Kai', '2015-07-09T11:35', 'From "six" on\nor a little later : maybe', undefined],
      ['Harbour crew', 'Mei, of the pier', '2015-07-09T11:35', 'At the same minute', undefined],
      ['Harbour crew', 'Tomasz Brandt', '2015-07-09T15:05', '[Photo]', 'photo'],
      ['Harbour crew', 'Ines Kai', '2015-07-09T15:06', 'Thanks 🌊(emoji)', undefined],
    ]);
    const events = messages.flatMap(({ systemEvent }) => systemEvent ?? []);
    expect(events).toEqual([expect.stringMatching(/^member-(?:invited|joined)$/), 'call', 'message-unsent']);
  });

  it('has the same ids of texts in all', async () => {
    const idsIn = async (sample: (typeof dialects)[number]) =>
      (await messagesIn(sample)).filter(({ text }) => /gate|six|Thanks/.test(text)).map(({ origin }) => origin.id);
    const first = await idsIn(dialects[0]!);
    expect(first.length).toBe(3);
    for (const sample of dialects) expect(await idsIn(sample), sample.name).toEqual(first);
  });
});

describe('readLine()', () => {
  it.each([
    ['2024/01/15(Mon)', '2024-01-15'],
    ['2024/1/2週二', '2024-01-02'],
    ['2024.02.01 Thursday', '2024-02-01'],
    ['2024/01/15 จันทร์', '2024-01-15'],
    ['R7/02/09(日)', '2025-02-09'],
    ['令和8年3月2日(月)', '2026-03-02'],
    ['令和元/05/01(水)', '2019-05-01'],
  ])('reads the day %s', (text, day) => {
    const found = readLine(text);
    expect(found.kind === 'day' && new Date(found.localMs!).toISOString().slice(0, 10)).toBe(day);
  });

  it.each([
    ['午前0:05\tAnn Kai\tHi', 5],
    ['上午12:05\tAnn Kai\tHi', 5],
    ['10:00 AM\tAnn Kai\tHi', 600],
    ['下午3:18    Ann Kai    Hi', 918],
  ])('reads the time of %s', (text, minutes) => {
    expect(readLine(text)).toEqual({ kind: 'columns', ofDayMs: minutes * 60_000, author: 'Ann Kai', text: 'Hi' });
  });

  it('takes no text for a heading', () => {
    for (const text of ['2024/01/15', 'On 2024/01/15 (Mon)', 'about 10:30\tAnn'])
      expect(readLine(text).kind).toBe('other');
  });
});

describe('chats of LINE', () => {
  const codesIn = async (text: string, options = {}) => {
    const entries = await readAll(line, memoryInput({ 'a.txt': text }), {}, { zone: 'UTC', ...options });
    const codes = entries.flatMap((entry) => (entry.type === 'problem' || entry.type === 'invalid' ? entry.code : []));
    return { codes, messages: messagesOf(entries) };
  };
  const american = (...days: readonly string[]) =>
    `[LINE] Chat history with Ann\nSaved on: 11/04/2025, 08:00\n\n${days.map((day) => `${day}\n8:15AM\tAnn\tHi\n`).join('\n')}`;

  it('have day and month in the order of their days of the week, and ask where these say nothing', async () => {
    const dayOf = async (text: string, options = {}) => {
      const { codes, messages } = await codesIn(text, options);
      return [new Date(messages[0]!.sentAtMs).toISOString().slice(0, 10), codes];
    };
    expect(await dayOf(american('Mon, 11/03/2025'))).toEqual(['2025-11-03', []]);
    expect(await dayOf(american('Tue, 11/03/2025'))).toEqual(['2025-03-11', []]);
    expect(await dayOf(american('lun, 11/03/2025'))).toEqual(['2025-03-11', ['line-date-order']]);
    expect(await dayOf(american('lun, 11/03/2025'), { dates: 'month-first' })).toEqual(['2025-11-03', []]);
  });

  it('with a space behind the time ask for names, and take a time in a text for no message once names are set', async () => {
    const text = '2025.12.30 火曜日\n23:43 Ann Kai Hello\n23:47 ben わ！\n10:00 集合\n';
    const asked = await codesIn(text);
    expect(asked.messages.map(({ author }) => author)).toEqual(['Ann', 'ben']);
    expect(asked.codes).toEqual(['line-names', 'line-names', 'line-pasted']);
    const later = await codesIn(text.replace('10:00', '23:48'));
    expect(later.messages.map(({ author }) => author)).toEqual(['Ann', 'ben', undefined]);
    expect(later.codes).toEqual(['line-names', 'line-names', 'line-app-or-person']);
    const told = await codesIn(text, { names: ['ben', 'Ann Kai'] });
    expect(told.codes).toEqual(['line-pasted']);
    expect(told.messages.map(({ author, text: said }) => [author, said])).toEqual([
      ['Ann Kai', 'Hello'],
      ['ben', 'わ！\n10:00 集合'],
    ]);
  });

  it('with a space behind the time have messages with the words of the app', async () => {
    const text =
      '2025.12.30 火曜日\n23:43 Ben I invited Ann\n23:44 Ben invited Ann\n23:45 Ann Kai left the group\n23:46 Ann 私がBenを招待しました\n';
    const saidIn = async (options = {}) =>
      (await codesIn(text, options)).messages.map(({ author, text: said }) => [author, said]);
    expect(await saidIn()).toEqual([
      ['Ben', 'I invited Ann'],
      [undefined, 'Ben invited Ann'],
      ['Ann', 'Kai left the group'],
      ['Ann', '私がBenを招待しました'],
    ]);
    expect(await saidIn({ names: ['Ben', 'Ann', 'Ann Kai'] })).toEqual([
      ['Ben', 'I invited Ann'],
      [undefined, 'Ben invited Ann'],
      [undefined, 'Ann Kai left the group'],
      ['Ann', '私がBenを招待しました'],
    ]);
  });

  it('with a space behind the time stay so if a line has two of them', async () => {
    const text = '2025.12.30 火曜日\n23:43 Ann Hello\n23:44  ☎ 1:02\n23:45  lunch\n23:46 Ben Hi\n';
    const { messages } = await codesIn(text, { names: ['Ann', 'Ben'] });
    expect(messages.map(({ author, text: said }) => [author, said])).toEqual([
      ['Ann', 'Hello'],
      [undefined, '☎ 1:02\n23:45  lunch'],
      ['Ben', 'Hi'],
    ]);
  });

  it.each([
    ['Bo ยกเลิกข้อความ', 'message-unsent'],
    ['Cai ออกจากกลุ่ม', 'member-left'],
    ['Bo เพิ่มประกาศ', 'announcement'],
    ['Bo เพิ่ม<u>ประกาศ</u>', 'announcement'],
    ['Bo เขียนโน้ตใหม่', 'note'],
    ['Boがグループを退会しました。', 'member-left'],
    ['BoがCaiをグループから削除しました。', 'member-removed'],
    ['BoがCaiをグループに招待しました。招待中の友だちが参加するまでしばらくお待ちください。', 'member-invited'],
    ['Boが<u>アナウンスしました</u>。', 'announcement'],
    ['Boがグループ名を「港」に変更しました。', 'chat-changed'],
    ['Bo已收回訊息', 'message-unsent'],
    ['Bo已退出群組。', 'member-left'],
    ['Bo已將Cai退出群組。', 'member-removed'],
    ['Bo邀請Cai加入群組。', 'member-invited'],
    ["Bo changed the chat's profile photo.", 'chat-changed'],
  ])('with a space behind the time have the line of the app %s', async (words, event) => {
    for (const options of [{}, { names: ['Ann', 'Bo', 'Cai'] }]) {
      const { messages } = await codesIn(`2026.03.01 日曜日\n10:00 Ann Hi\n10:01 ${words}\n10:02 Ann Bye\n`, options);
      expect(messages.map(({ author, systemEvent }) => author ?? systemEvent)).toEqual(['Ann', event, 'Ann']);
    }
  });

  it('with a space behind the time ask about words that a person may write too', async () => {
    const codes = async (words: string) => (await codesIn(`2026.03.01 日曜日\n10:01 ${words}\n`)).codes;
    expect(await codes('Bo ออกจากกลุ่ม')).toEqual(['line-app-or-person']);
    expect(await codes('Boがグループを退会しました。')).toEqual([]);
  });

  it('are inspected, planned and imported as a user would', async () => {
    const folder = home.make();
    const path = resolve('samples/line/phone-ja/export.txt');
    const inspected = await run(['inspect', path], { folder });
    expect([inspected.code, inspected.stdout]).toEqual([0, expect.stringContaining('LINE (')]);
    const request = [path, '--mapping', resolve('samples/line/phone-ja/mapping.yaml'), '--quiet'];
    expect((await runJson(['plan', ...request], { folder })).json).toMatchObject({ read: 8 });
    expect((await runJson(['import', ...request], { folder })).json).toMatchObject({ pending: 0 });
  });
});

describe('a date that a person wrote', () => {
  it.each(['2018/12/24 dinner', '2024/12/24 party', '2018.12.24 x'])('is no heading: %s', (text) => {
    expect(readLine(text)).toEqual({ kind: 'other' });
  });

  it.each(['2015/12/25 Fri', '2024/01/15(Mon)', '2024/01/15(月)', '2024.02.01 Thursday', '2025.12.30 火曜日'])(
    'is a heading with a day of the week: %s',
    (text) => {
      expect(readLine(text)).toMatchObject({ kind: 'day' });
    },
  );
});

describe('days and messages that a person wrote into a text of LINE', () => {
  const readChat = async (text: string, options = {}) => {
    const entries = await readAll(line, memoryInput({ 'a.txt': text }), {}, { zone: 'UTC', ...options });
    const codes = entries.flatMap((entry) => (entry.type === 'problem' || entry.type === 'invalid' ? entry.code : []));
    const said = messagesOf(entries).map(({ author, sentAtMs, text: words }) => [
      author,
      new Date(sentAtMs).toISOString().slice(5, 16),
      words,
    ]);
    return { codes, said };
  };
  const names = { names: ['Ann', 'Bo'] };

  it('are a part of it where later days go back', async () => {
    const text =
      '2026.03.01 日曜日\n10:00 Ann 予定です\n2026.05.05 火曜日\n10:00 集合\n10:05 Bo 了解\n2026.03.02 月曜日\n09:00 Ann おはよう\n';
    const said = [
      ['Ann', '03-01T10:00', '予定です\n2026.05.05 火曜日\n10:00 集合'],
      ['Bo', '03-01T10:05', '了解'],
      ['Ann', '03-02T09:00', 'おはよう'],
    ];
    expect(await readChat(text, names)).toEqual({ said, codes: ['line-pasted'] });
    expect((await readChat(text)).said).toEqual(said);
  });

  it('are a part of it where no message is below, unless its time says that a day has passed', async () => {
    const chat = (time: string) =>
      `2026.03.01 日曜日\n10:00 Ann 予定です\n2026.03.02 月曜日\n港に集合\n${time} Bo 了解\n2026.03.05 木曜日\n09:00 Ann おはよう\n`;
    expect((await readChat(chat('10:05'), names)).said[1]).toEqual(['Bo', '03-01T10:05', '了解']);
    expect((await readChat(chat('09:05'), names)).said[1]).toEqual(['Bo', '03-02T09:05', '了解']);
  });

  it('are a part of it in quotation marks, which ask nothing about days', async () => {
    const head = '[LINE] 港のトーク履歴\n保存日時：2026/03/02 10:00\n\n2026/03/01(日)\n';
    const planned = await readChat(`${head}10:00\tAnn\t"予定\n2026/05/05(火)\n港に集合"\n10:05\tBo\t了解\n`);
    expect(planned).toEqual({
      said: [
        ['Ann', '03-01T10:00', '予定\n2026/05/05(火)\n港に集合'],
        ['Bo', '03-01T10:05', '了解'],
      ],
      codes: [],
    });
    const copied = await readChat(`${head}10:00\tAnn\t"見て\n10:01\tCai\tやあ\nおわり"\n10:05\tBo\t了解\n`);
    expect(copied.said.map(([author]) => author)).toEqual(['Ann', 'Bo']);
    expect(copied.codes).toEqual(['line-pasted']);
  });

  it('stay messages if a quotation mark does not end before the next one begins', async () => {
    const text = '2026/03/01(日)\n10:00\tAnn\t"typed\n10:01\tBo\t"two\nlines"\n10:02\tAnn\tBye\n';
    expect((await readChat(text)).said.map(([author, , words]) => [author, words])).toEqual([
      ['Ann', '"typed'],
      ['Bo', 'two\nlines'],
      ['Ann', 'Bye'],
    ]);
  });

  it('stay days if many of them go back: the file was joined from two', async () => {
    const days = (month: number) =>
      Array.from(
        { length: 8 },
        (_, day) => `2026/0${month}/0${day + 1} Sun\n10:00\tAnn\tHi ${month}-${day + 1}\n`,
      ).join('');
    const { said, codes } = await readChat(`${days(5)}${days(3)}`);
    expect(said.length).toBe(16);
    expect(said.at(-1)).toEqual(['Ann', '03-08T10:00', 'Hi 3-8']);
    expect(codes).toEqual(['line-pasted']);
  });

  it('are a part of it in the form of another device', async () => {
    const text = '2026.03.01 日曜日\n10:00 Ann 見て\n10:01\tCai\tやあ\n10:05 Bo 了解\n';
    const { said, codes } = await readChat(text, names);
    expect(said.map(([author, , words]) => [author, words])).toEqual([
      ['Ann', '見て\n10:01\tCai\tやあ'],
      ['Bo', '了解'],
    ]);
    expect(codes).toEqual(['line-pasted']);
  });
});

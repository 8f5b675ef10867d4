import { describe, expect, it } from 'vitest';
import { timeReader } from '../../../src/sources/kit/time/time-reading.ts';
import { ColumnChoice, Draft } from '../../../src/sources/tables/propose/columns.ts';
import { proposeTime } from '../../../src/sources/tables/propose/message/sent-time.ts';
import { rowOf } from './rows.ts';

const now = Date.UTC(2026, 5, 1);

function propose(rows: readonly Readonly<Record<string, unknown>>[], decided = {}) {
  const draft = new Draft(decided);
  proposeTime(
    new ColumnChoice(
      rows.map((row, index) => rowOf(row, index + 1)),
      draft,
      ['NULL'],
    ),
    now,
  );
  const finding = (key: string) => draft.findings.find((found) => found.key === `messages.time.${key}`);
  const readings = (key: string) => {
    const found = finding(key);
    return [found?.value, ...(found?.alternatives.map(({ value }) => value) ?? [])].filter((one) => one !== undefined);
  };
  return { draft, finding, readings };
}

const at = (created_at: string, more = {}) => ({ id: '1', created_at, text: 'Who is there?', ...more });

describe('proposeTime()', () => {
  it.each([
    ['31/10/2017 10:10 p.m.', 'd/M/yyyy h:mm a'],
    ['2017年10月31日 22:10:47', 'yyyy年M月d日 H:mm:ss'],
    ['2017年10月31日(火) 22:10', 'yyyy年M月d日(EEE) H:mm'],
    ['2017-10-31 오후 10:10:47', 'yyyy-M-d a h:mm:ss'],
    ['531180647.123', 'apple-s'],
    ['531180647123000000', 'apple-ns'],
    ['131539614470000000', 'filetime'],
    ['2458058.42415', 'julian'],
    ['43039.9241', 'excel'],
    ['1509487847.123456', 'unix-s'],
    ['15094878471234567', 'pubnub'],
    ['20171031221047', 'yyyyMMddHHmmss'],
    ['20171031T221047Z', "yyyyMMdd'T'HHmmssXXX"],
    ['31.10.17, 22:10', 'd.M.yy, H:mm'],
    ['10/31/17 22:10', 'M/d/yy H:mm'],
    ['2017/10/31 22:10:47', 'yyyy/M/d H:mm:ss'],
    ['31 oct. 2017 22:10', 'd MMM yyyy H:mm'],
    ['31. Oktober 2017 22:10', 'd. MMM yyyy H:mm'],
    ['31 October 2017 22:10', 'd MMM yyyy H:mm'],
    ['31 de octubre de 2017, 22:10', "d 'de' MMM 'de' yyyy, H:mm"],
    ['October 31, 2017 at 10:10:47 PM', "MMM d, yyyy 'at' h:mm:ss a"],
    ['Oct 31, 2017, 10:10:47 PM', 'MMM d, yyyy, h:mm:ss a'],
    ['10/31/2017 10:10:47 PM +00:00', 'M/d/yyyy h:mm:ss a XXX'],
    ['2017-10-31T22:10:47 GMT', 'iso'],
    ['2017-10-31 22:10:47 UTC', 'iso'],
    ['2017-10-31T22:10:47,123Z', 'iso'],
    ['2017-10-31 22:10:47.123456+01', 'iso'],
    ['2017-10-31 22:10:47 +0000', 'iso'],
    ['2017-10-31 22:10:47 CET', 'yyyy-M-d H:mm:ss z'],
    ['Tue, 31 Oct 2017 22:10:47 +0000', 'EEE, d MMM yyyy H:mm:ss XXX'],
    ['Tue Oct 31 22:10:47 +0000 2017', 'EEE MMM d H:mm:ss XXX yyyy'],
    ['Tue Oct 31 22:10:47 UTC 2017', 'EEE MMM d H:mm:ss z yyyy'],
    ['Tue Oct 31 2017 22:10:47 GMT+0100 (Central European Standard Time)', 'js'],
  ])('knows without a question how %s is written', (text, format) => {
    const { readings } = propose([at(text)]);
    expect(readings('from')).toEqual(['created_at']);
    expect(readings('format')).toEqual([format]);
    const { atMs } = timeReader(format, undefined)(text)!;
    expect(new Date(atMs).toISOString()).toMatch(/^2017-10-31T2[12]:10/);
  });

  it.each([
    ['794135700', ['apple-s 2026-03-02', 'unix-s 1995-03-02']],
    ['794135700123000000', ['apple-ns 2026-03-02', 'unix-ns 1995-03-02']],
    ['636451002470000000', ['dotnet-ticks 2017-11-01', 'apple-ns 2021-03-03', 'unix-ns 1990-03-03']],
    ['374999999999999999', ['apple-ns 2012-11-19', 'discord-id 2017-10-31', 'twitter-id 2013-09-03']],
    ['04/05/06', ['d/M/yy 2006-05-04', 'M/d/yy 2006-04-05', 'yy/M/d 2004-05-06']],
  ])('asks about %s, and shows the first row by each reading', (text, expected) => {
    const { finding, draft } = propose([at(text)]);
    const { value, because, alternatives } = finding('format')!;
    const shown = [{ value, because }, ...alternatives].map(
      (reading) => `${String(reading.value)} ${/the first row is from (\S+)/.exec(reading.because)?.[1]}`,
    );
    expect(shown).toEqual(expected);
    expect(draft.at('messages.time.format')).toBeUndefined();
  });

  it('takes, of two formats, the one whose times are within a day of another date in the row', () => {
    const rows = ['2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z'].map((seen) => at('794135700123000000', { seen }));
    const { finding, draft } = propose(rows);
    expect(draft.at('messages.time')).toEqual({ from: 'created_at', format: 'apple-ns' });
    expect(finding('format')?.because).toContain('within a day of "seen" in 2 of 2 rows');
    const far = rows.map((row) => ({ ...row, seen: '2011-01-01T00:00:00Z' }));
    expect(propose(far).readings('format')).toEqual(['apple-ns', 'unix-ns']);
  });

  it.each([
    ['2 days ago', 'it does not give an exact time'],
    ['22:10:47', 'no column says the day'],
    ['whenever', 'no format that is known fits'],
  ])('says why %s is no time, and keeps the column', (text, why) => {
    const { finding, readings } = propose([at(text)]);
    expect(readings('from')).toEqual(['created_at']);
    expect(finding('format')).toMatchObject({ isRequired: true, alternatives: [] });
    expect(finding('format')).not.toHaveProperty('value');
    expect(finding('format')?.because).toContain(why);
  });

  it.each([
    ['59f8f5a70000000000000000', 'objectid'],
    ['01BYRXK0000000000000000000', 'ulid'],
  ])('only offers the time at which the id %s was made', (text, format) => {
    const { finding } = propose([at(text)]);
    expect(finding('format')).toMatchObject({ isRequired: true, alternatives: [{ value: format }] });
    expect(finding('format')).not.toHaveProperty('value');
  });

  it('offers ids that contain a time if no column has one', () => {
    const { finding } = propose([{ id: '374999999999999999', text: 'Who is there?' }]);
    expect(finding('from')).toMatchObject({ isRequired: true, alternatives: [{ value: 'id' }] });
    expect(finding('from')?.alternatives[0]?.because).toContain('discord-id 2017-10-31');
    const decided = { messages: { time: { from: 'id' } } };
    expect(propose([{ id: '374999999999999999' }], decided).readings('format')).toContain('discord-id');
  });

  const ids = ['01BYRXK0000000000000000000', '01BYRXM0000000000000000000', '01BYRXN0000000000000000000'];

  it('offers ids next to a time of a change', () => {
    const rows = ids.map((id) => ({ id, text: 'Who is there?', updated_at: '2026-02-01T10:00:00Z' }));
    expect(propose(rows).readings('from')).toEqual(['updated_at', 'id']);
    const { draft } = propose(rows, { messages: { time: { from: 'id' } } });
    expect(draft.at('messages.time')).toEqual({ from: 'id', format: 'ulid' });
  });

  it.each([
    [Date.UTC(2019, 0, 1), 0],
    [1_288_834_974_657, 0],
    [Date.UTC(2021, 4, 6, 7, 8, 9), 900],
  ])('finds the epoch %d of ids by another time in the rows', (epoch, delayMs) => {
    const rows = Array.from({ length: 6 }, (_, index) => {
      const sentMs = Date.UTC(2025, 5, 1 + index, 9, 12, 40, 17 * index);
      const changedMs = sentMs + delayMs + (index === 4 ? 86_400_000 : 0);
      const id = String((BigInt(sentMs - epoch) << 22n) + BigInt(index * 4096 + 77));
      return { id, text: 'Who is there?', updated_at: new Date(changedMs).toISOString() };
    });
    const found = propose(rows, { messages: { time: { from: 'id' } } });
    const [format] = found.readings('format');
    const read = timeReader(String(format), undefined);
    expect(Math.abs(read(rows[0]!.id)!.atMs - Date.UTC(2025, 5, 1, 9, 12, 40))).toBeLessThan(1000);
  });

  it('offers a column of times if the column named so has none', () => {
    const rows = [{ id: '1', sent: 'true', createdAtTime: '1740819700000' }];
    const { readings, finding } = propose(rows);
    expect(readings('from')).toEqual(['createdAtTime']);
    expect(finding('format')).toBeUndefined();
    const { draft } = propose(rows, { messages: { time: { from: 'createdAtTime' } } });
    expect(draft.at('messages.time')).toEqual({ from: 'createdAtTime', format: 'unix-ms' });
  });

  it.each([
    ['Tue Oct 31 22:10:47 +0000 2017', 'EEE MMM d HH:mm:ss XXX yyyy'],
    ['1/2/2024', 'M/d/yyyy'],
  ])('keeps the column if only the format is decided: %s', (text, format) => {
    const { draft } = propose([at(text)], { messages: { time: { format } } });
    expect(draft.at('messages.time')).toEqual({ from: 'created_at', format });
  });

  it('asks for the column where none is read by the format that was decided', () => {
    const { readings } = propose([at('2017-10-31')], { messages: { time: { format: 'unix-ms' } } });
    expect(readings('from')).toEqual(['created_at']);
    expect(
      propose([at('2017-10-31')], { messages: { time: { format: 'unix-ms' } } }).draft.at('messages.time'),
    ).toEqual({
      format: 'unix-ms',
    });
  });

  it('asks about times that are still to come', () => {
    const { finding } = propose([at('2031-01-01T10:00:00Z')]);
    expect(finding('format')).toMatchObject({ alternatives: [{ value: 'iso' }], isRequired: true });
    expect(finding('format')?.because).toContain('still to come');
    expect(propose([at('2026-06-01T20:00:00Z')]).readings('format')).toEqual(['iso']);
  });
});

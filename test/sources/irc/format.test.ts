import { describe, expect, it } from 'vitest';
import { anyDialect, fittingDialects } from '../../../src/sources/irc/choose.ts';
import { dialects } from '../../../src/sources/irc/dialects.ts';
import { readLine as readAs } from '../../../src/sources/irc/format.ts';
import { readDay, readStamp } from '../../../src/sources/irc/stamps.ts';
import { linear, longText } from '../../long-text.ts';
import { everyNth } from '../../tier.ts';

const named = (name: string) => dialects.find((dialect) => dialect.name === name)!;

/** A line of a file that has no other. */
const readLine = (line: string) => readAs(fittingDialects('a.log', [line])[0]?.dialect ?? anyDialect, line);

function timeIn(line: string) {
  const read = readLine(line);
  return read?.kind === 'said' && read.stamp ? readStamp(read.stamp) : undefined;
}

/** Returns the content of a line, without its time. */
function saidIn(line: string, dialect?: string) {
  const read = dialect === undefined ? readLine(line) : readAs(named(dialect), line);
  if (read?.kind !== 'said') return read;
  const { isUnclear: _, others: __, isUnnamed: ___, ...said } = read.said;
  return JSON.parse(JSON.stringify(said)) as unknown;
}

const message = (nick: string, text: string) => ({ kind: 'message', nick, text });
const event = (name: string, text: string, others: { nick?: string; to?: string } = {}) => ({
  kind: 'event',
  event: name,
  ...others,
  text,
});

describe('readLine() reads the time', () => {
  it.each([
    ['09:15 <a> b', undefined, '09:15:00'],
    ['[09:15] <a> b', undefined, '09:15:00'],
    ['[23:59:60] <a> b', undefined, '24:00:00'],
    ['[2026-03-02 09:15:07] <a> b', '2026-03-02', '09:15:07'],
    ['2026-03-02T09:15:07  <a> b', '2026-03-02', '09:15:07'],
    ['[2026-03-02T09:15:07.123Z] <a> b', '2026-03-02', '09:15:07'],
    ['2026-03-02 09:15:07\ta\tb', '2026-03-02', '09:15:07'],
    ['\x0303[09:15] <a> b', undefined, '09:15:00'],
  ])('of %j', (line, day, time) => {
    const [hours, minutes, seconds] = time.split(':').map(Number);
    expect(timeIn(line)).toMatchObject({
      dayMs: day && Date.parse(day),
      timeOfDayMs: ((hours! * 60 + minutes!) * 60 + seconds!) * 1000,
      offsetMs: line.includes('Z]') ? 0 : undefined,
    });
  });

  it.each([['24:00 <a> b'], ['09:60 <a> b'], ['9:15 <a> b'], ['<a> b'], ['[02.03.26, 09:15:00] a: b']])(
    'and nothing of %j',
    (line) => {
      expect(readLine(line)).toBeUndefined();
    },
  );
});

describe('readStamp()', () => {
  it('knows no day that there is not', () => {
    expect(timeIn('2026-02-31 09:15:00\ta\tb')).toBeUndefined();
  });

  it.each([
    ['[2026-03-02T09:15:00+0100] <a> b', 3_600_000],
    ['2026-03-02T09:15:00-03:30 <a> b', -12_600_000],
    ['[Monday, 2 March 2026] [09:15:00 CET] <a>\tb', 3_600_000],
    ['[Monday, 2 March 2026] [09:15:00 IST] <a>\tb', undefined],
  ])('reads the offset of %j, unless it could be several', (line, offsetMs) => {
    expect(timeIn(line)?.offsetMs).toBe(offsetMs);
  });
});

describe('readLine() reads messages', () => {
  it.each([
    ['09:15 < ines> Hi', message('ines', 'Hi')],
    ['09:15 <@ines> Hi', message('ines', 'Hi')],
    ['09:15 <@+ines> <b> * Hi', message('ines', '<b> * Hi')],
    ['09:15 <ines>', message('ines', '')],
    ['[09:15:00] <in[e]s|`^-> Hi', message('in[e]s|`^-', 'Hi')],
    ['2026-03-02 09:15:00\t@ines\tHi\tthere', message('ines', 'Hi\tthere')],
    ['09:15 <ines> \x02bold\x0f \x0304,01red\x03 \x1funder\x1f', message('ines', 'bold red under')],
    ['09:15 <ines> 5\x033', message('ines', '5')],
  ])('%j', (line, said) => expect(saidIn(line)).toEqual(said));

  it.each([
    ['09:15  * ines waves', { kind: 'action', nick: 'ines', text: 'waves' }],
    ['[09:15] * ines has joined us for lunch', { kind: 'action', nick: 'ines', text: 'has joined us for lunch' }],
    ['2026-03-02 09:15:00\t *\tines waves', { kind: 'action', nick: 'ines', text: 'waves' }],
  ])('and actions: %j', (line, said) => expect(saidIn(line)).toEqual(said));

  it.each([
    ['[09:15:00] -ines- Hi', 'ines'],
    ['09:15 -ines:#harbour- Hi', 'ines'],
    ['09:15 -ines(ines@example.com)- Hi', 'ines'],
    ['2026-03-02 09:15:00\t--\tNotice(ines): Hi', 'ines'],
    ['2026-03-02 09:15:00\t--\tNotice(ines) -> #harbour: Hi', 'ines'],
    ['[09:15:00] -a-b- Hi', 'a-b'],
    ['[09:15:00] -a- Hi', 'a'],
  ])('and notices: %j', (line, nick) => expect(saidIn(line)).toEqual({ kind: 'notice', nick, text: 'Hi' }));
});

describe('readLine() reads what happened, without addresses', () => {
  const by = (nick: string) => ({ nick });
  it.each([
    ['09:15 -!- ines [i@host.example] has joined #a', event('join', 'ines has joined #a', by('ines'))],
    ['[09:15] *** Joins: ines (i@host.example)', event('join', 'Joins: ines', by('ines'))],
    ['[09:15] * ines (i@host.example) has joined #a', event('join', 'ines has joined #a', by('ines'))],
    ['2026-03-02 09:15:00\t-->\tines (i@::1) has joined #a', event('join', 'ines has joined #a', by('ines'))],
    ['[09:15] *** ines has joined #a', event('join', 'ines has joined #a', by('ines'))],
    ['[09:15] *** ines has quit IRC', event('quit', 'ines has quit IRC', by('ines'))],
    ['[09:15] * ines (i@host.example) join', event('join', 'ines join', by('ines'))],
    ['[09:15] * a (i@host.example) nick b', event('nick', 'a nick b', { nick: 'a', to: 'b' })],
    ['09:15 -!- ines [i@host.example] has left #a [bye]', event('part', 'ines has left #a [bye]', by('ines'))],
    ['[09:15] *** Parts: ines (i@host.example) ()', event('part', 'Parts: ines ()', by('ines'))],
    ['09:15 -!- ines [i@host.example] has quit [x]', event('quit', 'ines has quit [x]', by('ines'))],
    ['[09:15] * ines (i@host.example) Quit (x)', event('quit', 'ines Quit (x)', by('ines'))],
    ['[09:15] *** Quits: ines (i@host.example) (x)', event('quit', 'Quits: ines (x)', by('ines'))],
    ['09:15 -!- a was kicked from #a by ines [x]', event('kick', 'a was kicked from #a by ines [x]', by('ines'))],
    ['[09:15] *** a was kicked by ines (x)', event('kick', 'a was kicked by ines (x)', by('ines'))],
    ['2026-03-02 09:15:00\t<--\tines has kicked a (x)', event('kick', 'ines has kicked a (x)', by('ines'))],
    ['09:15 -!- ines changed the topic of #a to: x', event('topic', 'ines changed the topic of #a to: x', by('ines'))],
    ["[09:15] *** ines changes topic to 'x'", event('topic', "ines changes topic to 'x'", by('ines'))],
    ['09:15 -!- mode/#a [+o a] by ines', event('mode', 'mode/#a [+o a] by ines', by('ines'))],
    ['2026-03-02 09:15:00\t--\tMode #a [+o a] by ines', event('mode', 'Mode #a [+o a] by ines', by('ines'))],
    ['[09:15] * ines sets mode: +o a', event('mode', 'ines sets mode: +o a', by('ines'))],
    ['09:15 -!- a is now known as b', event('nick', 'a is now known as b', { nick: 'a', to: 'b' })],
    ['[09:15] * Now talking in #a', event('info', 'Now talking in #a')],
    ['[09:15] * Set by a!i@host.example on Mon', event('info', 'Set by a on Mon')],
    ['09:15 -!- Irssi: anything else', event('info', 'Irssi: anything else')],
    ['2026-03-02 09:15:00\t=!=\tirc: error', event('info', 'irc: error')],
  ])('%j', (line, said) => expect(saidIn(line)).toEqual(said));
});

describe('readLine() knows lines of the program', () => {
  it.each([
    ['--- Log opened Mon Mar 02 09:14:55 2026'],
    ['--- Day changed Mon Mar 02 2026'],
    ['Session Start: Mon Mar  2 09:14:55 2026'],
    ['Session Time: Mon Mar 02 00:00:00 2026'],
  ])('that say the day: %j', (line) => {
    const read = readLine(line) as { kind: string; text: string };
    expect(read.kind).toBe('day');
    expect(new Date(readDay(read.text)!).toISOString().slice(0, 10)).toBe('2026-03-02');
  });

  it('in unknown words', () => {
    expect(readLine('--- Day changed Ke Maalis 04 2026')).toEqual({ kind: 'day', text: 'Ke Maalis 04 2026' });
    expect(readDay('Ke Maalis 04 2026')).toBeUndefined();
  });

  it.each([[''], ['  '], ['--- Log closed Mon Mar 02 09:14:55 2026'], ['Session Close: x'], ['Session Ident: #a']])(
    'that say nothing: %j',
    (line) => expect(readLine(line)).toEqual({ kind: 'nothing' }),
  );
});

describe('readLine()', () => {
  const beginnings = [
    ...['09:15 <@', '09:15 -', '09:15 -a(', '2026-03-02 09:15:00\t--\tNotice(', '2026-03-02 09:15:00\t'],
    ...['09:15 -!- a [@', '09:15 * ', '+', '09:15 <a>!@'],
  ];
  const fillers = ['+', '@', '[', '(', ')', '!a@', ' ', '- ', ': '];
  const lines = beginnings.flatMap((beginning) => fillers.map((filler) => ({ beginning, filler })));

  it.each(['lounge', 'eggdrop', 'mirc', 'pidgin', 'pidgin-html', 'konversation'])(
    'reads long lines of %s in linear time',
    linear,
    (name) => {
      for (const filler of ['a@', '(', ' ', 'a ', '-', ': ']) {
        for (const beginning of [
          '[09:15] ',
          '[09:15] * a ',
          '[09:15] *** a (',
          '(09:15:00 AM) ',
          '<font size="2">(09:15:00 AM)</font><b> ',
          '<font size="2">(09:15:00 AM)</font> <b>***a</b></font> <',
          '<html><title>Conversation with ',
          '[Mon 2 Mar 2026] [09:15] ',
        ])
          readAs(named(name), beginning + longText(filler));
      }
    },
  );

  it.each(everyNth(4, lines))(
    'reads a long line of $beginning and $filler in linear time',
    linear,
    ({ beginning, filler }) => {
      // Quadratic time would not end within the test's timeout.
      const short = readLine(beginning + filler.repeat(2000));
      expect(readLine(beginning + longText(filler))?.kind).toBe(short?.kind);
    },
  );
});

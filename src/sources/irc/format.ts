import { compilePattern } from '../kit/time/time-pattern.ts';

/**
 * Logs of IRC, as clients, bouncers and bots write them: a line each, with the time of day as their clock shows it. Rules of text
 * alone, none of them a standard (all looked at in 2026-11):
 *
 *     irssi        09:15 <@ines> Good morning        https://irssi.org/documentation/help/log
 *     WeeChat      2026-03-02 09:15:00\tines\tGood   https://weechat.org/files/doc/stable/weechat_user.en.html#logger_plugin
 *     ZNC          [09:15:00] <ines> Good morning    https://wiki.znc.in/Log
 *     EnergyMech   the same; also [09:15]            https://www.energymech.net
 *     mIRC         the same, with colours            https://www.mirc.com/help/html/logging.html
 *
 * The Lounge (`[2026-03-02T09:15:00.000Z] <ines> …`) and what irclog2html reads in ISO form fit as well. Not read: logs whose lines
 * name no year (HexChat, dircproxy), and day lines in another language than English: what follows them is rejected.
 */

/** Colours and styles of mIRC: they end up in every log that does not strip them, even before the time. */
const controlCodes = /\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[\da-f]{6})?|[\x02\x0f\x11\x16\x1d-\x1f]/gi;

/** Who somebody is for the server, an address often: `ines [ines@pier4.example.com]`, `ines!ines@pier4.example.com`. */
const hostMask = / [[(][^\s@[\]()]{1,64}@[^\s[\]()]{1,256}[\])]|![^\s!@]{1,64}@\S+/g;

const stamp =
  /^\[?(?:(?<date>\d{4}-\d\d-\d\d)[T ])?(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d|60)(?:\.\d{1,3})?)?(?<utc>Z?)\]?[ \t](?<body>.*)$/;

const dayLine = /^(?:--- (?:Log opened|Day changed)|Session (?:Start|Time):) (?<day>.+)$/;
const lineOfTheProgram = /^(?:--- Log closed |Session (?:Close|Ident)\b|\s*$)/;
const dayReaders = ['EEE MMM d yyyy', 'EEE MMM d HH:mm:ss yyyy', 'yyyy-MM-dd', 'yyyyMMdd'].map(compilePattern);

/** A day as logs and their names write it, as if it were UTC; any time of it. */
export const readDay = (text: string): number | undefined =>
  dayReaders.map((read) => read(text)).find((day) => day !== undefined)?.localMs;

/** Bounded, so that no line can keep an expression busy. */
const [modes, nick, mask] = ['[ @+%&~!]{0,8}', '[^\\s<>()!@:,]{1,64}', '[[(][^\\s@]{1,64}@[^\\s@]{1,256}[\\])]'];
const message = new RegExp(`^<${modes}(?<nick>${nick})> ?(?<text>.*)$`);
/** `-ines- …`, `-ines:#harbour- …`, `-ines(ines@host)- …` */
const notice = new RegExp(`^-(?<nick>[^\\s<>()!@:,-](?:${nick})?)(?:[:(]\\S*)?- (?<text>.*)$`);
const weechatNotice = new RegExp(`^Notice\\((?<nick>${nick})\\)[^:]*: (?<text>.*)$`);
const action = new RegExp(`^(?<nick>${nick}) (?<text>.*)$`);
const weechatLine = new RegExp(`^(?:(?<mark>[ *=!<>-]*)|${modes}(?<nick>${nick}))\\t(?<text>.*)$`);

/** The Lounge has one way for all: `* ines (ines@pier4.example.com) nick ines2`. */
const loungeEvent = new RegExp(
  `^(?<nick>${nick}) ${mask} (?<event>join|part|quit|kick|topic|mode|nick)(?: (?<rest>.*))?$`,
);

/** What happened, and who did it; without a host mask, so that `ines has joined us for lunch` is what it says. */
const events: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['nick', /^(?<nick>\S+) is now known as (?<to>\S+)$/],
  ['join', new RegExp(`^Joins: (?<nick>\\S+)|^(?<who>${nick})(?: ${mask})? has joined [#&+!]`)],
  ['part', new RegExp(`^Parts: (?<nick>\\S+)|^(?<who>${nick})(?: ${mask})? has left [#&+!]`)],
  ['quit', new RegExp(`^Quits: (?<nick>\\S+)|^(?<who>${nick})(?: ${mask} (?:has quit|Quit)| has quit IRC)\\b`)],
  ['kick', /^\S+ was kicked (?:from \S+ )?by (?<nick>\S+)/],
  ['kick', /^(?<nick>\S+) has kicked \S+/],
  ['topic', /^(?<nick>\S+) (?:changed the topic of|changes topic to|has changed topic for) /],
  ['mode', /^(?<nick>\S+) sets mode: /],
  ['mode', /^mode[ /]\S+ \[.*\] by (?<nick>\S+)$/i],
  ['info', /^(?:Now talking in|Topic is|Set by \S+ on|Rejoined channel|Attempting to rejoin|Disconnected\b)/],
];

/** A line, taken apart. */
export type LogLine =
  | { readonly kind: 'nothing' }
  /** Of the lines that follow; as if it were UTC, and undefined where it is written in words that nobody knows. */
  | { readonly kind: 'day'; readonly localMs: number | undefined }
  | (Said & Stamp);

interface Stamp {
  /** Midnight of the day as if it were UTC, where the line says it. */
  readonly dayMs: number | undefined;
  readonly timeOfDayMs: number;
  readonly isUtc: boolean;
}

interface Said {
  readonly kind: 'message' | 'action' | 'notice' | 'event';
  /** Nobody did it, or a server. */
  readonly nick?: string | undefined;
  readonly text: string;
  /** Of an event: what happened. `info` is anything else that the program wrote. */
  readonly event?: string;
  /** Of a change of nick. */
  readonly to?: string | undefined;
}

/** @returns undefined for what is no line of a log. */
export function readLine(raw: string): LogLine | undefined {
  const line = raw.replace(controlCodes, '');
  const { day } = dayLine.exec(line)?.groups ?? {};
  if (day !== undefined) return { kind: 'day', localMs: readDay(day) };
  if (lineOfTheProgram.test(line)) return { kind: 'nothing' };
  const parts = stamp.exec(line)?.groups;
  const said = parts && (weechatSaid(parts.body!) ?? saidIn(parts.body!.trimStart()));
  if (!said) return undefined;
  const { date, hour, minute, second = 0, utc } = parts;
  const dayMs = date === undefined ? undefined : readDay(date);
  if (date !== undefined && dayMs === undefined) return undefined;
  return { ...said, dayMs, timeOfDayMs: ((+hour! * 60 + +minute!) * 60 + +second) * 1000, isUtc: utc === 'Z' };
}

function saidIn(body: string): Said | undefined {
  const spoken = message.exec(body)?.groups;
  if (spoken) return { kind: 'message', nick: spoken.nick, text: spoken.text! };
  const noticed = notice.exec(body)?.groups;
  if (noticed) return { kind: 'notice', nick: noticed.nick, text: noticed.text! };
  const [, mark, text = ''] = /^(\*{3}|-!-|\*) (.*)$/.exec(body) ?? [];
  return mark === undefined ? undefined : (eventIn(text, mark !== '*') ?? actionIn(text));
}

/** The nick, or a mark, stands between tabs. */
function weechatSaid(body: string): Said | undefined {
  const { nick: author, mark, text = '' } = weechatLine.exec(body)?.groups ?? {};
  if (author !== undefined) return { kind: 'message', nick: author, text };
  if (mark === undefined) return undefined;
  if (mark.trim() === '*') return actionIn(text);
  const noticed = weechatNotice.exec(text)?.groups;
  return noticed ? { kind: 'notice', nick: noticed.nick, text: noticed.text! } : eventIn(text, true);
}

function actionIn(text: string): Said | undefined {
  const acted = action.exec(text)?.groups;
  return acted && { kind: 'action', nick: acted.nick, text: acted.text! };
}

/** @param isSure Whether it is an event even where nobody knows which. */
function eventIn(text: string, isSure: boolean): Said | undefined {
  const lounge = loungeEvent.exec(text)?.groups;
  if (lounge) {
    const to = lounge.event === 'nick' ? lounge.rest : undefined;
    return { kind: 'event', event: lounge.event!, nick: lounge.nick, to, text: text.replace(hostMask, '') };
  }
  for (const [event, pattern] of events) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { nick: named, who, to } = found.groups ?? {};
    return { kind: 'event', event, nick: named ?? who, to, text: text.replace(hostMask, '') };
  }
  return isSure ? { kind: 'event', event: 'info', text: text.replace(hostMask, '') } : undefined;
}

import * as events from './events.ts';
import { type Dialect, type LineForm, modesPattern, nickPattern, type UntimedForm } from './format.ts';
import { bracketStamp, epochStamp, htmlStamp, monthStamp, plainStamp, tabStamp, wordyStamp } from './stamps.ts';

/**
 * The grammars of all programs whose logs are read (all looked at in 2026-11). None of them is a standard:
 *
 *     irssi        09:15 <@ines> Good morning            https://irssi.org/documentation/help/log
 *     WeeChat      2026-03-02 09:15:00\tines\tGood       https://weechat.org/files/doc/stable/weechat_user.en.html#logger_plugin
 *     ZNC          [09:15:00] <ines> Good morning        github.com/znc/znc, modules/log.cpp
 *     mIRC         the same, with colours                https://www.mirc.com/help/html/logging.html
 *     HexChat      Mar 02 09:15:00 <ines>\tGood morning  github.com/hexchat/hexchat, src/common/text.c
 *     Konversation [Monday, 2 March 2026] [09:15:00] …   github.com/KDE/konversation, src/viewer/chatwindow.cpp
 *     KVIrc        [09:15:00] <ines> Good morning        github.com/kvirc/KVIrc, src/kvirc/ui/KviIrcView_loghandling.cpp
 *     LimeChat     09:15 ines: Good morning              github.com/psychs/limechat, Classes/Library/FileLogger.m
 *     Pidgin       (09:15:00 AM) ines: Good morning      libpurple/log.c
 *     BotBot       [09:15:1772442900] <ines> Good        github.com/BotBotMe/botbot-web, botbot/templates/logs/logs.txt
 *
 * The order counts if a file fits several equally well.
 */

const nick = `(?<nick>${nickPattern})`;
const host = '(?:![^\\s>]{1,320})?';
/** An action never begins with a host: that is an event of a form that nothing knows. */
const deed = '(?! ?[[(<][^\\s\\])>]{0,320}@)(?<text>.*)';

const message: LineForm = {
  kind: 'message',
  pattern: new RegExp(`^<${modesPattern}${nick}${host}>[ \\t]?(?<text>.*)$`),
};
/** `-ines- …`, `-ines:#harbour- …`, `-ines/#harbour- …`, `-ines(ines@host)- …` */
const notice: LineForm = {
  kind: 'notice',
  pattern: /^-(?<nick>[^\s<>()!@:,/-](?:[^\s<>()!@:,/]{0,63})?)(?:[:(/]\S*)?-[ \t](?<text>.*)$/,
};
const action: LineForm = { kind: 'action', pattern: new RegExp(`^\\*[ \\t]${modesPattern}${nick} ${deed}$`) };
const unclearAction: LineForm = { ...action, isUnclear: true };

const spoken: readonly LineForm[] = [message, notice, action];

/** Behind one of these marks is an event, whatever it says. */
const marked = (marks: string, forms = events.markedEvents): LineForm => ({
  kind: 'event',
  pattern: new RegExp(`^(?:${marks})[ \\t](?<text>.*)$`),
  forms,
  isSure: true,
});

/** Without a mark: only what the program is known to write. */
const unmarked = (forms: LineForm['forms'] & {}): LineForm => ({ kind: 'event', pattern: /^(?<text>.*)$/, forms });

const untimed: readonly UntimedForm[] = [
  { kind: 'day', pattern: /^(?:--- (?:Log opened|Day changed)|Session (?:Start|Time):) (?<day>.+)$/ },
  { kind: 'nothing', pattern: /^(?:--- Log closed |Session (?:Close|Ident)\b|\s*$)/ },
];
const blank: UntimedForm = { kind: 'nothing', pattern: /^\s*$/ };

const sessionIdent = /^Session Ident: (?<channel>[#&]\S{1,200})/m;

const weechat: Dialect = {
  name: 'weechat',
  stamps: [tabStamp],
  untimed,
  lines: [
    { kind: 'notice', pattern: new RegExp(`^[ *=!<>-]*\\tNotice\\(${nick}\\)[^:]*: (?<text>.*)$`) },
    { kind: 'message', pattern: new RegExp(`^${modesPattern}(?!(?:-->|<--|--|=!=|\\*)\\t)${nick}\\t(?<text>.*)$`) },
    { kind: 'action', pattern: new RegExp(`^ ?\\* ?\\t${nick} ${deed}$`) },
    { kind: 'event', pattern: /^[ *=!<>-]*\t(?<text>.*)$/, forms: events.markedEvents, isSure: true },
  ],
};

const irssi: Dialect = {
  name: 'irssi',
  stamps: [plainStamp],
  untimed,
  lines: [...spoken, marked('-!-')],
};

/** ZNC, EnergyMech, Limnoria, MeetBot. */
const stars: Dialect = {
  name: 'znc',
  stamps: [plainStamp],
  untimed,
  lines: [marked('\\*\\*\\*'), ...spoken],
};

const mirc: Dialect = {
  name: 'mirc',
  stamps: [plainStamp],
  untimed,
  headers: [sessionIdent],
  lines: [message, notice, { kind: 'event', pattern: /^\*[ \t](?<text>.*)$/, forms: events.starEvents }, unclearAction],
};

const lounge: Dialect = {
  name: 'lounge',
  stamps: [plainStamp],
  untimed: [blank],
  lines: [
    { kind: 'more', pattern: /^\| ?(?<text>.*)$/ },
    { kind: 'event', pattern: /^\*{3} (?<text>.*)$/, forms: events.loungeEvents },
    ...spoken,
  ],
};

/** Every line with a star names its kind, so the dialect is identified by the first host or by the kind of an action. */
const oldLounge: Dialect = {
  name: 'lounge-2017',
  stamps: [plainStamp],
  untimed: [blank],
  mark: /^\[[^\]]{5,40}\] \* [^\s()]{1,64} (?:\([^\s()]{1,320}\) (?:join|part|quit|nick|kick|mode|topic)\b|action )/m,
  lines: [
    message,
    { kind: 'notice', pattern: new RegExp(`^\\* ${nick}(?: \\([^\\s()]{1,320}\\))? notice (?<text>.*)$`) },
    { kind: 'action', pattern: new RegExp(`^\\* ${nick}(?: \\([^\\s()]{1,320}\\))? action (?<text>.*)$`) },
    { kind: 'event', pattern: /^\* (?<text>.*)$/, forms: events.oldLoungeEvents },
  ],
};

const hexchat: Dialect = {
  name: 'hexchat',
  stamps: [monthStamp, plainStamp],
  untimed: [
    { kind: 'day', pattern: /^\*{4} BEGIN LOGGING AT (?<day>.+)$/ },
    { kind: 'nothing', pattern: /^(?:\*{4} ENDING LOGGING AT .*|\s*)$/ },
  ],
  mark: /^\*{4} (?:BEGIN|ENDING) LOGGING AT |^\p{L}{3,4}\.? [ \d]\d \d\d:\d\d:\d\d (?:[<*>-]\S*)[ \t]/mu,
  lines: [
    message,
    { kind: 'notice', pattern: new RegExp(`^-${nick}-[ \\t](?<text>.*)$`) },
    notice,
    marked('---|-->|<--|<->|-', [...events.markedEvents, ...events.starEvents]),
    { kind: 'event', pattern: /^\*[ \t](?<text>.*)$/, forms: events.starEvents },
    unclearAction,
  ],
};

const textual: Dialect = {
  name: 'textual',
  stamps: [plainStamp],
  untimed: [blank],
  lines: [...spoken, unmarked(events.textualEvents)],
};

const eggdrop: Dialect = {
  name: 'eggdrop',
  stamps: [plainStamp],
  untimed: [{ kind: 'day', pattern: /^\[[\d:]{5,8}\] --- (?<day>\w{3} \w{3} [ \d]\d \d{4})$/ }, blank],
  mark: /^\[\d\d:\d\d(?::\d\d)?\] (?:--- \w{3} \w{3} [ \d]\d \d{4}|Action: |Nick change: |\S{1,64} \([^\s@]{1,64}@[^\s@)]{1,256}\) (?:joined|left) |[#&]\S+: mode change )/m,
  lines: [
    message,
    notice,
    { kind: 'action', pattern: new RegExp(`^Action: ${nick} (?<text>.*)$`) },
    unmarked(events.eggdropEvents),
  ],
};

/** Logs of irclogs.ubuntu.com: events have no time. */
const ubuntu: Dialect = {
  name: 'ubuntu',
  stamps: [plainStamp],
  untimed: [{ kind: 'event', pattern: /^=== (?<text>.*)$/, forms: events.markedEvents }, blank],
  mark: /^=== \S+ /m,
  lines: spoken,
};

const quassel: Dialect = {
  name: 'quassel',
  stamps: [plainStamp],
  untimed,
  mark: /\] (?:-->|<--|<->|<-\*|-\*-|<-x|=>|<=) /m,
  lines: [
    { kind: 'action', pattern: new RegExp(`^-\\*- ${nick} (?<text>.*)$`) },
    { kind: 'notice', pattern: new RegExp(`^\\[${modesPattern}${nick}\\] (?<text>.*)$`) },
    marked('-->|<--|<->|<-\\*|<-x|\\*\\*\\*|=>|<=|->|--'),
    ...spoken,
  ],
};

const konversation: Dialect = {
  name: 'konversation',
  stamps: [wordyStamp],
  untimed: [{ kind: 'nothing', pattern: /^(?:\*{3} (?:Logfile started|on .*)|\s*)$/ }],
  lines: [
    { kind: 'notice', pattern: new RegExp(`^Notice\\t-?${nick}- (?<text>.*)$`) },
    message,
    { kind: 'action', pattern: new RegExp(`^\\*\\t${nick} (?<text>.*)$`) },
    {
      kind: 'event',
      pattern: /^[\p{L}* -]{1,40}\t(?<text>.*)$/u,
      forms: [...events.konversationEvents, ...events.markedEvents],
      isSure: true,
    },
  ],
};

const kvirc: Dialect = {
  name: 'kvirc',
  stamps: [/^(?:\d{1,3} )?\[(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d)\] (?<body>.*)$/],
  untimed: [
    { kind: 'day', pattern: /^(?:\d{1,3} )?### Log session started at (?<day>.+) ###$/ },
    { kind: 'nothing', pattern: /^(?:(?:\d{1,3} )?###.*|\s*)$/ },
  ],
  mark: /^(?:\d{1,3} )?### Log session (?:started|terminated) at /m,
  lines: [
    ...spoken,
    // Every event names who did it with the host.
    {
      kind: 'event',
      pattern: new RegExp(`^(?<text>${nickPattern} \\[[^\\s\\]]{1,320}\\] .*)$`),
      forms: events.kvircEvents,
      isSure: true,
    },
  ],
};

const chatzilla: Dialect = {
  name: 'chatzilla',
  stamps: [plainStamp],
  untimed: [{ kind: 'nothing', pattern: /^(?:\[(?:INFO|ERROR|WARNING)\] .*|\s*)$/ }],
  mark: /\] (?:-->\||<--\||\|<--|=-=) |^\[INFO\] Channel view for /m,
  lines: [
    message,
    notice,
    { kind: 'action', pattern: new RegExp(`^\\*${nick} (?<text>.*)$`) },
    marked('-->\\||<--\\||\\|<--|=-=|===|---|\\*\\*\\*|\\[\\w+\\]', [
      ...events.chatzillaEvents,
      ...events.markedEvents,
    ]),
  ],
};

const limechat: Dialect = {
  name: 'limechat',
  stamps: [plainStamp],
  untimed: [blank],
  path: /(?:^|[/_])\d{4}-\d\d-\d\d_[^/]+\.txt(?:\.gz)?$/i,
  lines: [
    unmarked(events.limechatEvents),
    { kind: 'action', pattern: new RegExp(`^\\* ${nick}:? (?<text>.*)$`) },
    { kind: 'notice', pattern: new RegExp(`^-${nick}- (?<text>.*)$`) },
    { kind: 'message', pattern: new RegExp(`^${modesPattern}${nick}: (?<text>.*)$`) },
  ],
};

const pidgin: Dialect = {
  name: 'pidgin',
  stamps: [bracketStamp],
  untimed: [{ kind: 'nothing', pattern: /^Conversation with \S+ at .{6,60} on \S+ \(irc\)$/ }],
  mark: /^Conversation with \S+ at .{6,60} on \S+ \(irc\)\r?$/m,
  headers: [/^Conversation with (?<channel>\S{1,200}) at .{6,60} on [^\s@]+@(?<network>\S{1,200}) \(irc\)\r?$/m],
  continuesNextDay: true,
  lines: [
    { kind: 'action', pattern: new RegExp(`^\\*{3}${nick} (?<text>.*)$`) },
    { kind: 'message', pattern: new RegExp(`^${modesPattern}${nick}: (?<text>.*)$`) },
    unmarked(events.pidginEvents),
  ],
};

/** Each message, or event, is on one line: IRC has no others. */
const pidginHtml: Dialect = {
  name: 'pidgin-html',
  isHtml: true,
  stamps: [htmlStamp],
  untimed: [
    {
      kind: 'nothing',
      pattern:
        /^(?:<[^<>]{1,100}>){1,6}Conversation with [^<>]{1,400}<\/title>(?:<[^<>]{1,100}>){1,6}Conversation with [^<>]{1,400}<\/h[13]>(?:<p>)?$/,
    },
    { kind: 'nothing', pattern: /^(?:<\/body><\/html>|\s*)$/ },
  ],
  mark: /<title>Conversation with \S+ at .{6,60} on \S+ \(irc\)<\/title>/,
  headers: [
    /<title>Conversation with (?<channel>[^\s<&]{1,200}) at .{6,60} on [^\s@]+@(?<network>[^\s<&]{1,200}) \(irc\)</,
  ],
  lines: [
    { kind: 'action', pattern: new RegExp(`^ <b>\\*{3}${nick}</b></font> (?<text>.*)$`) },
    {
      kind: 'message',
      pattern: new RegExp(`^ ?<b> ?${modesPattern}${nick}(?: &lt;AUTO-REPLY&gt;)?:</b></font> (?<text>.*)$`),
    },
    { kind: 'event', pattern: /^ ?<b> (?<text>.*)$/, forms: events.pidginEvents, isSure: true },
    { kind: 'event', pattern: /^ (?!<b>)(?<text>.*)$/, forms: events.pidginEvents, isSure: true },
  ],
};

const rrsagent: Dialect = {
  name: 'rrsagent',
  stamps: [plainStamp],
  untimed: [blank],
  zone: 'UTC',
  mark: /^\d\d:\d\d:\d\d <RRSAgent> logging to /m,
  headers: [
    /^\d\d:\d\d:\d\d <RRSAgent> RRSAgent has joined (?<channel>[#&+!]\S{1,200})/m,
    /^\d\d:\d\d:\d\d <RRSAgent> logging to \S*\/(?<day>\d{4}\/\d\d\/\d\d)-/m,
  ],
  lines: [
    {
      kind: 'event',
      pattern: new RegExp(`^<(?<who>${nickPattern})> (?<text>\\k<who> .*)$`),
      forms: events.rrsagentEvents,
    },
    ...spoken,
  ],
};

const botbot: Dialect = {
  name: 'botbot',
  stamps: [epochStamp],
  untimed: [blank],
  mark: /^\[\d\d:\d\d:\d{9,11}\] [<*]/m,
  lines: [message, { kind: 'event', pattern: /^\* (?<text>.*)$/, forms: events.botbotEvents }, action],
};

export const dialects: readonly Dialect[] = [
  ...[irssi, stars, weechat, lounge, oldLounge, textual, eggdrop, ubuntu, quassel, konversation, kvirc, chatzilla],
  ...[hexchat, mirc, limechat, pidgin, pidginHtml, rrsagent, botbot],
];

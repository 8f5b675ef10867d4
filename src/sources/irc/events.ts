import { event, type EventForm } from './format.ts';

/**
 * Event texts of each program. A form must match the whole text. Events may be written like actions, and `ines has
 * joined us for lunch` is an action.
 */

const changesOfNick = event('nick', '{nick} is now known as {to}', '{nick} changed nick to {to}');

const yourNick = event('nick', 'You are now known as {to}');

/** mIRC: https://www.mirc.com/help/html/logging.html, and logs. */
const mirc: readonly EventForm[] = [
  ...changesOfNick,
  ...event('join', '{nick}{host} has joined {channel}', '{nick}{host} has joined', '{nick}{host} joined the channel'),
  ...event('part', '{nick}{host} has left {channel}{why}', '{nick}{host} has left the channel{why}'),
  ...event('part', '{nick}{host} left the channel{why}', '{nick}{host} has left{why}'),
  ...event('quit', '{nick}{host} Quit{why}', '{nick}{host} has quit{why}', '{nick}{host} has quit IRC{why}'),
  ...event('kick', '{target} was kicked by {nick}{why}', '{target} was kicked from {channel} by {nick}{why}'),
  ...event('kick', '{nick} has kicked {target}{why}', '{nick} has kicked {target} from {channel}{why}'),
  ...event('mode', '{nick} sets mode: {modes}', '{nick} sets mode {modes}', '{nick} sets modes [{any}]'),
  ...event('topic', "{nick} changes topic to '{any}'", '{nick} changes topic to "{any}"'),
  ...event('topic', '{nick} has changed the topic to: {any}'),
  ...event('info', 'Now talking in {channel}', "Topic is '{any}'", 'Set by {word} on {any}', 'Disconnected'),
  ...event('info', 'Attempting to rejoin channel {channel}', 'Rejoined channel {channel}', 'Rejoined channel'),
  ...yourNick,
];

const given = ['channel operator status', 'channel half-operator status', 'voice'];
const listed = ['ban', 'exempt', 'invite'];

/** HexChat and XChat: src/common/textevents.in of github.com/hexchat/hexchat. */
const hexchat: readonly EventForm[] = [
  ...given.flatMap((what) => event('mode', `{nick} gives ${what} to {target}`, `{nick} removes ${what} from {target}`)),
  ...listed.flatMap((what) => event('mode', `{nick} sets ${what} on {word}`, `{nick} removes ${what} on {word}`)),
  ...event('mode', '{nick} sets channel keyword to {any}', '{nick} removes channel keyword'),
  ...event('mode', '{nick} sets channel limit to {any}', '{nick} removes user limit'),
  ...event('info', 'Now talking on {channel}', 'Topic for {channel} is: {any}', 'Topic for {channel} is {any}'),
  ...event(
    'info',
    'Topic for {channel} set by {any}',
    'Channel {channel} created on {any}',
    'Channel {channel} modes: {any}',
  ),
  ...event(
    'info',
    'You are now talking on {channel}',
    'You have left channel {any}',
    'Disconnected ({any}).',
    'Connected{any}',
  ),
  ...event('info', 'You have been kicked from {any}', 'You have been invited to {any}', "You've invited {any}"),
  ...event(
    'info',
    'Received a CTCP {any}',
    'Cannot join{any}',
    'Looking up {any}',
    'Connecting to {any}',
    '[{nick}] {any}',
  ),
  ...event(
    'info',
    'Nickname already in use{any}',
    'Ping reply from {any}',
    'Notify: {any}',
    'Users on {channel}: {any}',
  ),
  ...event('info', 'DCC {any}', 'Offering DCC {any}', 'Received a DCC {any}', 'No such DCC{any}'),
];

/** Events that mIRC, HexChat and XChat write after the star of an action. Old logs were written by one program and converted by another. */
export const starEvents: readonly EventForm[] = [...mirc, ...hexchat];

/** Behind marks of their own: irssi, WeeChat, Quassel, ZNC (modules/log.cpp), EnergyMech, Limnoria (plugins/ChannelLogger). */
export const markedEvents: readonly EventForm[] = [
  ...event('join', 'Joins: {nick}{any}'),
  ...event('part', 'Parts: {nick}{any}'),
  ...event('quit', 'Quits: {nick}{any}'),
  ...event('mode', 'mode/{word} [{any}] by {nick}', 'Mode {word} [{any}] by {nick}', 'Mode {channel} {any} by {nick}'),
  ...event('topic', '{nick} changed the topic of {any}', '{nick} has changed topic for {any}'),
  ...event('part', '{nick}{host} has left {channel}{any}'),
  ...event('kick', '{target} was kicked from {channel} by {nick}{any}'),
  ...mirc,
];

/** The Lounge: server/plugins/messageStorage/text.ts of github.com/thelounge/thelounge. */
export const loungeEvents: readonly EventForm[] = [
  ...event('nick', '{nick} changed nick to {to}'),
  ...event('join', '{nick}{host} joined'),
  ...event('part', '{nick}{host} left{why}'),
  ...event('quit', '{nick}{host} quit{why}'),
  ...event('kick', '{target} was kicked by {nick}{why}'),
  ...event('mode', '{nick} set mode {modes}'),
  ...event('topic', "{nick} changed topic to '{any}'"),
  ...event('host', '{nick} changed host to {any}'),
];

/** The Lounge before its pull request 2501, and Shout: src/userLog.js. Each line names the kind of the event. */
export const oldLoungeEvents: readonly EventForm[] = [
  ...event('nick', '{nick}{host} nick {to}'),
  ...['join', 'part', 'quit', 'kick', 'mode', 'topic'].flatMap((name) =>
    event(name, `{nick}{host} ${name}`, `{nick}{host} ${name} {any}`),
  ),
  ...['invite', 'away', 'back', 'ctcp', 'error', 'unhandled', 'whois', 'motd', 'banlist', 'toggle', 'notice'].flatMap(
    (name) => event('info', `{nick}{host} ${name}`, `{nick}{host} ${name} {any}`),
  ),
];

/** Textual: its logs, for the texts of its windows are not in a file that says them in words. */
export const textualEvents: readonly EventForm[] = [
  ...changesOfNick,
  ...yourNick,
  ...event('join', '{nick}{host} joined the channel'),
  ...event('part', '{nick}{host} left the channel{why}'),
  ...event('quit', '{nick}{host} left IRC{why}'),
  ...event('kick', '{nick} kicked {target} from the channel{why}'),
  ...event('mode', '{nick} sets mode {modes}'),
  ...event('topic', '{nick} changed the topic to {any}'),
  ...event(
    'info',
    'Topic is {any}',
    'The topic is {any}',
    'Topic set by {any}',
    'Topic set to {any}',
    'Disconnected{any}',
  ),
];

/** Eggdrop: src/mod/irc.mod/chan.c of github.com/eggheads/eggdrop. */
export const eggdropEvents: readonly EventForm[] = [
  ...event('nick', 'Nick change: {nick} -> {to}'),
  ...event('join', '{nick}{host} joined {channel}.', '{nick}{host} returned to {channel}.'),
  ...event('part', '{nick}{host} left {channel}{why}.', '{nick}{host} left {channel}: {any}'),
  ...event('quit', '{nick}{host} left irc: {any}', '{nick}{host} left irc.', '{nick}{host} got netsplit.'),
  ...event('quit', '{nick}{host} got lost in the net-split.'),
  ...event('kick', '{target} kicked from {channel} by {nick}: {any}', '{target}{host} kicked from {channel} by {any}'),
  ...event('mode', "{channel}: mode change '{any}' by {nick}!{any}", "{channel}: mode change '{any}' by {any}"),
  ...event('topic', 'Topic changed on {channel} by {nick}!{any}', 'Topic changed on {channel} by {any}'),
  ...event('info', 'Topic on {channel}: {any}', '@{any}', 'Last message repeated {any}'),
];

/** LimeChat: Classes/IRC/IRCClient.m of github.com/psychs/limechat. */
export const limechatEvents: readonly EventForm[] = [
  ...event('nick', '{nick} is now known as {to}', 'You are now known as {to}'),
  ...event('join', '{nick} has joined{host}'),
  ...event('part', '{nick} has left{why}'),
  ...event('quit', '{nick} has left IRC{why}', '{nick} has forced {target} to leave IRC{why}'),
  ...event('kick', '{nick} has kicked {target}{why}'),
  ...event('mode', '{nick} has changed mode: {any}', 'Mode: {any}'),
  ...event('topic', '{nick} has set topic: {any}', 'Topic: {any}'),
  ...event(
    'info',
    'You have joined the channel',
    'You have left the channel',
    'You have been kicked out of the channel',
  ),
  ...event('info', '{nick} has invited you to {any}', 'Disconnected', 'Logged in'),
];

/** Pidgin: libpurple's conversation.c and protocols/irc/msgs.c. */
export const pidginEvents: readonly EventForm[] = [
  ...event('nick', '{nick} is now known as {to}', 'You are now known as {to}'),
  ...event('join', '{nick}{host} entered the room.'),
  ...event(
    'part',
    '{nick}{host} left the room.',
    '{nick}{host} left the room ({any}).',
    '{nick} has left the room{any}',
  ),
  ...event('kick', 'You have been kicked by {nick}: {any}', 'Kicked by {nick}{why}'),
  ...event('mode', 'mode ({any}) by {nick}'),
  ...event('topic', '{nick} has changed the topic to: {any}', 'The topic for {channel} is: {any}', 'No topic is set'),
];

/** KVIrc writes nick and host in front of every event. */
export const kvircEvents: readonly EventForm[] = [
  ...event('nick', '{nick}{host} is now known as {to}'),
  ...event('join', '{nick}{host} has joined {channel}'),
  ...event('part', '{nick}{host} has left {channel}{any}'),
  ...event('quit', '{nick}{host} has quit IRC{any}'),
];

/** W3C's RRSAgent sees events as messages of the person, who is named twice. */
export const rrsagentEvents: readonly EventForm[] = [
  ...event('nick', '{nick} is now known as {to}'),
  ...event('join', '{nick} has joined {channel}'),
  ...event('part', '{nick} has left {channel}{any}'),
  ...event('topic', '{nick} has changed the topic to: {any}'),
];

/** Konversation: src/irc/channel.cpp of github.com/KDE/konversation. */
export const konversationEvents: readonly EventForm[] = [
  ...event('nick', '{nick} is now known as {to}.', 'You are now known as {to}.'),
  ...event('join', '{nick}{host} has joined this channel.', '{nick}{host} has joined {channel}.'),
  ...event('part', '{nick}{host} has left this channel{any}', '{nick}{host} has left {channel}{any}'),
  ...event('quit', '{nick}{host} has left this server{any}', '{nick}{host} has quit{any}'),
  ...event('kick', '{target} has been kicked from the channel by {nick}{any}', '{nick} has kicked {target}{any}'),
  ...event('mode', '{nick} gives {any} to {word}', '{nick} takes {any} from {word}', '{nick} sets {any}'),
  ...event('topic', '{nick} sets the channel topic to {any}', 'The channel topic is {any}'),
];

/** ChatZilla. */
export const chatzillaEvents: readonly EventForm[] = [
  ...event('nick', 'YOU ({nick}) are now known as {to}'),
  ...event('join', 'YOU ({nick}) have joined {channel}'),
  ...event('part', 'YOU ({nick}) have left {channel}{any}'),
  ...event('quit', '{nick}{host} has left {any}'),
];

/** BotBot's apps/logs/models.py: `MSG_TMPL`, and the names of other commands. */
export const botbotEvents: readonly EventForm[] = [
  ...event('join', '{nick} joined the channel'),
  ...event('nick', '{nick} is now known as {to}'),
  ...event('quit', '{nick} has quit'),
  ...event('part', '{nick} has left the channel'),
  ...event('info', '-- BotBot disconnected, possible missing messages --'),
  { event: 'topic', pattern: /^TOPIC: .*$/ },
  { event: 'mode', pattern: /^MODE: .*$/ },
  { event: 'kick', pattern: /^KICK: .*$/ },
  { event: 'info', pattern: /^[A-Z\d]{2,20}: .*$/ },
];

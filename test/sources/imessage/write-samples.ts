/** Writes the databases of `samples/imessage`: node test/sources/imessage/write-samples.ts */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { binaryPlist, keyedArchive, typedStream } from './archives.ts';
import { makeDatabase, nanosecondsAt, type Rows, secondsAt } from './messages-database.ts';

type Row = Rows[string][number];

/** A row of a message, and the numbers of the chats that it is in. */
interface MessageRow {
  readonly chats: readonly number[];
  readonly [column: string]: Row[string] | readonly number[] | undefined;
}

/** The nth second of a morning. */
const at = (second: number): bigint => nanosecondsAt(new Date(Date.UTC(2026, 2, 2, 9, 0, second)).toISOString());

const handles: readonly Row[] = [
  { id: '+15555550100', service: 'iMessage', person_centric_id: 'P1', country: 'us' },
  { id: '+15555550100', service: 'SMS', country: 'us' },
  { id: 'ines@example.com', service: 'iMessage', person_centric_id: 'P1' },
  { id: '+447700900123', service: 'iMessage', country: 'gb' },
  { id: 'tomasz@example.com', service: 'iMessage' },
  { id: '07700900123', service: 'SMS', country: 'gb' },
];
const chats: readonly Row[] = [
  { guid: 'iMessage;-;+15555550100', style: 45, chat_identifier: '+15555550100', service_name: 'iMessage' },
  { guid: 'SMS;-;+15555550100', style: 45, chat_identifier: '+15555550100', service_name: 'SMS' },
  { guid: 'iMessage;-;ines@example.com', style: 45, chat_identifier: 'ines@example.com', service_name: 'iMessage' },
  {
    ...{ guid: 'iMessage;+;chat1001', style: 43, chat_identifier: 'chat1001', service_name: 'iMessage' },
    ...{ room_name: 'chat1001', display_name: 'Harbour crew', group_id: 'G1' },
  },
  { guid: 'iMessage;+;chat1002', style: 43, chat_identifier: 'chat1002', service_name: 'iMessage', group_id: 'G2' },
  {
    ...{ guid: 'SMS;-;07700900123', style: 45, chat_identifier: '07700900123', service_name: 'SMS' },
    is_archived: 1,
  },
  { guid: 'iMessage;+;chat1003', style: 43, chat_identifier: 'chat1003', service_name: 'iMessage', group_id: 'G1' },
];
const members: readonly (readonly [number, number])[] = [
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 1],
  [4, 4],
  [4, 5],
  [5, 3],
  [5, 4],
  [5, 5],
  [6, 6],
  [7, 1],
  [7, 4],
];

const polls = 'com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.messages.Polls';

const guid = (name: string): string => `${name}-0000-4000-8000-000000000000`.slice(-36).padStart(36, '0').toUpperCase();
const id = (number: number): string => guid(String(number).padStart(8, '0'));

const edited = binaryPlist({
  otr: { 0: { lo: 0, le: 16 } },
  ec: {
    0: [
      { d: 794_134_804, t: typedStream('Berth six') },
      { d: 794_134_810, t: typedStream('Berth seven, not six') },
    ],
  },
});
const unsent = binaryPlist({ otr: { 0: { lo: 0, le: 4 } }, rp: [0] });
const halfUnsent = binaryPlist({ otr: { 0: { lo: 0, le: 1 }, 1: { lo: 1, le: 4 } }, rp: [0] });

/** Rows of the group, then of chats of two. */
const macMessages: readonly MessageRow[] = [
  { guid: id(1), chats: [4], date: at(0), is_from_me: 1, item_type: 2, group_title: 'Harbour crew' },
  {
    ...{ guid: id(2), chats: [4], date: at(1), handle_id: 4, date_read: at(5) },
    attributedBody: typedStream(['Good morning', { __kIMTextBoldAttributeName: true }], ', the tide is in 🌊'),
  },
  {
    ...{ guid: id(3), chats: [4], date: at(2), is_from_me: 1, is_sent: 1, date_delivered: at(3) },
    attributedBody: typedStream(
      'Does ',
      ['Ines', { __kIMMentionConfirmedMention: 'ines@example.com' }],
      ' have the key?',
    ),
  },
  {
    ...{ guid: id(4), chats: [4], date: at(3), handle_id: 1 },
    attributedBody: typedStream('In my pocket'),
    ...{ thread_originator_guid: id(3), thread_originator_part: '0:0:14' },
  },
  { guid: id(5), chats: [4], date: at(4), handle_id: 5, date_edited: at(10), message_summary_info: edited },
  { guid: id(6), chats: [4], date: at(5), handle_id: 5, date_edited: at(11), message_summary_info: unsent },
  {
    ...{ guid: id(7), chats: [4], date: at(6), handle_id: 4, date_edited: at(12), message_summary_info: halfUnsent },
    attributedBody: typedStream('Left'),
  },
  { guid: id(8), chats: [4], date: at(7), handle_id: 4, attributedBody: typedStream('\ufffc', 'The winch', '\ufffc') },
  {
    ...{
      guid: id(9),
      chats: [4],
      date: at(8),
      is_from_me: 1,
      is_sent: 1,
      text: 'Tide table https://tide.example.com/',
    },
    attributedBody: typedStream('Tide table ', [
      'https://tide.example.com/',
      { __kIMLinkAttributeName: new URL('https://tide.example.com/') },
    ]),
    ...{ balloon_bundle_id: 'com.apple.messages.URLBalloonProvider', payload_data: Buffer.from('bplist00') },
  },
  { guid: id(10), chats: [4], date: at(9), handle_id: 1, text: 'At the same time' },
  { guid: id(11), chats: [4], date: at(9), handle_id: 5, text: 'As this' },
  { guid: id(12), chats: [4], date: at(10), handle_id: 4, item_type: 1, other_handle: 5 },
  { guid: id(13), chats: [4], date: at(11), handle_id: 5, item_type: 3, group_action_type: 0 },
  { guid: id(14), chats: [7], date: at(12), handle_id: 4, text: 'The group goes on under another id' },
  {
    ...{ guid: id(15), chats: [4], date: at(13), handle_id: 1, attributedBody: typedStream('\ufffd') },
    balloon_bundle_id:
      'com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.SafetyMonitorApp.SafetyMonitorMessages',
  },
  {
    guid: id(16),
    chats: [5],
    date: at(14),
    handle_id: 3,
    attributedBody: keyedArchive('Another group, the same people'),
  },
  { guid: id(17), chats: [1], date: at(15), handle_id: 1, text: 'Lunch at twelve?', subject: 'Today' },
  { guid: id(18), chats: [2], date: at(16), handle_id: 2, text: 'By text message', service: 'SMS' },
  { guid: id(19), chats: [3], date: at(17), handle_id: 3, text: 'From the laptop' },
  { guid: id(20), chats: [1, 3], date: at(18), is_from_me: 1, is_sent: 1, text: 'In two chats of one person' },
  { guid: id(21), chats: [1], date: at(19), is_from_me: 1, text: 'Never arrived', error: 22 },
  { guid: id(22), chats: [6], date: at(20), handle_id: 6, text: 'You have won', service: 'SMS', is_spam: 1 },
  {
    ...{ guid: id(23), chats: [1], date: at(21), handle_id: 1, associated_message_type: 2007 },
    ...{ associated_message_guid: `p:0/${id(20)}`, attributedBody: typedStream('\ufffc') },
  },
  { guid: id(24), chats: [], date: at(22), handle_id: 1, text: 'Thrown away' },
  {
    ...{ guid: id(25), chats: [1], date: at(23), handle_id: 1, text: 'With lasers' },
    expressive_send_style_id: 'com.apple.messages.effect.CKLasersEffect',
  },
  {
    ...{ guid: id(26), chats: [4], date: at(24), handle_id: 1, attributedBody: typedStream('\ufffd') },
    ...{ balloon_bundle_id: polls, payload_data: Buffer.from('bplist00') },
  },
  {
    ...{ guid: id(27), chats: [1], date: at(25), is_from_me: 1, text: 'Happy birthday' },
    ...{ schedule_type: 2, schedule_state: 2 },
  },
];

const reaction = (number: number, second: number, about: Row): MessageRow => ({
  ...{ guid: id(number), chats: [4], date: at(second) },
  ...about,
});
const reactions = [
  reaction(31, 30, {
    is_from_me: 1,
    is_sent: 1,
    associated_message_type: 2000,
    associated_message_guid: `p:0/${id(2)}`,
  }),
  reaction(32, 31, { handle_id: 1, associated_message_type: 2000, associated_message_guid: `p:0/${id(2)}` }),
  reaction(33, 32, {
    ...{ handle_id: 5, associated_message_type: 2006, associated_message_emoji: '⚓' },
    associated_message_guid: `p:0/${id(2)}`,
  }),
  reaction(34, 33, { handle_id: 4, associated_message_type: 3001, associated_message_guid: `bp:${id(9)}` }),
  reaction(35, 34, { handle_id: 4, associated_message_type: 2003, associated_message_guid: `p:0/${id(99)}` }),
  reaction(36, 35, {
    ...{ handle_id: 4, associated_message_type: 4000, associated_message_guid: id(26) },
    ...{ balloon_bundle_id: polls, payload_data: Buffer.from('bplist00') },
  }),
];

const attachments: readonly Row[] = [
  {
    ...{ guid: 'A1', filename: '~/Library/Messages/Attachments/ab/11/A1/winch.jpg', mime_type: 'image/jpeg' },
    ...{ transfer_name: 'winch.jpg', total_bytes: 11 },
  },
  {
    ...{ guid: 'A2', filename: '~/Library/Messages/Attachments/cd/12/A2/Audio Message.caf', mime_type: 'audio/x-caf' },
    ...{ transfer_name: 'Audio Message.caf', total_bytes: 4711 },
  },
  {
    ...{ guid: 'A3', filename: '~/Library/Messages/Attachments/ef/13/A3/anchor.heic', mime_type: 'image/heic' },
    ...{ transfer_name: 'anchor.heic', total_bytes: 900, is_sticker: 1 },
  },
  { guid: 'A4', filename: '~/Library/Messages/Attachments/01/14/A4/x.pluginPayloadAttachment', hide_attachment: 1 },
];

function rowsOf(messages: readonly MessageRow[]): Rows {
  return {
    message: messages.map(({ chats: _, ...row }) => ({ service: 'iMessage', ...row }) as Row),
    chat_message_join: messages.flatMap(({ chats: ids, date }, index) =>
      ids.map((chat_id): Row => ({ chat_id, message_id: index + 1, message_date: date as bigint })),
    ),
  };
}

function writeMac(root: string): void {
  const folder = `${root}/mac/export`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/Attachments/ab/11/A1`, { recursive: true });
  writeFileSync(`${folder}/Attachments/ab/11/A1/winch.jpg`, 'not a photo');
  makeDatabase(`${folder}/chat.db`, {
    handle: handles,
    chat: chats,
    chat_handle_join: members.map(([chat_id, handle_id]) => ({ chat_id, handle_id })),
    ...rowsOf([...macMessages, ...reactions]),
    chat_recoverable_message_join: [{ chat_id: 1, message_id: 24 }],
    attachment: attachments,
    message_attachment_join: [
      { message_id: 8, attachment_id: 1 },
      { message_id: 8, attachment_id: 2 },
      { message_id: 9, attachment_id: 4 },
      { message_id: 23, attachment_id: 3 },
    ],
  });
}

/** Tables of a phone of 2012, as far as a copy of it has them. */
const oldTables = `
CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, handle_id INTEGER, date INTEGER, is_from_me INTEGER);
CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT, chat_identifier TEXT, display_name TEXT);
CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT);
CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER);`;

function writeOldPhone(root: string): void {
  const path = `${root}/old-phone/export.db`;
  mkdirSync(`${root}/old-phone`, { recursive: true });
  rmSync(path, { force: true });
  const date = secondsAt('2012-06-03T18:20:00Z');
  const rows: Rows = {
    handle: [{ id: '+15555550111' }],
    chat: [
      { guid: 'iMessage;-;+15555550111', chat_identifier: '+15555550111' },
      { guid: 'iMessage;+;chat7', chat_identifier: 'chat7', display_name: 'Pier talk' },
    ],
    message: [
      { guid: 'm1', text: 'Is the *gate* open?', handle_id: 1, date, is_from_me: 0 },
      { guid: 'm2', text: 'From six on', handle_id: 0, date: date + 1, is_from_me: 1 },
      { guid: 'm3', text: 'Who is that?', handle_id: 0, date: date + 2, is_from_me: 0 },
      { guid: 'm4', text: 'Hello pier', handle_id: 0, date: date + 3, is_from_me: 0 },
    ],
    chat_message_join: [
      { chat_id: 1, message_id: 1 },
      { chat_id: 1, message_id: 2 },
      { chat_id: 1, message_id: 3 },
      { chat_id: 2, message_id: 4 },
    ],
  };
  makeDatabase(path, rows, oldTables);
}

function writeDamaged(root: string): void {
  const folder = `${root}/damaged-rows/export`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/notes.txt`, 'Copied on Monday\n');
  writeFileSync(`${folder}/sms.db`, 'Sign in to download\n');
  const damaged = [
    { guid: id(41), chats: [1], date: at(0), handle_id: 1, text: 'Whole' },
    { guid: id(42), chats: [], date: at(1), handle_id: 1, text: 'In no chat' },
    { guid: id(43), chats: [1], date: 0n, handle_id: 1, text: 'Without a time' },
    { guid: id(44), chats: [1], date: at(2), handle_id: 1, attributedBody: typedStream('Cut off').subarray(0, 60) },
    {
      ...{ guid: id(45), chats: [1], date: at(3), handle_id: 1, text: 'Its text is also in the other column' },
      attributedBody: Buffer.from('no archive'),
    },
    {
      ...{ guid: id(46), chats: [1], date: at(4), handle_id: 1, associated_message_type: 4321 },
      associated_message_guid: `p:0/${id(41)}`,
    },
    { guid: id(47), chats: [1], date: at(5), handle_id: 1, text: 'Marked as damaged', is_corrupt: 1 },
  ];
  makeDatabase(`${folder}/chat.db`, {
    handle: handles.slice(0, 1),
    chat: chats.slice(0, 1),
    chat_handle_join: [{ chat_id: 1, handle_id: 1 }],
    ...rowsOf(damaged),
  });
}

/** @param root Folder of the samples. */
export function writeSamples(root: string): void {
  writeMac(root);
  writeOldPhone(root);
  writeDamaged(root);
}

if (import.meta.main) writeSamples('samples/imessage');

import { gzipSync } from 'node:zlib';
import type { MemoryFiles } from '../../contracts/memory-input.ts';

/** Lines of JSON. */
const lines = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const bytes = (text: string) => Buffer.from(text, 'latin1');
const database = (schema: string) => bytes(`SQLite format 3\0${'\0'.repeat(84)}${schema}`);

const slackMessage = { type: 'message', user: 'U01ABCDEF', text: 'Morning', ts: '1700000000.000100' };
const chunk = { ts: 1700000000000000000, id: 'C01ABCDEF', n: 1 };
const metaHtml =
  '<html><body><div>Participants: Ann, Ben</div><div>Ann</div><div>Hi</div><div>Oct 19, 2023, 2:37 PM</div></body></html>';

/** By platform and layout: exports that show each of a signature's marks. */
export const made: Readonly<Record<string, readonly MemoryFiles[]>> = {
  'Slack: a conversation as slackdump dumps it': [
    { 'C01ABCDEF.json': { channel_id: 'C01ABCDEF', name: 'general', messages: [slackMessage] } },
  ],
  'Slack: an archive of slackdump, chunks or database': [
    { 'C01ABCDEF.json.gz': bytes('\x1f\x8b'), 'workspace.json.gz': bytes('\x1f\x8b') },
    { 'a.json': lines({ t: 0, ...chunk, m: [slackMessage] }) },
    { 'a.json': lines({ t: 3, ...chunk, u: [{ id: 'U1', team_id: 'T1' }] }) },
    { 'a.json': lines({ t: 4, ...chunk, ch: [{ id: 'C1', created: 1 }] }) },
    { 'a.json': lines({ t: 5, ...chunk, ci: { id: 'C1', created: 1 } }) },
    { 'slackdump.sqlite': database('') },
    { 'a.db': database('CREATE TABLE S_USER (ID TEXT); CREATE TABLE CHUNK (ID TEXT)') },
  ],
  'Slack: messages alone: a folder or file of an export, or answers of the API': [
    { 'history.json': { ok: true, messages: [slackMessage] } },
    { '2023-11-14.json': [slackMessage] },
    { 'thread.json': [{ user: 'U01ABCDEF', text: 'Morning', ts: '1700000000.000100' }] },
    { 'thread.json': { messages: [{ user: 'U01ABCDEF', text: 'Morning', ts: '1700000000.000100' }] } },
  ],
  'Discord: a channel, text of DiscordChatExporter': [
    { 'a.txt': `${'='.repeat(62)}\nGuild: G\nChannel: c\n${'='.repeat(62)}\n` },
  ],
  'Discord: a transcript that a bot made: HTML of discord-html-transcripts or chat-exporter': [
    {
      't.html': '<html><body><discord-messages><discord-message>Hi</discord-message></discord-messages></body></html>',
    },
    {
      't.html':
        '<div class="chatlog__message-container" data-message-id="1"><span class="chatlog__author-name">nova</span></div>',
    },
  ],
  'Discord: messages of a data package, without the folders around them': [
    {
      'messages.json':
        '[{"ID": 1234567890123456789, "Timestamp": "2023-11-14 22:13:20", "Contents": "Hi", "Attachments": ""}]',
    },
  ],
  'WhatsApp: a database or backup of the app': [{ 'Databases/msgstore.db.crypt15': bytes('\x01\x02') }],
  'LiveChat: chats of the REST API of version 2': [
    {
      'chats.json': {
        chats: [
          { type: 'chat', id: 'MH022', visitor_name: 'Ann', visitor_id: 'S13.49b', agents: [], rate: 'not_rated' },
        ],
        total: 1,
        pages: 1,
      },
    },
  ],
  'Facebook Messenger: HTML of the download of your information': [
    { 'your_activity_across_facebook/messages/inbox/ann_1/message_1.html': '<html>' },
  ],
  'Instagram: HTML of the download of your information': [
    { 'your_instagram_activity/messages/inbox/ann_1/message_1.html': '<html>' },
  ],
  'Instagram or Facebook Messenger: HTML of the download of your information': [{ 'message_1.html': metaHtml }],
  'Signal: a database or backup of the app': [
    { 'sql/db.sqlite': bytes('\x93\x81'), 'config.json': '{}' },
    { 'signal-2023-11-14-22-13-20.backup': bytes('\x00\x00') },
  ],
  'iMessage: a chat as imessage-exporter writes it': [
    {
      'Ann.txt':
        'Dec 24, 2023  6:30:05 PM\nAnn\nHi\n\nDec 24, 2023  6:31:05 PM (Read by you after 1 minute)\nMe\nHello\n\n',
    },
    {
      'Ann.html':
        '<div class="message"><div class="sent iMessage"><p><span class="timestamp">Dec 24</span></p></div></div>',
    },
  ],
  'Viber: the database of the desktop app, encrypted': [{ 'viber.db': 'no database' }],
  'Viber: the message history that the app sends by mail': [
    { 'Ann Ray.csv': '25/03/2019,18:04:05,Ann Ray,+15555550101,Hi\n25/03/2019,18:05:00,Me,+15555550100,Ho\n' },
    {
      'Ann Ray.csv':
        '="25/03/2019"\t18:04:05\t="Ann Ray"\t="+15555550101"\t"Hi"\n="25/03/2019"\t18:05:00\t="Me"\t="+15555550100"\t"Ho"\n',
    },
  ],
  'Rocket.Chat: a room as "Export messages" writes it, or the data download of a user': [
    { 'a.json': lines({ msg: 'Hi', username: 'User_1', ts: '2023-11-14T22:13:20Z' }) },
    { 'a.json': lines({ msg: 'Hi', username: 'ann', ts: '2023-11-14T22:13:20Z' }), 'assets/a.png': '' },
  ],
  'Matrix: a room, HTML or text of Element': [
    { 'matrix - R - Chat Export - 2023-11-14T22-13-20.000Z.txt': 'Nov 14 - Ann: Hi' },
    { 'messages.html': '<div class="mx_MatrixChat_wrapper"><div class="mx_EventTile"></div></div>' },
  ],
  'Adium: a log, XML or HTML': [
    {
      'ann (2026-03-02).xml':
        '<?xml version="1.0" encoding="UTF-8" ?>\n<chat xmlns="http://purl.org/net/ulf/ns/0.4-02" account="ben" service="IRC"><message sender="ann" time="2026-03-02T09:15:00+01:00" alias="Ann"><div>Hi</div></message></chat>',
    },
    {
      'ann (2026-03-02).AdiumHTMLLog':
        '<div class="receive"><span class="timestamp">9:15:00 AM</span> <span class="sender">ann: </span><pre class="message">Hi</pre></div>\n',
    },
  ],
  'Pidgin: a log in HTML': [
    {
      '2026-03-02.091455+0100CET.html':
        '<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"><title>Conversation with ann@example.com at Mon 02 Mar 2026 09:14:55 AM CET on ines@example.com (jabber)</title></head><body><h3>Conversation with ann@example.com at Mon 02 Mar 2026 09:14:55 AM CET on ines@example.com (jabber)</h3>\n<font color="#A82F2F"><font size="2">(09:15:00 AM)</font> <b>ann:</b></font> Hi<br/>\n',
    },
  ],
  'Slack: pages of slack-export-viewer': [
    {
      'harbour.html':
        '<div class="message-container"><div id="1"><div class="user_icon"></div><div class="message"><div class="username">ann </div><a href="#1"><div class="time">2026-03-02 09:15:00</div></a><div class="msg">Hi</div></div></div></div>',
    },
  ],
  'XMPP: a dump of the database of ejabberd or Prosody': [
    {
      'ejabberd.sql':
        "CREATE TABLE `archive` (\n  `username` varchar(191) NOT NULL,\n  `bare_peer` varchar(191) NOT NULL,\n  `xml` mediumtext\n);\nINSERT INTO `archive` VALUES ('ann','bo@example.com','<message/>');\n",
    },
    {
      'prosody.sql':
        'CREATE TABLE public.prosodyarchive (\n    sort_id integer NOT NULL,\n    host text,\n    value text\n);\n',
    },
  ],
  'HipChat: the export of a group: history.json of rooms and people': ['UserMessage', 'PrivateUserMessage'].map(
    (kind) => ({
      'rooms/1/history.json': [
        {
          [kind]: { id: '1', sender: { id: 1, name: 'Ann' }, message: 'Hi', timestamp: '2017-11-14T22:13:20Z 123456' },
        },
      ],
    }),
  ),
  'Applozic, Kommunicate: messages of a person, as the API lists them': [
    {
      'ines.json': {
        message: [
          {
            key: '5-35c2957b-1452080064726',
            to: 'bo',
            message: 'Hi',
            createdAtTime: 1452080064000,
            type: 5,
            contentType: 0,
          },
        ],
      },
    },
  ],
  'DynamoDB: a table of AWS Data Pipeline, separated by control characters': [
    { 'part-00000': bytes('id\x03{"s":"m1"}\x02at\x03{"n":"1772442900000"}\n') },
  ],
  'Firestore: a managed export (gcloud firestore export)': [
    {
      '2026-03-02.overall_export_metadata': bytes('\x0a\x04'),
      'all_namespaces/all_kinds/output-0': bytes('\x1a\x02'),
    },
  ],
  'Layer: an export that is still encrypted': [
    { '09c97940-d9a8-11e5-921b-0242ac110029-2016022221.tar.gz.enc': bytes('\x9c\x01\xfe\x00') },
  ],
  'Layer: a decrypted export, or saved answers of its APIs': [
    {
      'export.json': {
        messages: [
          {
            id: 'layer:///messages/940d',
            conversation: { id: 'layer:///conversations/e67b' },
            parts: [{ mime_type: 'text/plain', body: 'Hi' }],
            sender: { user_id: 'ines' },
            sent_at: '2018-09-09T04:44:47Z',
          },
        ],
      },
    },
    { 'list.json': [{ id: 'layer:///conversations/e67b', participants: ['ines', 'bo'], distinct: true }] },
    { 'list.json': [{ id: 'layer:///identities/ines', user_id: 'ines', display_name: 'Ines' }] },
  ],
  'Pusher Chatkit: its data export, or saved answers of its API': [
    {
      'export/messages.ndjson':
        '{"id":42,"sender_id":"ines","room_id":"harbour","created_at":"2020-03-25T12:52:59Z","updated_at":"2020-03-25T12:52:59Z","parts":[{"part_type":"inline","payload":{"type":"text/plain","content":"Hello"}}]}',
    },
    {
      'harbour.json': [
        {
          ...{ id: 42, user_id: 'ines', room_id: 'harbour' },
          ...{ created_at: '2020-03-25T12:52:59Z', updated_at: '2020-03-25T12:52:59Z' },
          parts: [{ type: 'text/plain', content: 'Hello' }],
        },
      ],
    },
    ...['member_ids', 'member_user_ids'].map((members) => ({
      'rooms.json': [{ id: 'harbour', created_by_id: 'ines', name: 'Harbour', private: false, [members]: ['ines'] }],
    })),
  ],
  'Gitter: messages of its API, JSON': [
    {
      'a.json': [
        {
          ...{ id: '1', text: 'Hi', html: 'Hi', sent: '2017-11-14T22:13:20.123Z' },
          fromUser: { id: '2', username: 'ann', displayName: 'Ann' },
        },
      ],
    },
  ],
  'Zoom: the chat of a meeting, text': [
    { 'meeting_saved_chat.txt': '09:15:00 From Ann to Everyone:\r\n\tWho is there?\r\n' },
    { 'chat.txt': '00:58:04\tAnn:\tWho is there?\n00:58:20\tBen:\tI am\n' },
  ],
  'DynamoDB: a table in the format Amazon Ion': [{ 'data/a.ion.gz': gzipSync('$ion_1_0 {Item:{id:"m1"}}') }],
  'Parquet: a table under a name that does not end in ".parquet"': [{ 'part-0': bytes('PAR1') }],
  'Avro: a table': [{ 'a.avro': bytes('Obj\x01') }, { 'part-0': bytes('Obj\x01') }],
  'Excel: a workbook under a name that does not end in ".xlsx"': [
    { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>', 'xl/worksheets/sheet1.xml': '' },
    { 'a.xlsx.gz': gzipSync('PK\x03\x04') },
  ],
  'Excel: an older or binary workbook (.xls, .xlsb), or OpenDocument (.ods)': [
    { 'a.xlsb': bytes('PK\x03\x04'), 'b.txt': '' },
    { 'a.xls': bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') },
    { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '' },
  ],
  'SQL dump: in a form that is not SQL: the custom, directory or tar format of pg_dump, or that of MySQL Shell': [
    { 'a.dump': bytes('PGDMP\x01\x0e') },
    { 'toc.dat': bytes('PGDMP\x01\x0e'), '3001.dat': '1\tann\n' },
    { '@.json': '{"dumper": "mysqlsh"}', 'app@messages@@0.tsv.zst': bytes('\x28\xb5\x2f\xfd') },
  ],
  'Mail: a mailbox (mbox) or messages (.eml)': [
    {
      'a.mbox': 'From ann@example.com Tue Nov 14 22:13:20 2023\nFrom: Ann <ann@example.com>\nSubject: Hi\n\nMorning\n',
    },
    { 'a.eml': 'From: Ann <ann@example.com>\nMessage-ID: <1@example.com>\n\nMorning\n' },
  ],
};

/** Tables that people made themselves, some with a word or two in common with a platform: none belongs to a platform. */
export const ordinary: readonly MemoryFiles[] = [
  { 'messages.csv': 'id,room,author,sent_at,body\n1,general,ann,2023-11-14T22:13:20Z,Morning\n' },
  { 'log.csv': 'date,time,sender,phone,message\n14/11/2023,22:13,Ann,+4912345,"Hi, you"\n' },
  { 'messages.csv': 'ID,Timestamp,Contents\n1,2023-11-14 22:13:20,Morning\n' },
  { 'chat.txt': 'when\twho\twhat\n2023-11-14 22:13:20\tann\tMorning\n' },
  { 'app.txt': '[2023-11-14 22:13:20] ann: Morning\n[2023-11-14 22:13:21] ben: Hi\n' },
  { 'app.txt': '2023-11-14 22:13:20 - INFO: started\n2023-11-14 22:13:21 - INFO: ready\n' },
  { 'app.txt': '[11/14/2023, 10:13:20 PM] started\n[11/14/2023, 10:13:21 PM] ready\n' },
  { 'messages.json': [{ id: 1, type: 'message', date: '2023-11-14', from: 'ann', text: 'Morning' }] },
  { 'messages.json': { messages: [{ id: 1, sender_name: 'Ann', timestamp: 1700000000, content: 'Morning' }] } },
  {
    'messages.json': {
      channel: { id: 1, name: 'general' },
      messages: [{ id: 1, user: 'ann', text: 'Hi', ts: 1700000000 }],
    },
  },
  { 'rooms.json': { type: 'group', id: 5, messages: [{ id: 1, text: 'Hi', from: 'ann', date: '2023-11-14' }] } },
  { 'log.jsonl': lines({ type: 'message', item: { id: '1', role: 'assistant', content: 'Hi' } }) },
  { 'log.jsonl': lines({ type: 'user', data: { id: 1, role: 'user' } }, { type: 'message', data: { id: 2 } }) },
  { 'events.json': [{ type: 'message', sender: 'ann', content: 'Hi', origin_server_ts: 1 }] },
  { 'forum.json': [{ topic_id: 1, message_id: 2, creator: 'ann', body: 'Hi' }] },
  { 'compact.json': lines({ t: 1, ts: '1700000000000000000', u: 'ann', m: 'Hi' }) },
  {
    'mongo.json': lines({
      _id: { $oid: '65' },
      room: 'a',
      user: 'ann',
      text: 'Hi',
      ts: { $date: '2023-11-14T22:13:20Z' },
    }),
  },
  { 'support.json': [{ sid: 'IM1', author: 'ann', body: 'Hi', date_created: '2023-11-14T22:13:20Z' }] },
  { 'tickets.json': [{ id: 1, type: 'ticket', source: 'mail', comments: [{ author: 'ann', body: 'Hi' }] }] },
  { 'messages.csv': 'id,body\n1,"From ann@example.com Tue Nov 14 2023"\n2,"-- MySQL dump"\n' },
  {
    'quoted.json': [
      { id: 1, text: '{"guild": {"id": 1, "name": "a"}, "channel": {"id": 1}}, "type": "personal_chat"' },
    ],
  },
];

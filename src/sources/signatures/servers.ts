import { asJson, ownRecords, type Signature } from './signature.ts';

/** Servers that people run themselves. */
export const servers: readonly Signature[] = [
  {
    platform: 'Rocket.Chat',
    layout: 'a room as "Export messages" writes it, or the data download of a user',
    marks: [
      { objects: [{ at: '', keys: ['msg', 'username', 'ts'], values: { username: /^User_\d+$/ } }] },
      {
        beside: [/(?:^|\/)assets\//],
        objects: [{ at: '', keys: ['msg', 'username', 'ts'], values: { ts: /^\d{4}-\d\d-\d\dT/ } }],
      },
    ],
    advice: `${asJson('ts, username, msg, and the room as a constant')}. It has neither ids nor replies: "mongoexport --collection rocketchat_message" has both, and the source "rocketchat" reads it`,
  },
  {
    platform: 'Matrix',
    layout: 'a room, HTML or text of Element',
    marks: [
      {
        files: /\.(?:html|txt)$/i,
        folders: / - chat export - \d{4}-\d\d-\d\d/i,
        shows: 'the name that Element gives',
      },
      {
        files: /\.html$/i,
        text: [/class="[^"]*mx_(?:MatrixChat|RoomView|EventTile|Export)/],
        shows: 'classes that begin with "mx_"',
      },
    ],
    advice: 'Export it again with the format JSON, which is read',
  },
  {
    platform: 'XMPP',
    layout: 'data of a server, XEP-0227',
    marks: [
      {
        files: /\.xml$|(?:^|\/)[^./]+$/i,
        text: [/xmlns=['"]urn:xmpp:pie:0['"]/],
        shows: 'the namespace "urn:xmpp:pie:0"',
      },
    ],
    advice: `${ownRecords}. If the server keeps its archive in SQL (ejabberd, Prosody), query it into CSV and pass that; ejabberd keeps each direct message twice, once for each person: select only the messages that the owner of the archive sent, "select * from archive where xml like concat('%from=''', username, '@%') or xml like concat('%from=''', username, '/%')"`,
  },
  {
    platform: 'XMPP',
    layout: 'the files of a Prosody server',
    marks: [{ files: /(?:^|\/)[^/]+\.list$/, text: [/^item\(\{/], shows: 'items of its message store' }],
    advice: `${ownRecords}. With the SQL store of Prosody, query "prosodyarchive" into CSV and pass that`,
  },
];

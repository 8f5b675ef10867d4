import { docsLink } from '../../lib/docs-link.ts';
import { asJson, type Signature } from './signature.ts';

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
    layout: 'a dump of the database of ejabberd or Prosody',
    marks: [
      {
        files: /\.sql$/i,
        text: [/create table [^\n]*\barchive\b/i, /\bbare_peer\b/],
        shows: 'the table "archive" of ejabberd',
      },
      {
        files: /\.sql$/i,
        text: [/create table [^\n]*\bprosodyarchive\b/i],
        shows: 'the table "prosodyarchive" of Prosody',
      },
    ],
    advice: `Its columns do not say who wrote a message, only the stanzas in them do. Load the dump into a server, and query the table into CSV as ${docsLink('reference/sources/xmpp')} says: that is read`,
  },
];

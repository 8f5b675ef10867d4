import { asJson, type Signature } from './signature.ts';

const slackTime = /^\d{9,10}\.\d{6}$/;

/** Advice for output of the slackdump tool that is not in the layout of Slack's own exports. */
const slackdump =
  'Let slackdump write a format that is read: "slackdump convert -f export -o FOLDER ARCHIVE", or use "slackdump export" instead';

/** Chats of teams and communities. */
export const teams: readonly Signature[] = [
  {
    platform: 'Slack',
    layout: 'a conversation as slackdump dumps it',
    marks: [
      {
        objects: [
          { at: '', keys: ['channel_id', 'messages'] },
          { at: '/messages/*', keys: ['ts'], values: { ts: slackTime } },
        ],
      },
    ],
    advice: slackdump,
  },
  {
    platform: 'Slack',
    layout: 'pages of slack-export-viewer',
    marks: [
      {
        files: /\.html?$/i,
        text: [/<div class="message-container[ "]/, /<div class="username">/, /<div class="msg">/],
        shows: 'the classes "message-container", "username" and "msg"',
      },
    ],
    advice: 'They were made from an export in JSON: pass that',
  },
  {
    platform: 'Slack',
    layout: 'an archive of slackdump, chunks or database',
    marks: [
      {
        files: /(?:^|\/)[CDG][A-Z0-9]{8,}(?:-\d+\.\d+)?\.json\.gz$/,
        beside: [/(?:^|\/)(?:workspace|channels|users)\.json\.gz$/],
        shows: 'chunks of conversations next to those of the workspace',
      },
      ...Object.entries({ '/m/*': 'ts', '/u/*': 'team_id', '/ch/*': 'created', '/ci': 'created' }).map(([at, key]) => ({
        objects: [
          { at: '', keys: ['t', 'ts'], values: { t: /^\d{1,2}$/, ts: /^\d{19}$/ } },
          { at, keys: [key] },
        ],
      })),
      { files: /(?:^|\/)slackdump\.sqlite$/, bytes: [/^SQLite format 3\0/], shows: 'a database' },
      {
        files: /\.(?:sqlite3?|db)$/i,
        bytes: [/^SQLite format 3\0/, /CREATE TABLE\W+S_USER\b/i, /CREATE TABLE\W+CHUNK\b/i],
        shows: 'a database with the tables "CHUNK" and "S_USER"',
      },
    ],
    advice: slackdump,
  },
  {
    platform: 'Slack',
    layout: 'messages alone: a folder or file of an export, or answers of the API',
    marks: ['', '/messages/*'].flatMap((at) => [
      { objects: [{ at, keys: ['type', 'ts', 'text'], values: { type: /^message$/, ts: slackTime } }] },
      { objects: [{ at, keys: ['user', 'ts', 'text'], values: { user: /^[UW][A-Z0-9]{6,}$/, ts: slackTime } }] },
    ]),
    advice:
      'Pass the whole export, as folder or ZIP. Files that were saved one by one are read if they have the layout of an export: users.json, channels.json and CHANNEL/2024-03-01.json, each a list',
  },
  {
    platform: 'Discord',
    layout: 'a channel, text of DiscordChatExporter',
    marks: [
      { files: /\.txt$/i, text: [/^=+\r?\nGuild: .*\r?\nChannel: /], shows: 'a head with "Guild:" and "Channel:"' },
    ],
    advice: 'Export it again with "--format Json", which is read',
  },
  {
    platform: 'Discord',
    layout: 'a transcript that a bot made: HTML of discord-html-transcripts or chat-exporter',
    marks: [
      { files: /\.html?$/i, text: [/<discord-messages?[\s>]/], shows: 'elements "discord-message"' },
      {
        files: /\.html?$/i,
        text: [/class="chatlog__author-name"/, /class="chatlog__message-container"/],
        shows: 'the class "chatlog__author-name"',
      },
    ],
    advice:
      'Its times have no zone or no ids. Export the channel with DiscordChatExporter and "--format Json", which is read',
  },
  {
    platform: 'Discord',
    layout: 'messages of a data package, without the folders around them',
    marks: [
      {
        files: /^(?:[^/]+\/)?[^/]+\.json$/i,
        objects: [{ at: '', keys: ['ID', 'Timestamp', 'Contents', 'Attachments'] }],
      },
    ],
    advice: 'Pass the whole package, as folder or ZIP: the name of the folder is the id of the channel',
  },
  {
    platform: 'HipChat',
    layout: 'the export of a group: history.json of rooms and people',
    marks: ['UserMessage', 'PrivateUserMessage'].map((kind) => ({
      objects: [
        { at: '', keys: [kind] },
        { at: `/${kind}`, keys: ['sender', 'message', 'timestamp'] },
      ],
    })),
    advice: `Convert it to one object per line, and read that as JSON: jq -c '.[] | .UserMessage // .PrivateUserMessage // empty | .room = input_filename | .timestamp |= split(" ")[0]' rooms/*/history.json > messages.ndjson`,
  },
  {
    platform: 'Gitter',
    layout: 'messages of its API, JSON',
    marks: [
      {
        objects: [
          { at: '**', keys: ['id', 'text', 'html', 'sent', 'fromUser'] },
          { at: '**/fromUser', keys: ['id', 'username', 'displayName'] },
        ],
      },
    ],
    advice: asJson(
      'id, sent (iso), fromUser.id, fromUser.displayName, text (markdown), parentId, and the room as a constant',
    ),
  },
  {
    platform: 'Zoom',
    layout: 'the chat of a meeting, text',
    marks: [
      {
        files: /\.txt$/i,
        lines: { pattern: /^\d\d:\d\d:\d\d\s+From\s+\S.*:/, atLeast: 1 },
        shows: 'lines like "09:15:00 From Ann to Everyone:"',
      },
      {
        files: /\.txt$/i,
        lines: { pattern: /^\d\d:\d\d:\d\d\t[^\t]+:\t/, atLeast: 2 },
        shows: 'lines of a time, a name with a colon and a text, with tabs between',
      },
    ],
    advice: `Zoom has no other format, and the text has times without a day. Write it as CSV with columns for time, author and text, the day of the meeting before each time, and pass that to "chatferry init"`,
  },
];

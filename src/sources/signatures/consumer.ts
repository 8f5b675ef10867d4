import { ownRecords, type Signature } from './signature.ts';

/** Chat apps for people's phones. */
export const consumer: readonly Signature[] = [
  {
    platform: 'WhatsApp',
    layout: 'a database or backup of the app',
    marks: [{ files: /(?:^|\/)msgstore[^/]*\.db(?:\.crypt\d+)?$/i, shows: "the name of the app's database" }],
    advice: 'Backups are encrypted. Export the chats one by one in the app ("Export chat"), and pass those',
  },
  {
    platform: 'Signal',
    layout: 'a database or backup of the app',
    marks: [
      { files: /(?:^|\/)sql\/db\.sqlite$/i, shows: "the name of the app's database" },
      { files: /(?:^|\/)signal-\d{4}(?:-\d\d){5}\.backup$/i, shows: 'the name of a backup' },
    ],
    advice:
      'It is encrypted. Pass what Signal Desktop exports as plain text, or what signal-export writes from it (--source signal)',
  },
  {
    platform: 'iMessage',
    layout: 'a chat as imessage-exporter writes it',
    marks: [
      {
        files: /\.txt$/i,
        lines: { pattern: /^[A-Z][a-z]{2} \d\d, \d{4} {1,2}\d{1,2}:\d\d:\d\d [AP]M(?: \(Read .*)?$/, atLeast: 2 },
        shows: 'lines like "Dec 24, 2023  6:30:05 PM"',
      },
      {
        files: /\.html$/i,
        text: [/class="sent iMessage"/, /class="timestamp"/],
        shows: 'the classes "sent iMessage" and "timestamp"',
      },
    ],
    advice: 'Pass the database from which it was written (chat.db) instead',
  },
  {
    platform: 'Adium',
    layout: 'a log, XML or HTML',
    marks: [
      {
        files: /\.(?:xml|chatlog)$/i,
        text: [/<chat\s[^>]{0,500}http:\/\/purl\.org\/net\/ulf\/ns\/0\.4-02/],
        shows: 'the namespace of the Unified Logging Format',
      },
      { files: /\.AdiumHTMLLog$/i, shows: 'the name that Adium gives' },
    ],
    advice: `Adium writes no other format. ${ownRecords}`,
  },
  {
    platform: 'Pidgin',
    layout: 'a log in HTML',
    marks: [
      {
        files: /\.html?$/i,
        text: [/<title>Conversation with .{1,300} at .{4,80} on .{1,300} \([\w-]{1,40}\)<\/title>/],
        shows: 'a title such as "Conversation with … at … on … (jabber)"',
      },
    ],
    advice: `Logs of IRC are read under the names that Pidgin gives them (--source irc); those of other protocols are not. ${ownRecords}`,
  },
  {
    platform: 'Viber',
    layout: 'the database of the desktop app, encrypted',
    marks: [
      {
        files: /(?:^|\/)viber\.db$/i,
        bytes: [/^(?!SQLite format 3\0)[\s\S]/],
        shows: 'a file of this name that is no database by its first bytes',
      },
    ],
    advice: 'Newer versions of the app encrypt it. Pass a copy that is decrypted (--source viber)',
  },
  {
    platform: 'Viber',
    layout: 'the message history that the app sends by mail',
    marks: [
      {
        files: /\.csv$/i,
        lines: {
          pattern: /^\uFEFF?\d\d\/\d\d\/\d{4},\d\d:\d\d:\d\d,[^,]{1,200},\+?\d{0,20},/,
          atLeast: 2,
        },
        text: [/^\uFEFF?\d\d\/\d\d\/\d{4},\d\d:\d\d:\d\d,Me,/m],
        shows: 'lines like "25/03/2019,18:04:05,Me,+15555550100,…"',
      },
      {
        files: /\.csv$/i,
        lines: {
          pattern: /^\uFEFF?="\d\d\/\d\d\/\d{4}"\t\d\d:\d\d:\d\d\t="[^"\t]{1,200}"\t="\+?\d{0,20}"\t/,
          atLeast: 2,
        },
        shows: 'lines like "="25/03/2019" 18:04:05 ="Me" ="+15555550100" …"',
      },
    ],
    advice:
      'Pass the database of the desktop app (--source viber). Without it read each file as a table (--source csv) with a mapping: "column 1" and "column 2" are day and time, "column 4" is who wrote, "column 3" the name, "column 5" the text; the file is the conversation. Day and month may be in another order on your phone',
  },
];

import { type Kinds, add } from '../../contracts/kinds/kind.ts';

/** A chat of WhatsApp: a log of IRC is none of another chat. */
const phone = '3/2/26, 9:15 AM - Mia: Is the pier open?\n3/2/26, 9:16 AM - Ole: From six on\n';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  unreadContent: 'A line of a log is text: there is no structure that it could be without',
  foreignFiles: { 'zz-pier/talk.txt': phone },
  nestedRows: 'A log is a text with a message on each line: nothing can be inside of one',
  partialExports: 'A log has lines alone; a log that was opened again is no gap of the log',
  messageNames: 'People have nicks and no ids: a relay is the nick that it writes under, and names stand in the text',
  sameNames: [
    {
      by: 'the network, in the name of a folder',
      sample: 'irssi',
      name: '#harbour',
      edits: [
        add(
          'othernet/#harbour.log',
          '--- Log opened Mon Mar 02 09:14:55 2026\n09:15 < mia> Another crew\n09:16 < ole> Indeed\n',
        ),
      ],
    },
  ],
  overlaps: 'A log only grows: no line of it is ever changed, and a line has no id but its words',
  decisions: [
    {
      files: { '#a_2026-03-02.log': '09:00 <a> 1\n10:00 <a> 2\n', '#a.2026-03-02.log': '09:30 <b> 3\n' },
      asks: { 'irc-network-unknown': 3 },
    },
    { sample: 'damaged-lines', asks: { 'zone-assumed': 4 } },
    {
      files: {
        'libera/#a_2026-03-02.log': '09:00 <ann> 1\n10:00 <ann> 2\n',
        'oftc/#b_2026-03-02.log': '09:30 <ann> 3\n',
      },
      asks: { 'irc-nick-on-networks': 3 },
    },
  ],
  pastedLines: 'Each line of a text is a line of the log with its own time and name',
};

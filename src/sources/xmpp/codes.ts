import type { SourceCode } from '../kit/codes.ts';

const again = 'Correct the row, or take it out of the server again.';

export const xmppCodes: readonly SourceCode[] = [
  {
    code: 'xmpp-bad-stanza',
    severity: 'blocks',
    title: 'Rows without a stanza',
    explanation: 'The stanza is missing, damaged, larger than a server takes, or nested too deeply.',
    remedy: again,
  },
  {
    code: 'xmpp-bad-row',
    severity: 'blocks',
    title: 'Rows that are not of the server',
    explanation:
      'The row has other fields than the header, or a column that says whose it is has another value than the server writes.',
    remedy: again,
  },
  {
    code: 'xmpp-compressed',
    severity: 'blocks',
    title: 'Stanzas that ejabberd has compressed',
    explanation:
      'With "compress_xml: true" the column "xml" holds bytes of ejabberd\'s own, and the column "txt" does not say who wrote.',
    remedy:
      'Ask the server for the archive by XEP-0313, or convert the column with the module xml_compress of ejabberd.',
  },
  {
    code: 'xmpp-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: 'The archive has no time for the message, or none that can be read.',
    remedy: again,
  },
  {
    code: 'xmpp-no-sender',
    severity: 'blocks',
    title: 'Messages without a sender',
    explanation: '"from" of the stanza is no address. Whose archive it is does not say who wrote.',
    remedy: again,
  },
  {
    code: 'xmpp-forged',
    severity: 'blocks',
    title: 'Copies that another account sent',
    explanation:
      'A copy of a message for another device comes from the own account, and a notice of a room from that room. This one does not, and may be forged.',
    remedy: 'Look at the stanza. If it is genuine, write it as a message of its own.',
  },
  {
    code: 'xmpp-unclear-private',
    severity: 'blocks',
    title: 'Private messages of a room whose people cannot be told',
    explanation:
      'The message went to one person in a room, and nothing says which of the two addresses is the room. It is not shown to the room.',
    remedy: 'Pass the archive of the room along, or the path under which the server keeps the file.',
  },
  {
    code: 'xmpp-cut-off',
    severity: 'blocks',
    title: 'Files that end in the middle',
    explanation: 'The file ends before what it began is closed. The rest counts as one.',
    remedy: 'Copy the file again.',
  },
  {
    code: 'xmpp-known-by-nick',
    severity: 'information',
    title: 'Private messages of a room to a nick without an address',
    explanation:
      'The export does not say who had the nick, so this is a conversation with the nick. If the other person has an archive too, it has its own copy, in another conversation.',
    remedy:
      'Pass the archive of the room along, if the room shows addresses. Leave out one of the conversations in conversations.exclude otherwise.',
  },
  {
    code: 'xmpp-target-elsewhere',
    severity: 'information',
    title: 'Deletions and reactions of messages that are not in the file',
    explanation: 'The archive no longer has the message, or another person wrote it: nothing is changed.',
    remedy: 'Nothing.',
  },
  {
    code: 'xmpp-earlier-version',
    severity: 'information',
    title: 'Earlier versions of corrected messages',
    explanation: 'A correction is a stanza of its own. The last one is the text; earlier texts are left out.',
    remedy: 'Nothing.',
  },
  {
    code: 'xmpp-encrypted',
    severity: 'information',
    title: 'Messages that only the people who talked can read',
    explanation:
      'The text is encrypted (OMEMO, OpenPGP, OTR), and the archive has no key. The text that programs put next to it is not sent.',
    remedy: 'Nothing: export such chats from the program of one of the people.',
  },
  {
    code: 'xmpp-no-message',
    severity: 'information',
    title: 'Stanzas that say nothing to people',
    explanation: 'Receipts, marks of what was read, signs of typing, exchanges of keys and notices of services.',
    remedy: 'Nothing.',
  },
  {
    code: 'xmpp-not-migrated',
    severity: 'information',
    title: 'Data that is not migrated',
    explanation:
      'Contact lists and settings of accounts, invitations, signals of calls, messages that came back as errors, and elements that are not known.',
    remedy: 'Look at the elements, and report those that people can see.',
  },
];

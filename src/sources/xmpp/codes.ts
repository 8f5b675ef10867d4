import { badRow, note, type SourceCode } from '../kit/codes.ts';

const again = 'Correct the row, or take it out of the server again.';

export const xmppCodes: readonly SourceCode[] = [
  badRow(
    'xmpp-bad-stanza',
    'Rows without a stanza',
    'The stanza is missing, damaged, larger than a server takes, or nested too deeply.',
    again,
  ),
  badRow(
    'xmpp-bad-row',
    'Rows that are not of the server',
    'The row has other fields than the header, a value in a column that the server does not have, or a column that says whose it is has another value than the server writes.',
    again,
  ),
  badRow(
    'xmpp-compressed',
    'Stanzas that ejabberd has compressed',
    'With "compress_xml: true" the column "xml" holds bytes of ejabberd\'s own, and the column "txt" does not say who wrote.',
    'Ask the server for the archive by XEP-0313, or convert the column with the module xml_compress of ejabberd.',
  ),
  badRow(
    'xmpp-bad-time',
    'Messages without a time',
    'The archive has no time for the message, or none that can be read.',
    again,
  ),
  badRow(
    'xmpp-no-sender',
    'Messages without a sender',
    '"from" of the stanza is no address. Whose archive it is does not say who wrote.',
    again,
  ),
  badRow(
    'xmpp-forged',
    'Copies that another account sent',
    'A copy of a message for another device comes from the own account, and a notice of a room from that room. This one does not, and may be forged.',
    'Look at the stanza. If it is genuine, write it as a message of its own.',
  ),
  badRow(
    'xmpp-unclear-private',
    'Private messages of a room whose people cannot be told',
    'The message went to one person in a room, and nothing says which of the two addresses is the room. It is not shown to the room.',
    'Pass the archive of the room along, or the path under which the server keeps the file.',
  ),
  badRow(
    'xmpp-cut-off',
    'Files that end in the middle',
    'The file ends before what it began is closed. The rest counts as one.',
    'Copy the file again.',
  ),
  note(
    'xmpp-known-by-nick',
    'Private messages of a room to a nick without an address',
    'The export does not say who had the nick, so this is a conversation with the nick. If the other person has an archive too, it has its own copy, in another conversation.',
    'Pass the archive of the room along, if the room shows addresses. Leave out one of the conversations in conversations.exclude otherwise.',
  ),
  note(
    'xmpp-target-elsewhere',
    'Deletions and reactions of messages that are not in the file',
    'The archive no longer has the message, or another person wrote it: nothing is changed.',
  ),
  note(
    'xmpp-earlier-version',
    'Earlier versions of corrected messages',
    'A correction is a stanza of its own. The last one is the text; earlier texts are left out.',
  ),
  note(
    'xmpp-encrypted',
    'Messages that only the people who talked can read',
    'The text is encrypted (OMEMO, OpenPGP, OTR), and the archive has no key. The text that programs put next to it is not sent.',
    'Nothing: export such chats from the program of one of the people.',
  ),
  badRow(
    'xmpp-unknown-content',
    'Stanzas whose content is not known',
    'The stanza has no text, but elements of a kind that is not known have words, which people may have seen. The reason names them.',
    'Report the names of the elements to us. To continue without these stanzas, remove them from the file.',
  ),
  note(
    'xmpp-no-message',
    'Stanzas that say nothing to people',
    'Receipts, marks of what was read, signs of typing, exchanges of keys and notices of services.',
  ),
  note(
    'xmpp-not-migrated',
    'Data that is not migrated',
    'Contact lists and settings of accounts, invitations, signals of calls, messages that came back as errors, and elements that are not known.',
    'Look at the elements, and report those that people can see.',
  ),
];

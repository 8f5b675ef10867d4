import type { Check } from '../check.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** Problems that opening folders and archives finds. */
export const archivesCodes: readonly Check[] = [
  {
    code: 'unreadable-file',
    severity: 'blocks',
    title: 'Files that cannot be read',
    explanation:
      'The file, or the rest of it, cannot be read: the disk or the archive is damaged, or something else is saved under its name, such as ' +
      'an empty file, zeros, or a page that asks to sign in. Its messages are missing.',
    remedy: 'Check the disk or the archive, and export or download the file again.',
  },
  {
    code: 'unknown-file',
    severity: 'information',
    title: 'Files that are not part of the format',
    explanation: 'Nothing of the file was read.',
    remedy: 'Nothing, if it is not chat history; otherwise report it.',
  },
  {
    code: 'unread-chat',
    severity: 'decision',
    title: 'Chats that are left out',
    explanation:
      'The file looks like chat, but none of it was read: another source reads it, it exists only as a page, or its rows have texts, times and authors in an unknown format.',
    about: 'nothing',
    options: [
      'Read the file with the source that the reason names, or export the chat again in the form that it names.',
      'Describe it in a mapping for json or csv ("chatferry init" with the file alone), and import it with a --store of its own.',
      'Leave it behind: put the line that the reason ends with into the mapping (files.ignore).',
    ],
    otherwise: 'they are left out',
  },
  {
    code: 'symlink',
    severity: 'information',
    title: 'Links',
    explanation: 'Links inside an export are not followed.',
    remedy: 'Copy the file itself into the export, if it belongs there.',
  },
  {
    code: 'own-file',
    severity: 'information',
    title: 'Files of Chatferry',
    explanation:
      'Chatferry wrote them into the folder of the export; they are not part of it, and are not read as such.',
    remedy: 'Nothing to do.',
  },
  {
    code: 'not-a-file',
    severity: 'information',
    title: 'Neither files nor folders',
    explanation: 'The entry is a device or the like, and is left out.',
    remedy: 'Nothing.',
  },
  {
    code: 'unsafe-name',
    severity: 'blocks',
    title: 'Names that lead out of the archive',
    explanation: 'The name of the entry leads out of the archive or cannot be used; the entry is left out.',
    remedy: 'Make the archive again, if it is yours; otherwise be careful with it.',
  },
  {
    code: 'encrypted',
    severity: 'blocks',
    title: 'Encrypted files',
    explanation: 'The file is encrypted; it is left out.',
    remedy: 'Unpack the archive with its password, and pass the folder.',
  },
  {
    code: 'unsupported-method',
    severity: 'blocks',
    title: 'Files packed in an unknown way',
    explanation: 'The file is packed by a method that is not supported; it is left out.',
    remedy: 'Unpack the archive, and pass the folder.',
  },
  {
    code: 'damaged-entry',
    severity: 'blocks',
    title: 'Damaged files of an archive',
    explanation: 'The directory of the archive and its content do not agree; the file is left out.',
    remedy: 'Export or download again.',
  },
  {
    code: 'bomb',
    severity: 'blocks',
    title: 'Files that unpack to far too much',
    explanation: 'The file unpacks to more than any chat file does: made to fill disks.',
    remedy: 'Be careful with this archive.',
  },
  {
    code: 'duplicate-name',
    severity: 'blocks',
    title: 'Two files of one name',
    explanation: 'The archive has two files of one name; the first is read.',
    remedy: 'Make the archive again.',
  },
  {
    code: 'hidden-cells',
    severity: 'decision',
    title: 'Hidden sheets, rows or columns',
    explanation:
      'Sheets, rows or columns of a workbook are hidden, and are read as all others are. They may have been hidden on purpose, so that not everyone sees them.',
    about: 'nothing',
    options: [
      'Accept that they are read.',
      'Delete them in a copy of the workbook, and pass the copy.',
      'Leave a sheet out (files.ignore), or rows by the value of a column (source.messages.only).',
    ],
    otherwise: 'they are read as all others are',
  },
  {
    code: 'rounded-numbers',
    severity: 'decision',
    title: 'Long numbers that Excel may have rounded',
    explanation:
      'Numbers of 16 or more digits end in zeros. Excel keeps 15 digits: if these are ids, their other digits are lost, and two messages may have one id.',
    about: 'nothing',
    options: [
      'Export the table again from the original system, as CSV or with the ids as text.',
      'Accept it, if the numbers are exact, or are in no column that the mapping reads.',
    ],
    otherwise: 'they are read as they are',
  },
  {
    code: 'unreadable-folder',
    severity: 'blocks',
    title: 'Folders that cannot be read',
    explanation: 'The folder cannot be listed; nothing in it was read.',
    remedy: 'Check its permissions, then plan again.',
  },
  {
    code: 'unreadable-name',
    severity: 'blocks',
    title: 'Names that are not valid',
    explanation: 'The name of the file is not valid UTF-8; it was not read.',
    remedy: 'Rename the file.',
  },
  {
    code: 'more-problems',
    severity: 'blocks',
    title: 'More problems of this kind',
    explanation: 'So many that the others are only counted.',
    remedy: 'Solve the first, then plan again.',
  },
];

/** Problems that mapping and staging find themselves. */
export const stagingCodes: readonly Check[] = [
  {
    code: 'unknown-author',
    severity: 'blocks',
    title: 'Unknown authors',
    explanation: 'The mapping rejects messages of authors who are not described in any file of the export.',
    remedy: 'Set people.unknownAuthors: placeholder in the mapping to keep such messages.',
  },
  {
    code: 'id-not-unique',
    severity: 'blocks',
    title: 'Two messages of one id',
    explanation:
      'Two rows have the same id in the same conversation, but different content and times: they are two messages, and one would be lost. Nothing is planned until they can be distinguished. Exports whose ids begin at 1 each year do this.',
    remedy:
      'Plan each export with its own --workspace and --store, or make the ids unique in the mapping: { template: "{:file} {id}" } adds the name of the file, and without source.messages.id the id is built from the content of the row.',
  },
  {
    code: 'outsider',
    severity: 'blocks',
    title: 'Messages of a third person in a direct conversation',
    explanation: 'The mapping rejects messages of a third person in a direct conversation.',
    remedy: 'Set conversations.outsiders: group in the mapping to make it a group.',
  },
  {
    code: 'late_outsider',
    severity: 'blocks',
    title: 'Third writers in a one-to-one chat',
    explanation: 'A third person wrote in a conversation that already is a one-to-one chat at the destination.',
    remedy: 'Nothing: a chat that was begun cannot become a group.',
  },
  {
    code: 'direct-as-group',
    severity: 'decision',
    title: 'Second direct conversations of two people',
    explanation:
      'The service has one chat for two people. A further direct conversation of the same two becomes a group, so that neither mixes with the other.',
    about: 'conversation',
    options: [
      'Let the second become a group.',
      'Make one conversation of the two (conversations.merge).',
      'Leave one out, if it is a copy (conversations.exclude).',
    ],
    otherwise: 'the second becomes a group',
  },
  {
    code: 'message-only-file',
    severity: 'decision',
    title: 'Messages that are only a file that is not migrated',
    explanation:
      'The message has no text, and none of its files has a web address: they are next to the messages in the export, or are missing from it. Its text names them ("📎 photo.jpg"), so that the message is not blank.',
    about: 'message',
    options: [
      `Copy the files that the export has while it is imported (--media-to LOCATION; ${docsLink('guides/media')}): then they are migrated.`,
      'Put the files on a web server, and rewrite the beginning of their addresses (messages.attachmentUrls): then they are migrated.',
      'Let the text name them.',
      'Leave such messages out (messages.onlyFiles: blank, with messages.empty: skip).',
    ],
    otherwise: 'they are sent, and their text names the file',
  },
  {
    code: 'too-old-by-its-turn',
    severity: 'decision',
    title: 'Messages that may be too old when their turn comes',
    explanation:
      'The message is young enough now. By the forecast end of sending, it will be older than the destination keeps messages. If it is too old when its turn comes, it fails as too-old and is not sent.',
    about: 'message',
    options: [
      'Send soon, at a higher rate (--rate) if the service allows it.',
      'Send the conversations concerned first (conversations.first in the mapping).',
    ],
    otherwise: 'messages that are too old when their turn comes fail as too-old and are not sent',
  },
  {
    code: 'too-late',
    severity: 'blocks',
    title: 'New messages that are older than those at the destination',
    explanation:
      'The destination already has younger messages of the conversation, and --out-of-order reject holds back older ones.',
    remedy: 'Nothing; or send them with "chatferry retry --code too-late", or plan with --out-of-order warn or allow.',
  },
  {
    code: 'late_part',
    severity: 'blocks',
    title: 'Texts that grew after they were sent',
    explanation:
      'The text was edited after it was sent and now needs more messages than before. The sent messages stay unchanged.',
    remedy: 'Nothing, or inform the people concerned.',
  },
  {
    code: 'not-in-lookup',
    severity: 'blocks',
    title: 'Authors who are not in the lookup table',
    explanation: 'The mapping rejects messages of authors who are not in the table of people.lookup.',
    remedy: 'Add the person to the table, or set people.lookup.missing: template in the mapping.',
  },
  {
    code: 'older-than',
    severity: 'blocks',
    title: 'Messages that are too old for the mapping',
    explanation: 'The mapping rejects messages that are older than messages.olderThan.',
    remedy: 'Change messages.olderThan in the mapping, or set messages.old: skip.',
  },
  {
    code: 'text-too-long',
    severity: 'blocks',
    title: 'Texts that are too long',
    explanation:
      'The text is longer than the mapping or the destination allows, and the mapping does not say that it may be shortened.',
    remedy: 'Set messages.overlong: split or truncate in the mapping.',
  },
  {
    code: 'module-failed',
    severity: 'blocks',
    title: 'Records that the module of the mapping did not take',
    explanation: 'The module of the mapping threw, or answered with something that is not allowed.',
    remedy: 'Correct the module; the detail has its words.',
  },
  {
    code: 'merged-into-public',
    severity: 'decision',
    title: 'Private conversations merged into a public one',
    explanation:
      'The mapping merges a conversation that was not public into a public group: everybody may read it there.',
    about: 'nothing',
    options: ['Take it out of conversations.merge.', 'Make the group private with conversations.types.'],
    otherwise: 'everyone can read messages that were private',
  },
];

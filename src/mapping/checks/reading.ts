import { badRow, decision, note } from '../../sources/source.ts';
import type { Check } from './check.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** Problems that opening folders and archives finds. */
export const archivesCodes: readonly Check[] = [
  badRow(
    'unreadable-file',
    'Files that cannot be read',
    'The file, or the rest of it, cannot be read: the disk or the archive is damaged, or something else is saved under its name, such as ' +
      'an empty file, zeros, or a page that asks to sign in. Its messages are missing.',
    'Check the disk or the archive, and export or download the file again.',
  ),
  note(
    'unknown-file',
    'Files that are not part of the format',
    'Nothing of the file was read.',
    'Nothing, if it is not chat history; otherwise report it.',
  ),
  decision(
    'unread-chat',
    'Chats that are left out',
    'The file looks like chat, but none of it was read: another source reads it, it exists only as a page, or its rows have texts, times and authors in an unknown format.',
    {
      about: 'nothing',
      options: [
        'Read the file with the source that the reason names, or export the chat again in the form that it names.',
        'Describe it in a mapping for json or csv ("chatferry init" with the file alone), and import it with a --store of its own.',
        'Leave it behind: put the line that the reason ends with into the mapping (files.ignore).',
      ],
      otherwise: 'they are left out',
    },
  ),
  note(
    'symlink',
    'Links',
    'Links inside an export are not followed.',
    'Copy the file itself into the export, if it belongs there.',
  ),
  note(
    'own-file',
    'Files of Chatferry',
    'Chatferry wrote them into the folder of the export; they are not part of it, and are not read as such.',
    'Nothing to do.',
  ),
  note('not-a-file', 'Neither files nor folders', 'The entry is a device or the like, and is left out.'),
  badRow(
    'unsafe-name',
    'Names that lead out of the archive',
    'The name of the entry leads out of the archive or cannot be used; the entry is left out.',
    'Make the archive again, if it is yours; otherwise be careful with it.',
  ),
  badRow(
    'encrypted',
    'Encrypted files',
    'The file is encrypted; it is left out.',
    'Unpack the archive with its password, and pass the folder.',
  ),
  badRow(
    'unsupported-method',
    'Files packed in an unknown way',
    'The file is packed by a method that is not supported; it is left out.',
    'Unpack the archive, and pass the folder.',
  ),
  badRow(
    'damaged-entry',
    'Damaged files of an archive',
    'The directory of the archive and its content do not agree; the file is left out.',
    'Export or download again.',
  ),
  badRow(
    'bomb',
    'Files that unpack to far too much',
    'The file unpacks to more than any chat file does: made to fill disks.',
    'Be careful with this archive.',
  ),
  badRow(
    'duplicate-name',
    'Two files of one name',
    'The archive has two files of one name; the first is read.',
    'Make the archive again.',
  ),
  decision(
    'hidden-cells',
    'Hidden sheets, rows or columns',
    'Sheets, rows or columns of a workbook are hidden, and are read as all others are. They may have been hidden on purpose, so that not everyone sees them.',
    {
      about: 'nothing',
      options: [
        'Accept that they are read.',
        'Delete them in a copy of the workbook, and pass the copy.',
        'Leave a sheet out (files.ignore), or rows by the value of a column (source.messages.only).',
      ],
      otherwise: 'they are read as all others are',
    },
  ),
  decision(
    'rounded-numbers',
    'Long numbers that Excel may have rounded',
    'Numbers of 16 or more digits end in zeros. Excel keeps 15 digits: if these are ids, their other digits are lost, and two messages may have one id.',
    {
      about: 'nothing',
      options: [
        'Export the table again from the original system, as CSV or with the ids as text.',
        'Accept it, if the numbers are exact, or are in no column that the mapping reads.',
      ],
      otherwise: 'they are read as they are',
    },
  ),
  badRow(
    'unreadable-folder',
    'Folders that cannot be read',
    'The folder cannot be listed; nothing in it was read.',
    'Check its permissions, then plan again.',
  ),
  badRow(
    'unreadable-name',
    'Names that are not valid',
    'The name of the file is not valid UTF-8; it was not read.',
    'Rename the file.',
  ),
  badRow(
    'more-problems',
    'More problems of this kind',
    'So many that the others are only counted.',
    'Solve the first, then plan again.',
  ),
];

/** Problems that mapping and staging find themselves. */
export const stagingCodes: readonly Check[] = [
  badRow(
    'unknown-author',
    'Unknown authors',
    'The mapping rejects messages of authors who are not described in any file of the export.',
    'Set people.unknownAuthors: placeholder in the mapping to keep such messages.',
  ),
  badRow(
    'id-not-unique',
    'Two messages of one id',
    'Two rows have the same id in the same conversation, but different content and times: they are two messages, and one would be lost. Nothing is planned until they can be distinguished. Exports whose ids begin at 1 each year do this.',
    'Plan each export with its own --workspace and --store, or make the ids unique in the mapping: { template: "{:file} {id}" } adds the name of the file, and without source.messages.id the id is built from the content of the row.',
  ),
  badRow(
    'outsider',
    'Messages of a third person in a direct conversation',
    'The mapping rejects messages of a third person in a direct conversation.',
    'Set conversations.outsiders: group in the mapping to make it a group.',
  ),
  badRow(
    'late_outsider',
    'Third writers in a one-to-one chat',
    'A third person wrote in a conversation that already is a one-to-one chat at the destination.',
    'Nothing: a chat that was begun cannot become a group.',
  ),
  decision(
    'direct-as-group',
    'Second direct conversations of two people',
    'The service has one chat for two people. A further direct conversation of the same two becomes a group, so that neither mixes with the other.',
    {
      about: 'conversation',
      options: [
        'Let the second become a group.',
        'Make one conversation of the two (conversations.merge).',
        'Leave one out, if it is a copy (conversations.exclude).',
      ],
      otherwise: 'the second becomes a group',
    },
  ),
  decision(
    'message-only-file',
    'Messages that are only a file that is not migrated',
    'The message has no text, and none of its files has a web address: they are next to the messages in the export, or are missing from it. Its text names them ("📎 photo.jpg"), so that the message is not blank.',
    {
      about: 'message',
      options: [
        `Copy the files that the export has while it is imported (--media-to LOCATION; ${docsLink('guides/media')}): then they are migrated.`,
        'Put the files on a web server, and rewrite the beginning of their addresses (messages.attachmentUrls): then they are migrated.',
        'Let the text name them.',
        'Leave such messages out (messages.onlyFiles: blank, with messages.empty: skip).',
      ],
      otherwise: 'they are sent, and their text names the file',
    },
  ),
  decision(
    'too-old-by-its-turn',
    'Messages that may be too old when their turn comes',
    'The message is young enough now. By the forecast end of sending, it will be older than the destination keeps messages. If it is too old when its turn comes, it fails as too-old and is not sent.',
    {
      about: 'message',
      options: [
        'Send soon, at a higher rate (--rate) if the service allows it.',
        'Send the conversations concerned first (conversations.first in the mapping).',
      ],
      otherwise: 'messages that are too old when their turn comes fail as too-old and are not sent',
    },
  ),
  badRow(
    'too-late',
    'New messages that are older than those at the destination',
    'The destination already has younger messages of the conversation, and --out-of-order reject holds back older ones.',
    'Nothing; or send them with "chatferry retry --code too-late", or plan with --out-of-order warn or allow.',
  ),
  badRow(
    'late_part',
    'Texts that grew after they were sent',
    'The text was edited after it was sent and now needs more messages than before. The sent messages stay unchanged.',
    'Nothing, or inform the people concerned.',
  ),
  badRow(
    'not-in-lookup',
    'Authors who are not in the lookup table',
    'The mapping rejects messages of authors who are not in the table of people.lookup.',
    'Add the person to the table, or set people.lookup.missing: template in the mapping.',
  ),
  badRow(
    'older-than',
    'Messages that are too old for the mapping',
    'The mapping rejects messages that are older than messages.olderThan.',
    'Change messages.olderThan in the mapping, or set messages.old: skip.',
  ),
  badRow(
    'text-too-long',
    'Texts that are too long',
    'The text is longer than the mapping or the destination allows, and the mapping does not say that it may be shortened.',
    'Set messages.overlong: split or truncate in the mapping.',
  ),
  badRow(
    'module-failed',
    'Records that the module of the mapping did not take',
    'The module of the mapping threw, or answered with something that is not allowed.',
    'Correct the module; the detail has its words.',
  ),
  decision(
    'merged-into-public',
    'Private conversations merged into a public one',
    'The mapping merges a conversation that was not public into a public group: everybody may read it there.',
    {
      about: 'nothing',
      options: ['Take it out of conversations.merge.', 'Make the group private with conversations.types.'],
      otherwise: 'everyone can read messages that were private',
    },
  ),
];

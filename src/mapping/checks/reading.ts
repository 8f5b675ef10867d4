import { asks, outside, runs, sets } from '../../model/option.ts';
import { badRow, decision, note } from '../../sources/source.ts';
import { addressesOfPaths, copyFilesOfExport } from './attachments.ts';
import type { Check } from './check.ts';

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
      about: 'file',
      question: 'What should become of chats that are not read?',
      options: [
        asks('Leave the files behind', 'files.ignore', '[notes/*.txt]'),
        runs('Describe a file in a mapping of its own, and import it into a store of its own', 'init FILE'),
        outside(
          'Read the file with the source that the finding names, or export the chat again in the form that it names',
        ),
      ],
      otherwise: 'they are left out',
      keepsBack: true,
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
      about: 'file',
      question: 'May everyone read what was hidden in the workbook?',
      options: [
        asks('Leave sheets out', 'files.ignore', '["book.xlsx/Internal"]'),
        outside('Delete the hidden cells in a copy of the workbook, and pass the copy'),
      ],
      otherwise: 'they are read as all others are',
    },
  ),
  note(
    'rounded-numbers',
    'Long numbers that Excel may have rounded',
    'Numbers of 16 or more digits end in zeros. Excel keeps 15 digits: if these are ids, their other digits are lost, and two messages may have one id.',
    'Export the table again from the original system, as CSV or with the ids as text, unless the numbers are exact, or are in no column that the mapping reads.',
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
    {
      question: 'What should become of messages of people whom no file of the export describes?',
      options: [
        sets('Create a user for each of these people', { 'people.unknownAuthors': 'placeholder' }),
        sets('Leave {count} out by rule', { 'people.unknownAuthors': 'skip' }),
      ],
    },
  ),
  badRow(
    'id-not-unique',
    'Two messages of one id',
    'Two rows have the same id in the same conversation, but different content and times: they are two messages, and one would be lost. Nothing is planned until they can be distinguished. Exports whose ids begin at 1 each year do this.',
    'Plan each export with its own --workspace and --store, or make the ids unique in the mapping: { template: "{:file} {id}" } adds the name of the file, and without source.messages.id the id is built from the content of the row.',
    {
      question: 'By what are messages told apart that have the same id?',
      options: [asks('Make the ids of several columns', 'source.messages.id', '{ template: "{:file} {id}" }')],
    },
  ),
  badRow(
    'outsider',
    'Messages of a third person in a direct conversation',
    'The mapping rejects messages of a third person in a direct conversation.',
    'Set conversations.outsiders: group in the mapping to make it a group.',
    {
      question: 'What should become of a conversation of two in which a third wrote?',
      options: [sets('Make a group of it', { 'conversations.outsiders': 'group' })],
    },
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
      question: 'Should two direct conversations of the same two people be one?',
      options: [
        asks('Make one conversation of the two', 'conversations.merge', '[[C1, C2]]'),
        asks('Leave one of the two out', 'conversations.exclude', '[C1, C2]'),
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
      question: 'What should become of messages that are only a file, which is not migrated?',
      options: [
        copyFilesOfExport,
        addressesOfPaths,
        sets('Name the files in the texts of {count}', { 'messages.onlyFiles': 'name' }),
        sets('Leave {count} out', { 'messages.onlyFiles': 'blank', 'messages.empty': 'skip' }),
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
      question: 'Which messages have to go before they are too old?',
      options: [
        asks('Send conversations before all others', 'conversations.first', '[C1, C2]'),
        runs('Send at a higher rate, if the service allows it', 'import EXPORT --rate N'),
      ],
      otherwise: 'messages that are too old when their turn comes fail as too-old and are not sent',
    },
  ),
  badRow(
    'too-late',
    'New messages that are older than those at the destination',
    'The destination already has younger messages of the conversation, and --out-of-order reject holds back older ones.',
    'Nothing; or send them with "chatferry retry --code too-late", or plan with --out-of-order warn or allow.',
    {
      question: 'May messages arrive after younger ones?',
      options: [runs('Plan again, and let older messages arrive late', 'plan EXPORT --out-of-order warn')],
    },
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
    {
      question: 'What should become of people who are not in your table?',
      options: [
        sets('Make an id for those who are not in the table', { 'people.lookup.missing': 'template' }),
        outside('Add the people to the table'),
      ],
    },
  ),
  badRow(
    'older-than',
    'Messages that are too old for the mapping',
    'The mapping rejects messages that are older than messages.olderThan.',
    'Change messages.olderThan in the mapping, or set messages.old: skip.',
    {
      question: 'What should become of messages that are too old?',
      options: [
        sets('Leave {count} out by rule', { 'messages.old': 'skip' }),
        asks('Move older messages too', 'messages.olderThan', '2y'),
      ],
    },
  ),
  badRow(
    'text-too-long',
    'Texts that are too long',
    'The text is longer than the mapping or the destination allows, and the mapping does not say that it may be shortened.',
    'Set messages.overlong: split or truncate in the mapping.',
    {
      question: 'What should become of texts that are too long for one message?',
      options: [
        sets('Split the texts into several messages', { 'messages.overlong': 'split' }),
        sets('Cut the texts', { 'messages.overlong': 'truncate' }),
      ],
    },
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
      about: 'conversation',
      question: 'May everybody read these private conversations, once they are part of a public one?',
      options: [
        asks('Make the joined conversation private', 'conversations.types', '{ C1: private }'),
        sets('Make all groups private', { 'conversations.type': 'private' }),
      ],
      otherwise: 'everyone can read messages that were private',
    },
  ),
];

import { asks, type Option, outside, runs, sets } from '../../model/option.ts';
/**
 * Explanations of the codes of invalid rows and problems, for people. A source declares its own codes next to the code
 * that yields them (`sources/<name>/codes.ts`, `codes` of the adapter); the kit declares those that it yields for
 * several sources. The registry collects them all, so that reports, `chatferry checks` and `docs/reference/checks/index.md` (`npm run
 * checks-page`) explain them.
 *
 *     export const ircCodes: readonly SourceCode[] = [
 *       badRow('irc-no-day', 'Lines of an unknown day', 'Nothing says the day.', 'Write the day above the line.'),
 *     ];
 *
 * A code with the same meaning in several sources is declared once, here. A test rejects two different explanations of
 * one code, and a code that a source yields without an explanation.
 */
export type SourceCode = PlainCode | DecisionCode;

interface CodeWords {
  /** Lower-case words joined by hyphens. Stable, because stores and scripts of users contain it. */
  readonly code: string;
  /** A heading, in the plural: what the findings have in common. */
  readonly title: string;
  /** Effect on the migration, in whole sentences. */
  readonly explanation: string;
}

interface PlainCode extends CodeWords {
  /** `blocks`: the row is invalid and not sent. */
  readonly severity: 'blocks' | 'information';
  /** Action to take: a key of the mapping, a setting, or a step in the old system. Whole sentences. */
  readonly remedy: string;
  /** Options for such rows, where a setting can do something. */
  readonly asked?: Asked;
}

interface Asked {
  /** A sentence for a person who knows the data, without keys and codes. */
  readonly question: string;
  /** The option that most would take first. */
  readonly options: readonly Option[];
}

/** The message is sent, and the user should decide whether that is right. One option at least sets, asks or runs something; without one it is a note. */
export interface DecisionCode extends CodeWords, Asked {
  readonly severity: 'decision';
  /** Subject of a finding, used to count the messages that are affected. `attachment`: a file of a message. `nothing`: they cannot be counted. */
  readonly about: 'message' | 'person' | 'conversation' | 'file' | 'attachment' | 'zone' | 'nothing';
  /** Result if nothing is decided: completes the sentence "If you do nothing: ". */
  readonly otherwise: string;
  /** Without a decision what it is about is not sent. */
  readonly keepsBack?: true;
}

/** A row that is invalid and not sent. */
export const badRow = (
  code: string,
  title: string,
  explanation: string,
  remedy = 'Correct the row, or export again.',
  asked?: Asked,
): PlainCode => ({ code, severity: 'blocks', title, explanation, remedy, ...(asked && { asked }) });

/** A row of an answer that was fetched from an API: invalid, and not sent. */
export const badAnswer = (code: string, title: string, explanation: string): PlainCode =>
  badRow(code, title, explanation, 'Correct the row, or fetch it again.');

/** Something to know; no decision is needed. */
export const note = (code: string, title: string, explanation: string, remedy = 'Nothing.'): PlainCode => ({
  code,
  severity: 'information',
  title,
  explanation,
  remedy,
});

export const decision = (
  code: string,
  title: string,
  explanation: string,
  choice: Pick<DecisionCode, 'about' | 'question' | 'options' | 'otherwise' | 'keepsBack'>,
): DecisionCode => ({ code, severity: 'decision', title, explanation, ...choice });

/** Codes of `ChatLog`, which reads chats that were exported as text. */
export const chatLogCodes = (source: string): readonly SourceCode[] => [
  badRow(
    `${source}-no-message`,
    'Text before the first message',
    'The lines come before the first one with a time and belong to no message: the file was cut, or is no chat.',
    'Export the chat again, or take the file out of the folder.',
  ),
  badRow(
    `${source}-no-end`,
    'Messages that do not end',
    'More than a million characters follow the time of one message; no message is so long.',
    'Check the line: a file may have been pasted into the chat.',
  ),
  note(
    `${source}-pasted`,
    'Lines that may be pasted',
    'Days and times of a chat go forward. The line looks like a day or a message, and does not fit its place: a person wrote a date or pasted a part of a chat, or the file was joined from several.',
    'Nothing, if the lines are what their findings say. Else correct the file: put a space before a line that is a part of a text, and the parts of a joined file into files of their own.',
  ),
];

/** Files of one chat name, of an app that puts nothing into them by which to tell chats apart. */
export const sameNameCode = (code: string): DecisionCode =>
  decision(
    code,
    'Files of one chat name',
    'Several files have the same chat name, and nothing says whether they are one chat.',
    {
      about: 'file',
      question: 'Are these files of one name one chat?',
      options: [
        sets('Keep them apart, as different chats', { 'source.sameName': 'apart' }),
        sets('Join them to one chat', { 'source.sameName': 'together' }),
      ],
      otherwise: 'they stay different chats',
    },
  );

/** Codes that the kit yields for every source, and codes with the same meaning in several sources. */
export const kitCodes: readonly SourceCode[] = [
  note(
    'column-not-migrated',
    'Columns that are not migrated',
    'The column, or the field at this path, has values, and nothing reads them.',
    'In a mapping for csv or json, name it in source.messages: what has no field of its own is kept by "custom: { NAME: COLUMN }". Other sources read the columns that their platform has.',
  ),
  decision(
    'export-is-partial',
    'Exports that say themselves that something is missing',
    'The file names a range of time, counts more messages than it has, reports that there are more, or lists a room whose last message is missing: it does not contain all messages.',
    {
      about: 'nothing',
      question: 'Where is the rest of the export?',
      options: [
        runs('Fetch it from the provider', 'fetch --from PROVIDER --out FOLDER'),
        outside('Export the missing messages too, and pass both exports'),
      ],
      otherwise: 'only the messages in the export are sent',
    },
  ),
  badRow(
    'json-syntax',
    'Rows that are not JSON',
    'The row is not valid JSON; it is left out, what follows is read.',
    'Correct the row at its place, or export again.',
  ),
  badRow(
    'json-encoding',
    'Rows in another encoding',
    'The bytes are not UTF-8.',
    'Save the file as UTF-8, or export again.',
  ),
  badRow(
    'json-too-deep',
    'Rows that are nested too deeply',
    'The row has more than 64 levels; no chat has.',
    'Check the row: it may be designed to break programs.',
  ),
  badRow(
    'json-too-large',
    'Rows that are too large',
    'The row is larger than the read limit.',
    'Check the row: a file may be embedded in it.',
  ),
  badRow(
    'json-cut-off',
    'Files that end in the middle',
    'The file ends inside a row: the export or its download broke off. What comes before is read; the rest counts as one.',
    'Export or download again.',
  ),
  badRow(
    'json-damaged-record',
    'Damaged records of a binary file',
    'The record of a binary file (BSON, Parquet, a workbook) is damaged; it is left out, what follows is read.',
    'Dump, export or copy the file again.',
  ),
  badRow(
    'json-not-an-array',
    'Files that hold no list',
    'The file should hold a list of rows and holds something else.',
    'Check that the file belongs to the export.',
  ),
  badRow(
    'json-no-list',
    'Files without rows',
    'The file should hold rows and holds none.',
    'Check that the file belongs to the export.',
  ),
  badRow(
    'json-trailing',
    'Text behind the end',
    'There is text after the end of the list.',
    'Check the end of the file: two exports may have been joined.',
  ),
  badRow(
    'not-an-object',
    'Rows that are not messages',
    'A row is not an object; or messages are in a list of the file that is not read.',
    'Correct the row, move the messages into the list of the others, or export again.',
  ),
  badRow(
    'row-not-understood',
    'Rows that are not understood',
    'A value in the row has another type than the format requires, such as an object instead of a text. The row is left out; all others are read.',
    'Compare the row at its place with its neighbours and correct it, or export again. Then plan again.',
  ),
  badRow(
    'text-not-understood',
    'Messages whose text is no text',
    'The text of the message is an object, a list or a number: without it the message would be empty.',
    'Look at the row, and correct it.',
  ),
  badRow(
    'missing-id',
    'Messages without an id',
    'The message has no id, so it cannot be distinguished from others.',
    'Correct the row, or name another column in source.messages.id.',
    {
      question: 'By what is a message told apart from others?',
      options: [asks('Name the column of the ids', 'source.messages.id', 'message_id')],
    },
  ),
  note(
    'user-without-id',
    'People without an id',
    'The person has no id, so no message can name them.',
    'Correct the row, or export again.',
  ),
  note(
    'profile-detail-not-migrated',
    'Details of profiles that are not migrated',
    'The list of people says more of them than a name, a picture, an address and a role: no field holds it.',
    'Nothing, or add it at the destination from the list of people.',
  ),
  note(
    'conversation-without-id',
    'Conversations without an id',
    'The conversation has no id, so no message can name it.',
    'Correct the row, or export again.',
  ),
  note(
    'no-members',
    'Direct conversations without people',
    'The export does not say who is in a direct conversation.',
    'Nothing: it becomes a group of those who wrote in it.',
  ),
  badRow(
    'bad-time',
    'Messages with a broken time',
    'The time does not have the format that the mapping says.',
    'Correct source.messages.time in the mapping, or the row.',
    {
      question: 'How are the times of messages written?',
      options: [asks('Give the format of the times', 'source.messages.time.format', 'dd/MM/yyyy HH:mm')],
    },
  ),
  note(
    'time-in-gap',
    'Times that never were',
    'The clock was put forward over this time: the zone of the export is probably another.',
    'Check source.messages.time in the mapping.',
  ),
  note(
    'time-in-overlap',
    'Times that came twice',
    'The clock was put back: the time is taken as the first of the two.',
    'Nothing; or export times with their offset.',
  ),
  note(
    'day-assumed',
    'Midnights without a word',
    'The time of day in a log starts over, and no line marks a new day: it is read as the next day.',
    'Nothing, if the log was written without a break; otherwise write the day above the line.',
  ),
  decision(
    'encoding-assumed',
    'Files in an encoding that was guessed',
    'The bytes are not UTF-8; the encoding was chosen by its letters.',
    {
      about: 'file',
      question: 'In which encoding are these texts written?',
      options: [asks('Name the encoding', 'source.encoding', 'windows-1251')],
      otherwise: 'the texts are sent as they were read',
    },
  ),
  note(
    'damaged-text',
    'Texts that were damaged before',
    'The file has the replacement character or a mixture of encodings: letters were lost before the export was made.',
    'Export again, if the old system still shows the letters.',
  ),
  decision(
    'zone-assumed',
    'Times without a zone',
    'Times that name no zone are taken as UTC. If they are not, they are wrong by some hours.',
    {
      about: 'zone',
      question: 'In which time zone was the clock that wrote these times?',
      options: [
        asks('Name the time zone', 'source.zone', 'Europe/Berlin'),
        sets('Take the times as UTC', { 'source.zone': 'UTC' }),
      ],
      otherwise: 'the times are taken as UTC',
    },
  ),
  badRow(
    'line-too-long',
    'Lines that are too long',
    'The line is longer than any message: the file may be no text.',
    'Check the line: a file may be embedded in it.',
  ),
];

/**
 * Explanations of the codes of invalid rows and problems, for people. A source declares its own codes next to the code
 * that yields them (`sources/<name>/codes.ts`, `codes` of the adapter); the kit declares those that it yields for
 * several sources. The registry collects them all, so that reports, `chatferry checks` and `docs/reference/checks/index.md` (`npm run
 * checks-page`) explain them.
 *
 * export const ircCodes: readonly SourceCode[] = [ { code: 'irc-unknown-line', severity: 'information', title: 'Lines
 * that are not known', explanation: 'The line is neither a message nor an event that is known; it is left out.',
 * remedy: 'Check the examples, and report the lines to us.', }, ];
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
}

/** The message is sent, and the user should decide whether that is right. */
export interface DecisionCode extends CodeWords {
  readonly severity: 'decision';
  /** Subject of a finding, used to count the messages that are affected. `nothing`: they cannot be counted. */
  readonly about: 'message' | 'person' | 'conversation' | 'file' | 'zone' | 'nothing';
  /** At least two, whole sentences, what most would do first: a key of the mapping, a setting, a step in the old system, or to let it be. */
  readonly options: readonly string[];
  /** Result if nothing is decided: completes the sentence "If you do nothing: ". */
  readonly otherwise: string;
}

/** Codes that the kit yields for every source, and codes with the same meaning in several sources. */
export const kitCodes: readonly SourceCode[] = [
  {
    code: 'column-not-migrated',
    severity: 'information',
    title: 'Columns that are not migrated',
    explanation: 'The column, or the field at this path, has values, and nothing reads them.',
    remedy:
      'In a mapping for csv or json, name it in source.messages: what has no field of its own is kept by "custom: { NAME: COLUMN }". Other sources read the columns that their platform has.',
  },
  {
    code: 'export-is-partial',
    severity: 'decision',
    title: 'Exports that say themselves that something is missing',
    explanation:
      'The file names a range of time, counts more messages than it has, reports that there are more, or lists a room whose last message is missing: it does not contain all messages.',
    about: 'nothing',
    options: [
      'Export the missing messages too, and pass both exports.',
      'Ignore it if you want to migrate only this part.',
    ],
    otherwise: 'only the messages in the export are sent',
  },
  {
    code: 'json-syntax',
    severity: 'blocks',
    title: 'Rows that are not JSON',
    explanation: 'The row is not valid JSON; it is left out, what follows is read.',
    remedy: 'Correct the row at its place, or export again.',
  },
  {
    code: 'json-encoding',
    severity: 'blocks',
    title: 'Rows in another encoding',
    explanation: 'The bytes are not UTF-8.',
    remedy: 'Save the file as UTF-8, or export again.',
  },
  {
    code: 'json-too-deep',
    severity: 'blocks',
    title: 'Rows that are nested too deeply',
    explanation: 'The row has more than 64 levels; no chat has.',
    remedy: 'Check the row: it may be designed to break programs.',
  },
  {
    code: 'json-too-large',
    severity: 'blocks',
    title: 'Rows that are too large',
    explanation: 'The row is larger than the read limit.',
    remedy: 'Check the row: a file may be embedded in it.',
  },
  {
    code: 'json-cut-off',
    severity: 'blocks',
    title: 'Files that end in the middle',
    explanation:
      'The file ends inside a row: the export or its download broke off. What comes before is read; the rest counts as one.',
    remedy: 'Export or download again.',
  },
  {
    code: 'json-damaged-record',
    severity: 'blocks',
    title: 'Damaged records of a binary file',
    explanation:
      'The record of a binary file (BSON, Parquet, a workbook) is damaged; it is left out, what follows is read.',
    remedy: 'Dump, export or copy the file again.',
  },
  {
    code: 'json-not-an-array',
    severity: 'blocks',
    title: 'Files that hold no list',
    explanation: 'The file should hold a list of rows and holds something else.',
    remedy: 'Check that the file belongs to the export.',
  },
  {
    code: 'json-no-list',
    severity: 'blocks',
    title: 'Files without rows',
    explanation: 'The file should hold rows and holds none.',
    remedy: 'Check that the file belongs to the export.',
  },
  {
    code: 'json-trailing',
    severity: 'blocks',
    title: 'Text behind the end',
    explanation: 'There is text after the end of the list.',
    remedy: 'Check the end of the file: two exports may have been joined.',
  },
  {
    code: 'not-an-object',
    severity: 'blocks',
    title: 'Rows that are not messages',
    explanation: 'A row is not an object.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'row-not-understood',
    severity: 'blocks',
    title: 'Rows that are not understood',
    explanation:
      'A value in the row has another type than the format requires, such as an object instead of a text. The row is left out; all others are read.',
    remedy: 'Compare the row at its place with its neighbours and correct it, or export again. Then plan again.',
  },
  {
    code: 'text-not-understood',
    severity: 'blocks',
    title: 'Messages whose text is no text',
    explanation: 'The text of the message is an object, a list or a number: without it the message would be empty.',
    remedy: 'Look at the row, and correct it.',
  },
  {
    code: 'missing-id',
    severity: 'blocks',
    title: 'Messages without an id',
    explanation: 'The message has no id, so it cannot be distinguished from others.',
    remedy: 'Correct the row, or name another column in source.messages.id.',
  },
  {
    code: 'user-without-id',
    severity: 'information',
    title: 'People without an id',
    explanation: 'The person has no id, so no message can name them.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'profile-detail-not-migrated',
    severity: 'information',
    title: 'Details of profiles that are not migrated',
    explanation:
      'The list of people says more of them than a name, a picture, an address and a role: no field holds it.',
    remedy: 'Nothing, or add it at the destination from the list of people.',
  },
  {
    code: 'conversation-without-id',
    severity: 'information',
    title: 'Conversations without an id',
    explanation: 'The conversation has no id, so no message can name it.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'no-members',
    severity: 'information',
    title: 'Direct conversations without people',
    explanation: 'The export does not say who is in a direct conversation.',
    remedy: 'Nothing: it becomes a group of those who wrote in it.',
  },
  {
    code: 'bad-time',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation: 'The time does not have the format that the mapping says.',
    remedy: 'Correct source.messages.time in the mapping, or the row.',
  },
  {
    code: 'time-in-gap',
    severity: 'information',
    title: 'Times that never were',
    explanation: 'The clock was put forward over this time: the zone of the export is probably another.',
    remedy: 'Check source.messages.time in the mapping.',
  },
  {
    code: 'time-in-overlap',
    severity: 'information',
    title: 'Times that came twice',
    explanation: 'The clock was put back: the time is taken as the first of the two.',
    remedy: 'Nothing; or export times with their offset.',
  },
  {
    code: 'day-assumed',
    severity: 'information',
    title: 'Midnights without a word',
    explanation: 'The time of day in a log starts over, and no line marks a new day: it is read as the next day.',
    remedy: 'Nothing, if the log was written without a break; otherwise write the day above the line.',
  },
  {
    code: 'encoding-assumed',
    severity: 'decision',
    title: 'Files in an encoding that was guessed',
    explanation: 'The bytes are not UTF-8; the encoding was chosen by its letters.',
    about: 'file',
    options: ['Set source.encoding in the mapping, if names look wrong.', 'Let it be so, if they look right.'],
    otherwise: 'the texts are sent as they were read',
  },
  {
    code: 'damaged-text',
    severity: 'information',
    title: 'Texts that were damaged before',
    explanation:
      'The file has the replacement character or a mixture of encodings: letters were lost before the export was made.',
    remedy: 'Export again, if the old system still shows the letters.',
  },
  {
    code: 'zone-assumed',
    severity: 'decision',
    title: 'Times without a zone',
    explanation: 'Times that name no zone are taken as UTC. If they are not, they are wrong by some hours.',
    about: 'zone',
    options: [
      'Set source.zone in the mapping to the time zone of the clock, such as Europe/Berlin.',
      'Ignore it if the clock was set to UTC.',
    ],
    otherwise: 'the times are taken as UTC',
  },
  {
    code: 'line-too-long',
    severity: 'blocks',
    title: 'Lines that are too long',
    explanation: 'The line is longer than any message: the file may be no text.',
    remedy: 'Check the line: a file may be embedded in it.',
  },
];

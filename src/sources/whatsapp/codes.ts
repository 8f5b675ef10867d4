import { sets } from '../../model/option.ts';
import { badRow, chatLogCodes, decision, note, type SourceCode } from '../kit/codes.ts';

export const whatsappCodes: readonly SourceCode[] = [
  ...chatLogCodes('whatsapp'),
  badRow(
    'whatsapp-bad-time',
    'Messages with an impossible date',
    'The line begins like a message, and there is no such day or time, such as 31/31/26. The message and the lines behind it cannot be placed.',
    'Correct the date in the file. If the order of day and month is wrong, set source.dates in the mapping.',
    {
      question: 'Does the day come first in these dates, or the month?',
      options: [
        sets('Read the day first', { 'source.dates': 'day-first' }),
        sets('Read the month first', { 'source.dates': 'month-first' }),
        sets('Read the year first', { 'source.dates': 'year-first' }),
      ],
    },
  ),
  badRow(
    'whatsapp-unknown-clock',
    'Times with words that are not known',
    'The time includes a word, such as "PM" in another language, and no known language has this word. No time in the file has an hour above 12, so the message could be twelve hours off.',
    'Set the phone to a clock of 24 hours or to English, and export the chat again; or write AM and PM in place of the words.',
  ),
  note(
    'whatsapp-absent',
    'Messages that the phone has not got',
    'The app wrote in place of the message that it waits for it, cannot show it, or "null": it is no text of its author.',
    'Open the chat on the phone until the messages are there, and export it again. messages.system: keep sends the texts of the app.',
  ),
  decision(
    'whatsapp-app-or-person',
    'Lines of the app or of a person',
    'The line has an invisible mark that WhatsApp puts before its own lines, or words of WhatsApp before the colon. A person may still have written it.',
    {
      about: 'message',
      question: 'Who wrote these lines: a person, or the app?',
      options: [
        sets('Send {count} as words of people', { 'source.unknownLines': 'people' }),
        sets('Treat {count} as lines of the app', { 'source.unknownLines': 'app' }),
      ],
      otherwise: 'they are sent as messages of the person whose name precedes them',
    },
  ),
  decision(
    'whatsapp-other-form',
    'Lines with dates in another form',
    'Some lines begin like messages, but write the date in another form than the rest of the file. Either a person pasted them into a message, or the file was joined from two exports.',
    {
      about: 'file',
      question: 'Are lines with a date in another form messages of their own?',
      options: [
        sets('Take the lines for a part of the message above', { 'source.otherForms': 'text' }),
        sets('Make messages of the lines', { 'source.otherForms': 'messages' }),
      ],
      otherwise: 'they are a part of the message above them',
    },
  ),
  decision(
    'whatsapp-same-name',
    'Chats of the same name',
    'Several files have one chat name and fewer than three messages in common: two chats, or exports of one chat from times that do not meet.',
    {
      about: 'file',
      question: 'Are these files of one name one chat?',
      options: [
        sets('Keep them apart, as different chats', { 'source.sameName': 'apart' }),
        sets('Join them to one chat', { 'source.sameName': 'together' }),
      ],
      otherwise: 'they stay different chats, with the paths of their files in their ids',
    },
  ),
  decision(
    'whatsapp-date-order',
    'Dates that could be read in two ways',
    'Days and months of the dates in this file are all 12 or less, so their order is unknown. They are read with the day first.',
    {
      about: 'file',
      question: 'Does the day come first in dates such as 3/4, or the month?',
      options: [
        sets('Read 3/4 as 3 April', { 'source.dates': 'day-first' }),
        sets('Read 3/4 as March 4', { 'source.dates': 'month-first' }),
      ],
      otherwise: 'the day is taken to come first',
    },
  ),
];

import type { SourceCode } from '../kit/codes.ts';

export const whatsappCodes: readonly SourceCode[] = [
  {
    code: 'whatsapp-no-message',
    severity: 'blocks',
    title: 'Text before the first message',
    explanation:
      'The lines stand before the first one with a time and belong to no message: the file was cut, or is no chat.',
    remedy: 'Export the chat again, or take the file out of the folder.',
  },
  {
    code: 'whatsapp-bad-time',
    severity: 'blocks',
    title: 'Messages whose date cannot be',
    explanation:
      'The line begins like a message, and there is no such day or time, such as 31/31/26. The message and the lines behind it cannot be placed.',
    remedy: 'Correct the date in the file. If the order of day and month is wrong, set source.dates in the mapping.',
  },
  {
    code: 'whatsapp-too-long',
    severity: 'blocks',
    title: 'Messages that do not end',
    explanation: 'More than a million characters stand behind the time of one message; no message is so long.',
    remedy: 'Look at the line: a file may have been pasted into the chat.',
  },
  {
    code: 'whatsapp-date-order',
    severity: 'decision',
    title: 'Dates that could be read in two ways',
    explanation:
      'Days and months of the dates in this file are all 12 or less, and nothing tells them apart. They are read with the day first.',
    about: 'file',
    options: [
      'Set source.dates in the mapping to day-first or month-first, as the phone was set.',
      'Let it be so, if the day comes first.',
    ],
    otherwise: 'the day is taken to come first',
  },
];

import type { SourceCode } from '../kit/codes.ts';

export const ircCodes: readonly SourceCode[] = [
  {
    code: 'irc-unknown-line',
    severity: 'blocks',
    title: 'Lines that are none of a log',
    explanation: 'The line has no time of day at its beginning, or behind it what no known client writes.',
    remedy: 'Look at the examples: the file may be no log, or a client writes it that is not known. Tell us.',
  },
  {
    code: 'irc-no-day',
    severity: 'blocks',
    title: 'Lines of an unknown day',
    explanation: 'The line says the time of day, and neither a line before it nor the name of the file says the day.',
    remedy:
      'Give the file a name with its day, 2026-03-02.log, or write "--- Day changed Mon Mar 02 2026" above the line.',
  },
];

import { asks, outside, sets } from '../../model/option.ts';
import { badRow, decision, type SourceCode } from '../kit/codes.ts';

export const ircCodes: readonly SourceCode[] = [
  badRow(
    'irc-unknown-line',
    'Lines that are none of a log',
    'The line is neither a message nor an event in the format of the program that wrote the file. That program is the one whose grammar fits most of the first thousand lines.',
    'Check the examples: the file may not be a log, or an unknown program wrote it. Report it to us.',
  ),
  badRow(
    'irc-unclear-star',
    'Lines that may be an event or an action',
    'HexChat, XChat and mIRC write "* ines waves" and "* Cannot join #harbour" in the same way. The line is no event that they are known to write, and the nick is in no other line of the export.',
    'Remove the line if it is an event. If it is an action, write it as a message: "<ines> waves".',
  ),
  decision(
    'irc-network-unknown',
    'Logs of one channel that may be of two networks',
    'Neither a folder nor the file says the network, and two logs of the same channel have different lines at the same time.',
    {
      about: 'file',
      question: 'Are these logs of one channel, or of channels of two networks?',
      options: [
        asks('Join the logs of one channel', 'conversations.merge', '[[C1, C2]]'),
        outside('Put each log into a folder with the name of its network, and pass the folder above'),
      ],
      otherwise: 'each file becomes a conversation of its own',
    },
  ),
  decision(
    'irc-nick-on-networks',
    'Nicks that are used on several networks',
    'The same nick writes on two networks. It may be the same person, or two.',
    {
      about: 'person',
      question: 'Is the same nick on two networks the same person?',
      options: [
        sets('Take the same nick for one person', { 'source.people': 'one-per-nick' }),
        sets('Take the same nick on two networks for two people', { 'source.people': 'one-per-network' }),
      ],
      otherwise: 'they are taken for one person',
    },
  ),
  badRow(
    'irc-no-day',
    'Lines of an unknown day',
    'The line says the time of day, and neither a line before it nor the name of the file says the day.',
    'Give the file a name with its day, 2026-03-02.log, or write "--- Day changed Mon Mar 02 2026" above the line.',
  ),
];

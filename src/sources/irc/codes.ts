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
      options: [
        'Put each log into a folder with the name of its network, and pass the folder above.',
        'Let it be so: each file becomes a conversation of its own.',
      ],
      otherwise: 'each file becomes a conversation of its own',
    },
  ),
  decision(
    'irc-nick-on-networks',
    'Nicks that are used on several networks',
    'The same nick writes on two networks. It may be the same person, or two.',
    {
      about: 'nothing',
      options: [
        'Let it be so, if they are the same people.',
        'Set source.people in the mapping to one-per-network, and join those who are one with people.merge.',
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

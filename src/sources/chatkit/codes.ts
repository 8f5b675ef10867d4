import type { SourceCode } from '../kit/codes.ts';

export const chatkitCodes: readonly SourceCode[] = [
  {
    code: 'chatkit-no-room',
    severity: 'blocks',
    title: 'Messages of no room',
    explanation: 'The message has no "room_id".',
    remedy: 'Correct the row.',
  },
  {
    code: 'chatkit-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"created_at" is no time as RFC 3339 writes it.',
    remedy: 'Correct the row.',
  },
  {
    code: 'chatkit-bad-part',
    severity: 'blocks',
    title: 'Messages with a part that cannot be read',
    explanation: 'A message has no list of parts, or one of its parts is no inline text, address or attachment.',
    remedy: 'Correct the row.',
  },
];

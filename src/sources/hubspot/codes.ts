import type { SourceCode } from '../kit/codes.ts';

export const hubspotCodes: readonly SourceCode[] = [
  {
    code: 'hubspot-truncated',
    severity: 'decision',
    title: 'Texts that are not whole',
    explanation:
      'HubSpot gives only a part of the text ("truncationStatus"): the latest reply of a mail without what it quotes, or the beginning of a long text.',
    about: 'message',
    options: [
      'Fetch the original content of these messages, and put each answer next to the export under the id of the message: originals/ID.json.',
      'Ignore it if the latest reply is enough.',
    ],
    otherwise: 'the part that is in the export is sent',
  },
  {
    code: 'hubspot-no-thread',
    severity: 'blocks',
    title: 'Messages of no thread',
    explanation: 'The message does not say in which thread it was written.',
    remedy: 'Add "conversationsThreadId" to the row, or fetch it again.',
  },
  {
    code: 'hubspot-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"createdAt" is no time of ISO 8601.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'hubspot-unclear-visibility',
    severity: 'blocks',
    title: 'Texts of which it is not known who saw them',
    explanation: 'The row has content, and is neither a message nor a comment. It may be a note for agents.',
    remedy: 'Look at it in HubSpot, and report its type to us.',
  },
  {
    code: 'hubspot-not-migrated',
    severity: 'information',
    title: 'Data around messages that is not migrated',
    explanation: 'No field holds the recipients of mails, and an original content without its message shows nothing.',
    remedy: 'Nothing. If original contents are left over, check that the messages were fetched too.',
  },
];

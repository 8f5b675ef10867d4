import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const hubspotCodes: readonly SourceCode[] = [
  note(
    'hubspot-truncated',
    'Texts that are not whole',
    'HubSpot gives only a part of the text ("truncationStatus"): the latest reply of a mail without what it quotes, or the beginning of a long text.',
    'Nothing, if the latest reply is enough. Else fetch the original content of these messages, and put each answer next to the export under the id of the message: originals/ID.json.',
  ),
  badRow(
    'hubspot-no-thread',
    'Messages of no thread',
    'The message does not say in which thread it was written.',
    'Add "conversationsThreadId" to the row, or fetch it again.',
  ),
  badAnswer('hubspot-bad-time', 'Messages without a time', '"createdAt" is no time of ISO 8601.'),
  badRow(
    'hubspot-unclear-visibility',
    'Texts of which it is not known who saw them',
    'The row has content, and is neither a message nor a comment. It may be a note for agents.',
    'Look at it in HubSpot, and report its type to us.',
  ),
  note(
    'hubspot-not-migrated',
    'Data around messages that is not migrated',
    'No field holds the recipients of mails, and an original content without its message shows nothing.',
    'Nothing. If original contents are left over, check that the messages were fetched too.',
  ),
];

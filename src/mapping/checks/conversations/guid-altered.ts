import type { ConversationCheck } from '../check.ts';

export const guidAltered: ConversationCheck = {
  code: 'guid-altered',
  severity: 'information',
  title: 'Guids that had to be altered',
  explanation: 'The id of the export has characters that a guid cannot have, or is too long: the guid ends in a hash.',
  remedy:
    'Give a template or guids in the mapping (conversations.guid, conversations.guids), if your app knows its groups by other ids.',
  find: ({ id }, { guid, receiverType }) =>
    receiverType === 'group' && /-[a-z2-7]{8}$/.test(guid) && guid !== id.toLowerCase()
      ? `"${id}" becomes "${guid}"`
      : undefined,
};

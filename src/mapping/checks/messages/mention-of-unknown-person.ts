import type { MessageCheck } from '../check.ts';

export const mentionOfUnknownPerson: MessageCheck = {
  code: 'mention-of-unknown-person',
  severity: 'information',
  title: 'Mentions of people whom no file describes',
  explanation:
    'The text shows the mention as it stands in the export; the person becomes a placeholder, named by their id.',
  remedy: 'Export the people too, or give their uids in the mapping (people.uids).',
  concerns: 'mentions',
  find({ mentions }, { isKnown }) {
    const unknown = mentions!.find((user) => !isKnown(user));
    return unknown === undefined ? undefined : `"${unknown}" is not described`;
  },
};

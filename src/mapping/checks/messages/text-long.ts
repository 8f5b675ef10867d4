import type { MessageCheck } from '../check.ts';

export const textLong: MessageCheck = {
  code: 'text-long',
  severity: 'information',
  title: 'Texts over 5,000 characters',
  explanation:
    'Clients may cut texts of this length; the service documents no limit of its own beyond the size of the message.',
  remedy: 'Nothing, or messages.overlong in the mapping.',
  concerns: 'unusual text',
  find: ({ text }) => (text.length > 5000 ? `${text.length} characters` : undefined),
};

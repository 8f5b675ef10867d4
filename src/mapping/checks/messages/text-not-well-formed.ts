import type { MessageCheck } from '../check.ts';

export const textNotWellFormed: MessageCheck = {
  code: 'text-not-well-formed',
  severity: 'decision',
  title: 'Broken characters',
  explanation:
    'The text holds half of a character (a lone surrogate): it was cut in the middle of an emoji. It cannot be sent as UTF-8 and becomes U+FFFD.',
  remedy: 'Correct the text at the source, or accept the replacement character.',
  concerns: 'unusual text',
  find: ({ text }) => (text.isWellFormed() ? undefined : 'half of a character'),
};

import type { MessageCheck } from '../check.ts';

export const replyToItself: MessageCheck = {
  code: 'reply-to-itself',
  severity: 'information',
  title: 'Replies to themselves',
  explanation: 'The message names itself as the root of its thread.',
  remedy: 'Nothing: it is sent as an ordinary message.',
  concerns: 'replies',
  find: ({ threadRoot, origin }) => (threadRoot === origin.id ? 'its own root' : undefined),
};

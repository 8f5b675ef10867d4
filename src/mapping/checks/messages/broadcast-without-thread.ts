import type { MessageCheck } from '../check.ts';

export const broadcastWithoutThread: MessageCheck = {
  code: 'broadcast-without-thread',
  severity: 'information',
  title: 'Broadcast replies without a thread',
  explanation: 'The message is marked as a reply that was also shown in the conversation, and names no thread.',
  remedy: 'Nothing: it is sent as an ordinary message.',
  concerns: 'broadcasts',
  find: ({ isBroadcast, threadRoot }) => (isBroadcast && threadRoot === undefined ? 'no thread' : undefined),
};

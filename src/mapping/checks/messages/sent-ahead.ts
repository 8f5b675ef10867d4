import type { MessageCheck } from '../check.ts';

export const sentAhead: MessageCheck = {
  code: 'sent-ahead',
  severity: 'information',
  title: 'Sent within the next day',
  explanation: 'The time of the message is less than a day ahead of now: usually a wrong time zone.',
  remedy: 'Check the time zone of the source.',
  concerns: 'anything',
  find: ({ sentAtMs }, { nowMs }) =>
    sentAtMs > nowMs && sentAtMs <= nowMs + 86_400_000
      ? `${Math.ceil((sentAtMs - nowMs) / 60_000)} minutes ahead`
      : undefined,
};

import { z } from 'zod';
import { isLoopback } from '../../lib/loopback.ts';

export const noticeReasons = ['failure', 'failed-messages', 'drift', 'recovery'] as const;
export type NoticeReason = (typeof noticeReasons)[number];

/**
 * Returns the fault of a webhook address, without repeating the address: such addresses often hold a token.
 *
 * `http:` is for this machine only: a notice names jobs and counts.
 */
export function webhookUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'expected an address, such as https://alerts.example.com/chatferry';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '') return 'it contains credentials; the signature says who calls';
  if (hash !== '') return 'it has a fragment';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return 'expected https; http is for this machine only';
}

const names = noticeReasons.join(', ');

/** `sync.webhook` of `chatferry.yaml`. */
export const webhookSchema = z
  .strictObject({
    url: z
      .string({ error: 'expected text' })
      .superRefine((text, context) => {
        const fault = webhookUrlFault(text);
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
      })
      .optional()
      .describe('Address to post to: https, or http on this machine. Else CHATFERRY_WEBHOOK_URL'),
    secretFile: z
      .string({ error: 'expected text' })
      .min(1, { error: 'expected a file' })
      .optional()
      .describe(
        'File with the secret that signs each request, mode 0600. Else CHATFERRY_WEBHOOK_SECRET; without either, requests are not signed',
      ),
    on: z
      .array(z.enum(noticeReasons, { error: `expected some of ${names}` }), { error: `expected a list of ${names}` })
      .min(1, { error: 'expected one reason at least; leave the key out for all of them' })
      .default([...noticeReasons])
      .describe(
        'When: failure (a run failed), failed-messages (rows were invalid, or messages failed), drift (something changed at the source), recovery (it works again). Default: all',
      ),
  })
  .describe('One POST when a run ends that you should know of');

export type WebhookOptions = z.output<typeof webhookSchema>;

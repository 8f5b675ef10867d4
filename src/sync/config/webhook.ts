import { z } from 'zod';
import { isLoopback } from '../../service/base-url.ts';
import { parseDuration } from '../../lib/text/units.ts';

/** Why somebody is notified of a run. */
export const noticeReasons = ['failure', 'failed-messages', 'drift', 'recovery'] as const;
export type NoticeReason = (typeof noticeReasons)[number];

/**
 * What is wrong with the address of a webhook, in words that do not repeat it: such addresses often hold a token.
 *
 * `http:` is for this machine only: a notice names jobs and counts.
 */
export function faultOfWebhookUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return 'expected an address, such as https://alerts.example.com/chatferry';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '') return 'it carries credentials; the signature says who calls';
  if (hash !== '') return 'it has a fragment';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return 'expected https; http is for this machine only';
}

const timeout = z.union([z.int(), z.string()], { error: 'expected a time' }).transform((value, context): number => {
  try {
    return inRange(parseDuration(String(value)), String(value));
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

function inRange(ms: number, text: string): number {
  if (ms >= 1_000 && ms <= 60_000) return ms;
  throw new RangeError(`expected a time from 1s to 60s, found "${text}"`);
}

/** `sync.webhook` of `chatferry.yaml`: who is notified when a run fails, finds drift, or works again. */
export const webhookSchema = z
  .strictObject({
    url: z
      .string({ error: 'expected text' })
      .superRefine((text, context) => {
        const fault = faultOfWebhookUrl(text);
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
      })
      .optional()
      .meta({
        description: 'Address that notices are posted to: https, or http on this machine. Else CHATFERRY_WEBHOOK_URL',
      }),
    secretFile: z.string({ error: 'expected text' }).min(1, { error: 'expected a file' }).optional().meta({
      description:
        'File with the secret that notices are signed with, mode 0600; a second line is a second secret, while they change. Else CHATFERRY_WEBHOOK_SECRET',
    }),
    on: z
      .array(z.enum(noticeReasons, { error: `expected some of ${noticeReasons.join(', ')}` }), {
        error: `expected a list of ${noticeReasons.join(', ')}`,
      })
      .min(1, { error: 'expected one reason at least; leave the key out for all of them' })
      .default([...noticeReasons])
      .meta({
        description:
          'When: failure (a run did not finish), failed-messages (it finished, and rejected or refused messages), drift (something changed at the source), recovery (it works again). Default: all',
      }),
    timeout: timeout.default(10_000).meta({ description: 'How long one request may take, 1s to 60s (default 10s)' }),
  })
  .meta({ description: 'A signed notice on failure, drift and recovery' });

export type WebhookOptions = z.output<typeof webhookSchema>;

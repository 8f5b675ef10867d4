import { createHmac } from 'node:crypto';
import { UsageError } from '../../lib/errors.ts';
import { readPrivateFile } from '../../lib/files/private-file.ts';
import { retry } from '../../lib/flow/retry.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import { Secret } from '../../lib/secret.ts';
import { version } from '../../lib/version.ts';
import type { Transport } from '../../service/transport.ts';
import { type NoticeReason, type WebhookOptions, webhookUrlFault } from '../config/webhook.ts';
import {
  type JobResult,
  type SyncListener,
  failuresAfter,
  isSuccess,
  type JobPast,
  toOutcome,
  runIdOf,
} from '../job-result.ts';
import { logFields, runEndFields, type SyncLog } from './log.ts';

export interface WebhookDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Past of each job that ran before, from the state. */
  readonly past: readonly JobPast[];
  /** API keys of the jobs: their values never reach the log or the receiver. */
  readonly secrets: readonly Secret[];
  readonly log: Pick<SyncLog, 'info' | 'warn'> | undefined;
}

type Webhook = Required<Pick<SyncListener, 'runEnded' | 'close'>>;

/** With waits of up to 1 and 2 s between them: enough for a restart of the receiver. */
const triesMax = 3;
const timeoutMs = 10_000;
/** Longest time that `close` waits for notices that are not delivered yet. */
const closeMs = 15_000;

/**
 * Posts one JSON object for each run that `on` asks for, in the order in which the runs end. A notice that is not taken is
 * logged and dropped, and never makes a run fail.
 *
 * @throws UsageError if the address is missing, or the address or the secret cannot be used.
 */
export async function openWebhook({ url, secretFile, on }: WebhookOptions, deps: WebhookDeps): Promise<Webhook> {
  const address = webhookAddress(deps.env.CHATFERRY_WEBHOOK_URL || url);
  const secret = readSecret(secretFile, deps.env);
  const secrets = secret ? [...deps.secrets, secret] : deps.secrets;
  const { createHttpTransport } = await import('../../service/http-transport.ts');
  const transport = createHttpTransport(new URL(address.origin), { connections: 1, responseBytesMax: 65_536 });
  const failures = new Map(deps.past.map(({ job, failuresInARow }) => [job, failuresInARow]));
  const closing = new AbortController();
  let sending = Promise.resolve();
  return {
    runEnded(result) {
      const failuresBefore = failures.get(result.job) ?? 0;
      const failuresInARow = failuresAfter(failuresBefore, result);
      failures.set(result.job, failuresInARow);
      const reasons = on.filter((reason) => applies[reason](result, failuresBefore));
      if (reasons.length === 0) return;
      const endedAt = new Date(result.endedAtMs).toISOString();
      const body = JSON.stringify(logFields({ reasons, endedAt, failuresInARow, ...runEndFields(result) }, secrets));
      const notice = { address, body, secret, transport };
      sending = sending.then(async () => {
        const fault = await deliver(notice, deps, closing.signal);
        const fields = { job: result.job, run: runIdOf(result), host: address.host };
        if (fault === undefined) deps.log?.info('webhook: notice delivered', fields);
        else deps.log?.warn('webhook: notice failed', { ...fields, reason: fault });
      });
    },
    async close() {
      const limit = timeLimit(closeMs, deps.clock);
      limit.signal.addEventListener('abort', () => closing.abort());
      await sending;
      limit.cancel();
      await transport.close();
    },
  };
}

const applies: Readonly<Record<NoticeReason, (result: JobResult, failuresBefore: number) => boolean>> = {
  failure: (result) => ['failed', 'needs-person'].includes(toOutcome(result)),
  'failed-messages': ({ added }) => added.invalid + added.failed > 0,
  drift: ({ added }) => Object.values(added.drift).some((changes) => changes > 0),
  recovery: (result, failuresBefore) => failuresBefore > 0 && isSuccess(result),
};

interface Notice {
  readonly address: URL;
  readonly body: string;
  readonly secret: Secret | undefined;
  readonly transport: Transport;
}

/**
 * Posts until a 2xx. No answer, 408, 429 and 5xx are tried again; any other status is final, redirects too.
 *
 * @returns Why the notice was not taken: a status or a code, never a message of the network, which may repeat the address.
 */
async function deliver(
  { address, body, secret, transport }: Notice,
  { clock, random }: WebhookDeps,
  stop: AbortSignal,
): Promise<string | undefined> {
  const signature = secret && createHmac('sha256', secret.reveal()).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'user-agent': `chatferry/${version}`,
    ...(signature && { 'x-chatferry-signature': `sha256=${signature}` }),
  };
  const request = { method: 'POST', path: address.pathname + address.search, headers, body } as const;
  /** @returns The status, or a code if there is no answer. */
  const post = async () => {
    const limit = timeLimit(timeoutMs, clock);
    const answer = await transport
      .send(request, AbortSignal.any([limit.signal, stop]))
      .then(({ status }) => status)
      .catch((fault: NodeJS.ErrnoException) => (typeof fault.code === 'string' ? fault.code : 'no answer'));
    limit.cancel();
    return answer;
  };
  const again = (answer: number | string, tries: number) => {
    const isFinal = typeof answer === 'number' && ![408, 429].includes(answer) && answer < 500;
    return isFinal || tries === triesMax || stop.aborted ? undefined : { initialMs: 1_000 };
  };
  const answer = await retry(post, { again, clock, random, signal: stop }).catch(() => 'stopped');
  if (typeof answer === 'string') return answer;
  return answer >= 200 && answer < 300 ? undefined : `status ${answer}`;
}

/** A signal that aborts after `ms`, unless it is cancelled before. */
function timeLimit(ms: number, clock: Clock): { readonly signal: AbortSignal; cancel(): void } {
  const limit = new AbortController();
  const cancelled = new AbortController();
  clock.sleep(ms, cancelled.signal).then(
    () => limit.abort(),
    () => {},
  );
  return { signal: limit.signal, cancel: () => cancelled.abort() };
}

const usage = (reason: string, hint: string) => new UsageError(`Cannot use the webhook: ${reason}`, { hint });

function webhookAddress(given: string | undefined): URL {
  const fault = given === undefined ? 'no address is given' : webhookUrlFault(given);
  if (fault !== undefined) throw usage(fault, 'Set sync.webhook.url, or CHATFERRY_WEBHOOK_URL');
  return new URL(given!);
}

/** Nothing if neither the file nor the variable is set. */
function readSecret(file: string | undefined, env: WebhookDeps['env']): Secret | undefined {
  const text = file === undefined ? env.CHATFERRY_WEBHOOK_SECRET : readPrivateFile(file, 'the webhook secret');
  if (text === undefined) return undefined;
  const hint = 'Make a secret with: openssl rand -hex 32';
  if (text.trim() === '') throw usage(`"${file ?? 'CHATFERRY_WEBHOOK_SECRET'}" holds no secret`, hint);
  return new Secret(text.trim());
}

import { createHmac } from 'node:crypto';
import type { Clock } from '../lib/flow/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { readPrivateFile } from '../lib/files/private-file.ts';
import { Secret } from '../lib/secret.ts';
import { version } from '../lib/version.ts';
import type { Transport } from '../service/transport.ts';
import { backoff } from '../lib/flow/backoff.ts';
import type { Waiting } from './webhook-notice.ts';

export interface SendDeps {
  readonly transport: Transport;
  /** Path and query of the webhook. */
  readonly path: string;
  readonly secrets: readonly Secret[];
  readonly clock: Clock;
  readonly random: () => number;
}

/** What became of one notice this time: taken, or not, with a reason that repeats nothing of the receiver's. */
export type Sent =
  | { readonly isTaken: true }
  | { readonly isTaken: false; readonly reason: string; readonly isAway: boolean };

/** Four, waiting up to 1, 2 and 4 s in between: a restart of the receiver, not a night without it. */
const attemptsMax = 4;

/**
 * Posts a notice until it is taken (2xx), four times at most, signed anew each time. A receiver that does not answer, is
 * overloaded or broken (408, 429, 5xx) is asked again; one that says no is not, and redirects count as no.
 */
export async function sendNotice(notice: Waiting, deps: SendDeps, signal: AbortSignal): Promise<Sent> {
  for (let attempt = 1; ; attempt++) {
    const sent = await attemptOnce(notice, deps, signal);
    if (sent.isTaken || !sent.isAway || attempt === attemptsMax || signal.aborted) return sent;
    const waitMs = backoff(attempt + 1, deps.random(), { initialMs: 1_000 });
    const isCut = await deps.clock.sleep(waitMs, signal).then(
      () => false,
      () => true,
    );
    if (isCut) return sent;
  }
}

async function attemptOnce(notice: Waiting, deps: SendDeps, signal: AbortSignal): Promise<Sent> {
  const { transport, path, secrets, clock } = deps;
  const headers = {
    'content-type': 'application/json',
    'user-agent': `chatferry/${version}`,
    'x-chatferry-event': notice.id,
    [signatureHeader]: signatureOf(notice.body, secrets, clock.now()),
  };
  try {
    const { status } = await transport.send({ method: 'POST', path, headers, body: notice.body }, signal);
    if (status >= 200 && status < 300) return { isTaken: true };
    return { isTaken: false, reason: `status ${status}`, isAway: status === 408 || status === 429 || status >= 500 };
  } catch (fault) {
    return { isTaken: false, reason: reasonOf(fault), isAway: true };
  }
}

/** Code only: messages of the network may repeat the address. */
const reasonOf = (fault: unknown): string => {
  const { code } = fault as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'no answer';
};

const signatureHeader = 'x-chatferry-signature';

/**
 * `t=1795261200,v1=5257a8…`: Unix seconds of this attempt, and the HMAC-SHA-256 of `<t>.<body>` in hex, one for each secret.
 * The time is signed too, so that a receiver can refuse what somebody recorded and sends again.
 */
export function signatureOf(body: string, secrets: readonly Secret[], atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`).digest('hex');
    return `v1=${digest}`;
  });
  return [`t=${seconds}`, ...signatures].join(',');
}

/** Shorter ones can be guessed from one signed notice. */
const lengthMin = 16;

const hint = 'Make one with: openssl rand -hex 32';

/**
 * The secrets that notices are signed with: from a file that only its owner may read, a secret a line, or one from
 * CHATFERRY_WEBHOOK_SECRET. Two at most: the old one and the new one, while receivers change over.
 *
 * @throws UsageError where there is none, or where others may read it.
 */
export function readWebhookSecrets(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  const text = file === undefined ? (env.CHATFERRY_WEBHOOK_SECRET ?? '') : readSecrets(file);
  const lines = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  const place = file === undefined ? 'CHATFERRY_WEBHOOK_SECRET' : `"${file}"`;
  if (lines.length === 0) throw usage(`${place} holds none`, 'Set sync.webhook.secretFile, or that variable');
  if (lines.length > 2) throw usage(`${place} holds ${lines.length}, expected one, or two while they change`);
  if (lines.some((line) => line.length < lengthMin)) {
    throw usage(`${place} holds one shorter than ${lengthMin} characters`);
  }
  return lines.map((line) => new Secret(line));
}

const readSecrets = (file: string) =>
  readPrivateFile(file, 'the secret of the webhook', (code) => `: "${file}": ${code}`, hint);

const usage = (reason: string, help = hint) =>
  new UsageError(`Cannot read the secret of the webhook: ${reason}`, { hint: help });

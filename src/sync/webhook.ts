import { faultOfWebhookUrl, type WebhookOptions } from './config/webhook.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { UsageError } from '../lib/errors.ts';
import type { Secret } from '../lib/secret.ts';
import type { Transport } from '../service/transport.ts';
import type { JobResult, SyncListener } from './events.ts';
import type { SyncLog } from './log.ts';
import type { NoticeOutcome } from './metrics.ts';
import { failuresAfter, type JobPast } from './outcome.ts';
import { noticeOf, Outbox, type Waiting } from './webhook-notice.ts';
import { readWebhookSecrets, sendNotice, type Sent } from './webhook-send.ts';

export interface WebhookDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly past: readonly JobPast[];
  /** Folder of the notices that nobody has taken yet. */
  readonly outboxFolder: string;
  /** Whose values never reach the receiver, beside the webhook's own. */
  readonly secrets: readonly Secret[];
  readonly log: Pick<SyncLog, 'info' | 'warn'> | undefined;
  readonly count: (outcome: NoticeOutcome) => void;
  readonly countWaiting: (waiting: number) => void;
}

/** Between two passes over notices that nobody takes: 5 minutes, an hour at most. */
const laterMinMs = 300_000;
const laterMaxMs = 3_600_000;
/** How long `close` waits for a request that is on its way. */
const closeMs = 15_000;

const usage = (reason: string) =>
  new UsageError(`Cannot use the webhook: ${reason}`, { hint: 'Set sync.webhook.url, or CHATFERRY_WEBHOOK_URL' });

/** @throws UsageError where address or secret are missing or cannot be used. */
export async function openWebhook(options: WebhookOptions, deps: WebhookDeps): Promise<Webhook> {
  const given = deps.env.CHATFERRY_WEBHOOK_URL || options.url;
  if (given === undefined) throw usage('no address is given');
  const fault = faultOfWebhookUrl(given);
  if (fault !== undefined) throw usage(fault);
  const secrets = readWebhookSecrets(options.secretFile, deps.env);
  const url = new URL(given);
  const { createHttpTransport } = await import('../service/client/http-transport.ts');
  const transport = createHttpTransport(new URL(url.origin), {
    connections: 1,
    requestTimeoutMs: options.timeout,
    // Nobody reads it.
    responseBytesMax: 65_536,
  });
  return new Webhook({ ...deps, secrets: [...deps.secrets, ...secrets] }, options, { url, transport, secrets });
}

interface Receiver {
  readonly url: URL;
  readonly transport: Transport;
  readonly secrets: readonly Secret[];
}

/**
 * Posts to the webhook what happened, one notice at a time, in order. A notice is written down before it is sent and forgotten
 * when it was taken: it arrives at least once, and its `id` tells repeats. Whatever goes wrong here goes to the log and the
 * metrics, and never touches a run.
 */
export class Webhook implements SyncListener {
  readonly #deps: WebhookDeps;
  readonly #on: WebhookOptions['on'];
  readonly #receiver: Receiver;
  readonly #outbox: Outbox;
  readonly #failures: Map<string, number>;
  readonly #closing = new AbortController();
  #wake = new AbortController();
  #work = Promise.resolve();
  #closed: Promise<void> | undefined;
  #isWorking = false;
  #isClosing = false;
  /** Whether a notice came since the last pass began. */
  #isUntried = false;

  constructor(deps: WebhookDeps, { on }: Pick<WebhookOptions, 'on'>, receiver: Receiver) {
    this.#deps = deps;
    this.#on = on;
    this.#receiver = receiver;
    this.#outbox = new Outbox(deps.outboxFolder, (code) =>
      deps.log?.warn('webhook: the folder of waiting notices cannot be used', { code }),
    );
    this.#failures = new Map(deps.past.map(({ job, failuresInARow }) => [job, failuresInARow]));
  }

  /** What an earlier process could not deliver goes out now. */
  started(): void {
    this.#deliver();
  }

  runEnded(result: JobResult): void {
    const failuresBefore = this.#failures.get(result.job) ?? 0;
    this.#failures.set(result.job, failuresAfter(failuresBefore, result));
    const notice = noticeOf(result, { on: this.#on, failuresBefore, secrets: this.#deps.secrets });
    if (!notice) return;
    this.#isUntried = true;
    this.#outbox.add({ id: notice.id, createdAtMs: this.#deps.clock.now(), body: JSON.stringify(notice) });
    this.#deliver();
  }

  /** Waits for what is on its way, 15 s at most; what nobody has taken waits for the next start. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#wake.abort();
    const timeUp = new AbortController();
    const cut = this.#deps.clock.sleep(closeMs, timeUp.signal).then(
      () => this.#closing.abort(new Error('closing')),
      () => {},
    );
    await this.#work;
    timeUp.abort();
    await cut;
    await this.#receiver.transport.close();
  }

  /** Begins to deliver, or cuts the pause of who does. */
  #deliver(): void {
    this.#deps.countWaiting(this.#outbox.waiting.length);
    if (this.#isWorking) this.#wake.abort();
    else this.#work = this.#passes();
  }

  /** While closing, what has not been tried yet still gets its turn. */
  async #passes(): Promise<void> {
    this.#isWorking = true;
    for (let laterMs = laterMinMs; this.#outbox.waiting.length > 0 && (this.#isUntried || !this.#isClosing); ) {
      this.#wake = new AbortController();
      this.#isUntried = false;
      const isAnyTaken = await this.#pass();
      if (this.#outbox.waiting.length === 0 || this.#isClosing) continue;
      if (isAnyTaken) laterMs = laterMinMs;
      // A new notice wakes it early.
      await this.#deps.clock.sleep(laterMs, this.#wake.signal).catch(() => {});
      laterMs = Math.min(laterMs * 2, laterMaxMs);
    }
    this.#isWorking = false;
  }

  /** Every notice once, until the receiver seems to be away. */
  async #pass(): Promise<boolean> {
    let isAnyTaken = false;
    const { url, transport, secrets } = this.#receiver;
    const { clock, random } = this.#deps;
    for (const dropped of this.#outbox.prune(clock.now()))
      this.#report(dropped, 'dropped', 'too old, or too many wait');
    for (const notice of this.#outbox.waiting) {
      const deps = { transport, path: url.pathname + url.search, secrets, clock, random };
      const sent = await sendNotice(notice, deps, this.#closing.signal);
      this.#noteSent(notice, sent);
      isAnyTaken ||= sent.isTaken;
      if (this.#closing.signal.aborted || (!sent.isTaken && sent.isAway)) break;
    }
    return isAnyTaken;
  }

  #noteSent(notice: Waiting, sent: Sent): void {
    if (sent.isTaken) this.#outbox.remove(notice);
    this.#deps.countWaiting(this.#outbox.waiting.length);
    if (sent.isTaken) this.#report(notice, 'delivered');
    else this.#report(notice, 'failed', sent.reason);
  }

  /** Of the address only the host: the rest may be a secret. */
  #report({ id }: Waiting, outcome: NoticeOutcome, reason?: string): void {
    this.#deps.count(outcome);
    const level = outcome === 'delivered' ? 'info' : 'warn';
    this.#deps.log?.[level](`webhook: notice ${outcome}`, { id, reason, host: this.#receiver.url.host });
  }
}

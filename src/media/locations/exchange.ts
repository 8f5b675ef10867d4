import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { connectionWords } from '../../io/web/connection-fault.ts';
import { tlsFault } from '../../lib/tls-faults.ts';
import { MediaFault } from '../media-location.ts';

export interface MediaRequest {
  readonly method: 'HEAD' | 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Of as many bytes as `content-length` says. */
  readonly body?: AsyncIterable<Uint8Array> | Uint8Array;
  /** How long it may take until the answer begins, in ms, where that is longer than usual. */
  readonly quietMs?: number;
  readonly signal: AbortSignal;
}

/** An answer whose body was not read yet. Whoever gets it reads it, or drops it with `drop`. */
export interface MediaAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  /** @throws MediaFault `again` where the connection breaks off. */
  bytes(): AsyncGenerator<Uint8Array, void>;
  /** At most 1 MiB of it, as text; the rest is dropped. Nothing where the connection breaks off. */
  text(): Promise<string>;
  drop(): Promise<void>;
}

/** 1 MiB: lists of parts, and pages of gateways. */
const textBytesMax = 1024 * 1024;

/**
 * HTTP/1.1 with one server. Redirects are answered, not followed, and nothing is sent again by itself. Time is limited where nothing
 * moves, never for the whole: a large file takes as long as it takes.
 */
export class Exchange {
  readonly #agent: Agent;

  private constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** @param quietMs The longest time in which nothing comes or goes; 60 s by default. @throws UsageError where certificates are not looked at */
  static async open(quietMs = 60_000): Promise<Exchange> {
    // Loaded where they are needed: 15 MB that other commands do without.
    const { refuseUnverifiedTls } = await import('../../service/http-transport.ts');
    const { Agent } = await import('undici');
    refuseUnverifiedTls();
    const agent = new Agent({
      allowH2: false,
      connect: { timeout: 10_000, rejectUnauthorized: true },
      headersTimeout: quietMs,
      bodyTimeout: quietMs,
      maxHeaderSize: 16 * 1024,
      // Below what servers use: a socket that is closed while we send costs the whole file once more.
      keepAliveTimeout: 4_000,
      keepAliveTimeoutThreshold: 2_000,
      keepAliveMaxTimeout: 60_000,
    });
    return new Exchange(agent);
  }

  /** @throws MediaFault where no answer comes; the signal's reason. */
  async send({ method, url, headers, body, quietMs, signal }: MediaRequest): Promise<MediaAnswer> {
    try {
      const answer = await this.#agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { 'user-agent': 'chatferry', 'accept-encoding': 'identity', ...headers },
        body:
          body === undefined ? null : body instanceof Uint8Array ? body : Readable.from(body, { objectMode: false }),
        // A connection stays after HEAD too: there is one before every file.
        reset: false,
        ...(quietMs !== undefined && { headersTimeout: quietMs }),
        signal,
      });
      return new Answer(answer, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw connectionFault(error);
    }
  }

  /** What is on its way is cut off. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

class Answer implements MediaAnswer {
  readonly status: number;
  readonly #answer: Dispatcher.ResponseData;
  readonly #signal: AbortSignal;

  constructor(answer: Dispatcher.ResponseData, signal: AbortSignal) {
    this.status = answer.statusCode;
    this.#answer = answer;
    this.#signal = signal;
  }

  header(name: string): string | undefined {
    return [this.#answer.headers[name] ?? []].flat()[0];
  }

  async *bytes(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* this.#answer.body;
    } catch (error) {
      this.#signal.throwIfAborted();
      throw connectionFault(error);
    }
  }

  async text(): Promise<string> {
    const held: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of this.bytes()) {
        held.push(chunk);
        bytes += chunk.length;
        if (bytes >= textBytesMax) break;
      }
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof MediaFault)) throw error;
    }
    return Buffer.concat(held).toString('utf8', 0, textBytesMax);
  }

  /** A short body is read, so that the connection can be used again. */
  async drop(): Promise<void> {
    await this.#answer.body.dump({ limit: 64 * 1024, signal: this.#signal }).catch(() => this.#signal.throwIfAborted());
  }
}

/** Where no answer came. Whether the other side did what was asked is unknown: it has to be looked at, or asked for again. */
function connectionFault(error: unknown): MediaFault {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const tls = tlsFault(code);
  if (tls) return new MediaFault(`Cannot reach where files stay: ${tls.words}`, { kind: 'stop', hint: tls.hint });
  return new MediaFault(`Cannot reach where files stay: ${connectionWords(error)}`, { kind: 'again' });
}

/** Of mistakes in a call, which are ours. */
const ours: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE']);

/** Node's or undici's. Undefined for mistakes of ours. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return ours.has(error.code) ? undefined : error.code;
}

import { encodeKey } from './key-template.ts';
import { answerFault, type Verdict, verdictOf } from './answer-fault.ts';
import { CheckedBody, sourceFirst } from './checked-body.ts';
import type { Exchange, MediaAnswer } from './exchange.ts';
import { type MediaContent, MediaFault, type MediaLocation, type StoredMedia } from './media-location.ts';
import { pathSegments } from './path-segments.ts';

export interface PutOptions {
  /** With `{key}` in its path, once; no query: `https://files.example/{key}`. */
  readonly template: string;
  /** At which people open the files; default: where they are put. No slash at its end. */
  readonly address?: string | undefined;
  /** For every request to that origin, and to no other. They may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that takes files by PUT: WebDAV, a store of packages, something of one's own. */
export class PutLocation implements MediaLocation {
  readonly name: string;
  readonly provesContent = false;
  readonly #options: PutOptions;
  readonly #exchange: Exchange;
  /** Found out with the first answer to HEAD. */
  #knowsHead = true;

  constructor(options: PutOptions, exchange: Exchange) {
    this.name = options.template;
    this.#options = options;
    this.#exchange = exchange;
  }

  async head(key: string, signal: AbortSignal): Promise<StoredMedia | undefined> {
    if (this.#knowsHead) {
      const answer = await this.#ask('HEAD', key, signal);
      await answer.drop();
      if (isNothing(answer)) return undefined;
      this.#knowsHead = answer.status !== 405 && answer.status !== 501;
      if (this.#knowsHead && !isSuccess(answer)) throw headFault(answer);
      const sizeBytes = this.#knowsHead ? countOf(answer.header('content-length')) : undefined;
      if (sizeBytes !== undefined) return { sizeBytes };
    }
    return this.#headByGet(key, signal);
  }

  async #headByGet(key: string, signal: AbortSignal): Promise<StoredMedia | undefined> {
    const answer = await this.#ask('GET', key, signal, { range: 'bytes=0-0' });
    const sizeBytes = await sizeOf(answer);
    await answer.drop();
    if (isNothing(answer)) return undefined;
    if (sizeBytes === undefined) throw await faultOf(answer, 'look for a copy');
    return { sizeBytes };
  }

  async put(key: string, content: MediaContent, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const body = new CheckedBody(content);
    try {
      const answer = await this.#exchange.send({
        method: 'PUT',
        url: this.#url(key),
        headers: { ...headersOf(content), ...this.#options.headers },
        body: body.bytes(),
        signal,
      });
      if (!isSuccess(answer)) throw await faultOf(answer, 'put a copy');
      await answer.drop();
    } catch (error) {
      throw sourceFirst(body, error);
    }
  }

  async *read(key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const answer = await this.#ask('GET', key, signal);
    if (answer.status === 200) return yield* answer.bytes();
    if (!isNothing(answer)) throw await faultOf(answer, 'read the copy');
    await answer.drop();
    throw new MediaFault('Cannot read the copy: it is not there', { kind: 'never' });
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#ask('DELETE', key, signal);
    if (!isSuccess(answer) && !isNothing(answer)) throw await faultOf(answer, 'remove the copy');
    await answer.drop();
  }

  addressOf(key: string): string {
    const { address } = this.#options;
    return address === undefined ? this.#url(key).href : `${address}/${encodeKey(key)}`;
  }

  close(): Promise<void> {
    return this.#exchange.close();
  }

  #ask(method: 'HEAD' | 'GET' | 'DELETE', key: string, signal: AbortSignal, headers = {}): Promise<MediaAnswer> {
    signal.throwIfAborted();
    return this.#exchange.send({
      method,
      url: this.#url(key),
      headers: { ...this.#options.headers, ...headers },
      signal,
    });
  }

  #url(key: string): URL {
    pathSegments(key);
    return new URL(this.#options.template.split('{key}').join(encodeKey(key)));
  }
}

/** With the digest by RFC 9530, for servers that check it. */
function headersOf({ sizeBytes, contentType, disposition, sha256 }: MediaContent): Readonly<Record<string, string>> {
  return {
    'content-length': String(sizeBytes),
    'content-type': contentType,
    ...(disposition !== '' && { 'content-disposition': disposition }),
    'content-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  };
}

const isSuccess = ({ status }: MediaAnswer): boolean => status >= 200 && status < 300;
const isNothing = ({ status }: MediaAnswer): boolean => status === 404 || status === 410;

/** Of the whole, by an answer to the question for its first byte. Undefined where it does not say. */
async function sizeOf(answer: MediaAnswer): Promise<number | undefined> {
  const ofRange = /^bytes (?:\d+-\d+|\*)\/(\d{1,16})$/.exec(answer.header('content-range') ?? '')?.[1];
  if (answer.status === 206 || answer.status === 416) return countOf(ofRange);
  if (answer.status !== 200) return undefined;
  const length = countOf(answer.header('content-length'));
  if (length !== undefined) return length;
  // It comes whole, and nothing says how long it is.
  let bytes = 0;
  for await (const chunk of answer.bytes()) bytes += chunk.length;
  return bytes;
}

function countOf(text: string | undefined): number | undefined {
  const count = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(count) ? count : undefined;
}

const refused = 'Check the headers in the file that media.credentials names';
const byStatus: Readonly<Record<number, Verdict>> = {
  401: { kind: 'stop', words: 'it wants to know who asks', hint: refused },
  403: { kind: 'stop', words: 'it does not let us in', hint: refused },
  404: { kind: 'stop', words: 'there is no such place', hint: 'Check media.to' },
  405: { kind: 'stop', words: 'it does not take that', hint: 'Check media.to: the server has to take PUT there' },
  409: { kind: 'stop', words: 'a folder above is missing', hint: 'Make it there, or use a media.key without slashes' },
};

async function faultOf(answer: MediaAnswer, action: string): Promise<MediaFault> {
  await answer.drop();
  const { status } = answer;
  const verdict = byStatus[status] ?? verdictOf(status, answer.header('location'));
  return answerFault(answer, { action, who: 'the server', status: String(status), verdict });
}

/** What it answers to a question for the length says nothing of the file. */
function headFault(answer: MediaAnswer): MediaFault {
  const { status } = answer;
  const verdict = byStatus[status] ?? verdictOf(status, answer.header('location'));
  const kind = verdict.kind === 'never' ? 'stop' : verdict.kind;
  return answerFault(answer, {
    action: 'look for a copy',
    who: 'the server',
    status: String(status),
    verdict: { ...verdict, kind },
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { allOf } from './media-content.ts';
import { serveHere } from './serve-here.ts';

interface Kept {
  readonly bytes: Buffer;
  readonly headers: IncomingMessage['headers'];
}

/** A server that keeps what is put to it, once it arrived whole. */
export class PutServer {
  readonly kept = new Map<string, Kept>();
  /** `PUT /a.png`, in their order, and the header `authorization` of each. */
  readonly requests: (readonly [string, string | undefined])[] = [];
  instead: ((asked: string) => ((request: IncomingMessage, response: ServerResponse) => void) | undefined) | undefined;

  serve = (): Promise<string> => serveHere((request, response) => void this.#answer(request, response));

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    this.requests.push([`${method} ${url}`, headers.authorization]);
    const other = this.instead?.(`${method} ${url}`);
    if (other) return other(request, response);
    const bytes = await allOf(request).catch(() => undefined);
    if (bytes === undefined || !request.complete) return;
    const key = decodeURIComponent(url!.slice(1));
    const kept = this.kept.get(key);
    if (method === 'PUT') this.kept.set(key, { bytes, headers });
    else if (!kept) return void response.writeHead(404).end();
    else if (method === 'DELETE') this.kept.delete(key);
    else return answerWith(response, kept, request);
    response.writeHead(204).end();
  }
}

function answerWith(response: ServerResponse, { bytes }: Kept, { method, headers }: IncomingMessage): void {
  const isPart = headers.range === 'bytes=0-0' && bytes.length > 0;
  const sent = isPart ? bytes.subarray(0, 1) : bytes;
  response.writeHead(isPart ? 206 : 200, {
    'content-length': sent.length,
    ...(isPart && { 'content-range': `bytes 0-0/${bytes.length}` }),
  });
  response.end(method === 'HEAD' ? undefined : sent);
}

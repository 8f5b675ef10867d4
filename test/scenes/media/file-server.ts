import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from '../../file-end.ts';
import type { Breaking } from './breaking.ts';

/** A file that a host of an old system has, or why it does not give it. */
export type ServedFile = GivenFile | { readonly kind: 'gone' } | { readonly kind: 'login' };

interface GivenFile {
  readonly kind: 'there';
  readonly bytes: Buffer;
  readonly type: string;
  readonly hasRanges: boolean;
}

const loginPage = '<!doctype html><html><head><title>Sign in</title></head><body><form></form></body></html>';

/** Hosts of an old system, all on one port of this machine, that break a share of their requests; see `Breaking`. */
export class FileServer {
  readonly files = new Map<string, ServedFile>();
  readonly breaking: Breaking;
  #port = 0;

  constructor(breaking: Breaking) {
    this.breaking = breaking;
  }

  /** Until the test file ends. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response));
    atFileEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** @returns Its address, by a name that only the resolver of tests knows. */
  add(host: string, path: string, file: ServedFile): string {
    this.files.set(`${host}:${this.#port}${path}`, file);
    return `http://${host}:${this.#port}${path}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = `${request.headers.host}${request.url}`;
    const file: ServedFile = this.files.get(asked) ?? { kind: 'gone' };
    if (file.kind === 'gone') return void response.writeHead(404).end('Not found');
    if (file.kind === 'login') return void response.writeHead(200, { 'content-type': 'text/html' }).end(loginPage);
    const way = this.breaking.next(asked);
    if (way === 'error') response.writeHead(500).end();
    else if (way === 'busy') response.writeHead(503, { 'retry-after': '1' }).end();
    else give(request, response, file, way);
  }
}

function give(
  { headers: { range, 'if-range': validator } }: IncomingMessage,
  response: ServerResponse,
  { bytes, type, hasRanges }: GivenFile,
  way: 'cut' | 'long' | 'slow' | undefined,
): void {
  const tag = `"${bytes.length}-${bytes.readUInt32BE(0)}"`;
  const wanted = hasRanges && validator === tag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
  const rest = bytes.subarray(wanted);
  response.writeHead(wanted > 0 ? 206 : 200, {
    'content-type': type,
    'content-length': rest.length + (way === 'long' ? 10 : 0),
    ...(hasRanges && { etag: tag }),
    ...(wanted > 0 && { 'content-range': `bytes ${wanted}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (way === 'cut') response.write(rest.subarray(0, rest.length / 2), () => response.socket?.resetAndDestroy());
  else if (way === 'long') response.write(rest, () => response.socket?.end());
  else if (way === 'slow') trickle(response, rest);
  else response.end(rest);
}

/** In four pieces, a while apart. */
function trickle(response: ServerResponse, bytes: Buffer, piece = 0): void {
  const size = Math.ceil(bytes.length / 4);
  response.write(bytes.subarray(piece * size, (piece + 1) * size));
  if (piece === 3) response.end();
  else setTimeout(() => trickle(response, bytes, piece + 1), 50);
}

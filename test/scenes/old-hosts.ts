import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AddressRule } from '../../src/io/web/address-rule.ts';
import { atFileEnd } from '../file-end.ts';
import { someBytes } from './media-content.ts';

/** The hosts of samples, on one port of this machine: a file for every path, of which some need a token, one has moved to another host, and some are gone. */
export class OldHosts {
  /** In the order in which they were asked for, with the token that came. */
  readonly asked: { readonly host: string; readonly path: string; readonly authorization: string | undefined }[] = [];
  /** Digests of what was given. */
  readonly given = new Set<string>();
  readonly #token: string;
  #port = 0;

  constructor(token: string) {
    this.#token = token;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response));
    atFileEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Returns the URL of a host, without path. */
  origin = (host: string): string => `http://${host}:${this.#port}`;

  #answer({ headers, url }: IncomingMessage, response: ServerResponse): void {
    const host = (headers.host ?? '').split(':')[0]!;
    const path = url ?? '';
    this.asked.push({ host, path, authorization: headers.authorization });
    if (host === 'files.slack.com' && headers.authorization !== `Bearer ${this.#token}`)
      return void response.writeHead(302, { location: `${this.origin('login.example')}/signin` }).end();
    if (path === '/F05CANVAS1/canvas')
      return void response.writeHead(302, { location: `${this.origin('elsewhere.example')}/moved/canvas` }).end();
    if (/gone|expired/.test(path)) return void response.writeHead(404).end('This content is no longer available.');
    const bytes = bytesAt(path);
    this.given.add(createHash('sha256').update(bytes).digest('hex'));
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length }).end(bytes);
  }
}

/** The same for the same path, without its query. */
const bytesAt = (path: string): Buffer =>
  someBytes(5_000, createHash('sha256').update(path.split('?')[0]!).digest().readUInt32BE(0));

/** Whatever is asked by `http:` is on this machine; the rest is no public address. */
export const onlyHttp: AddressRule = {
  refuse: ({ protocol, hostname }) => (protocol === 'http:' ? undefined : `${hostname} is not asked here`),
  isRefusedIp: (ip) => ip !== '127.0.0.1',
};

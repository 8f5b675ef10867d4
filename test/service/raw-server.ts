import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Bytes received so far, head and body. */
export interface RawServer {
  readonly url: URL;
  readonly received: readonly string[];
  readonly connectionCount: number;
}

/**
 * A server that does with a connection whatever a test says, once a whole request has arrived. Closed with the test.
 * It speaks no HTTP by itself, so it can speak it wrongly.
 */
export async function rawServer(onRequest: (socket: Socket) => void): Promise<RawServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount++;
    sockets.add(socket);
    let bytes = '';
    socket.on('data', (chunk) => {
      bytes += chunk;
      if (!isWhole(bytes)) return;
      received.push(bytes);
      bytes = '';
      onRequest(socket);
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    url,
    received,
    get connectionCount() {
      return connectionCount;
    },
  };
}

function isWhole(bytes: string): boolean {
  const [head = '', body] = bytes.split('\r\n\r\n', 2);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return body !== undefined && Buffer.byteLength(body) >= length;
}

/** An answer as bytes. */
export function http(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${body}`;
}

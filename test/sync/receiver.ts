import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that receives notifications: it keeps the requests, and answers as the test sets. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the status of the next answers in turn; the last one repeats. 0 hangs up; undefined never answers. */
  answer(...statuses: readonly (number | undefined)[]): void;
  /** Resolves when so many requests have come. */
  until(count: number): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  let answers: readonly (number | undefined)[] = [204];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
    const [status] = answers;
    if (answers.length > 1) answers = answers.slice(1);
    for (const look of waiting) look();
    if (status === 0) request.socket.destroy();
    else if (status !== undefined)
      response.writeHead(status, { location: '/elsewhere' }).end('a body that nobody reads');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/chatferry?team=7`,
    received,
    answer(...statuses) {
      answers = statuses;
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = () => received.length >= count && resolve();
        waiting.push(look);
        look();
      }),
  };
}

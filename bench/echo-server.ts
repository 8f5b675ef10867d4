/**
 * The chat service at its cheapest, on the loopback: parses each import, says yes to every message and gives it back in the
 * service's shape; its listings are empty. It remembers nothing, so what is measured against it is the sender.
 *
 * `node bench/echo-server.ts` prints its port. `GET /stats` tells what arrived. Ends when its standard input does.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Sent {
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: string;
}

const stats = { importRequests: 0, messages: 0, listRequests: 0 };
let lastId = 0;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function echo(body: string): string {
  const { messages } = JSON.parse(body) as { messages: Record<string, Sent> };
  const data: Record<string, unknown> = {};
  for (const [key, message] of Object.entries(messages)) {
    lastId += 1;
    data[key] = { success: true, data: { ...message, id: String(lastId), conversationId: conversationId(message) } };
    stats.messages += 1;
  }
  stats.importRequests += 1;
  return JSON.stringify({ data });
}

const conversationId = ({ sender, receiver, receiverType }: Sent): string =>
  receiverType === 'group' ? `group_${receiver}` : [sender, receiver].sort().join('_user_');

function emptyPage(): string {
  stats.listRequests += 1;
  return JSON.stringify({ data: [], meta: { current: { limit: 1000, count: 0 } } });
}

async function answer(request: IncomingMessage): Promise<string> {
  if (request.method === 'POST') return echo(await readBody(request));
  return request.url === '/stats' ? JSON.stringify(stats) : emptyPage();
}

const server = createServer(async (request, response) => {
  const body = Buffer.from(await answer(request));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.on('end', () => process.exit()).resume();

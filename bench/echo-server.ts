/**
 * The cheapest possible chat service, on the loopback: it parses each import, accepts every message and returns it in
 * the service's shape. It remembers only the last message of each conversation and lists nothing else, so a measurement
 * against it measures the sender.
 *
 * `node bench/echo-server.ts` prints its port. `GET /stats` returns what arrived. The process ends when its standard
 * input ends.
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
const lastMessages = new Map<string, object>();

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
    const stored = { ...message, muid: key, id: String(lastId), conversationId: conversationId(message) };
    data[key] = { success: true, data: stored };
    lastMessages.set(stored.conversationId, stored);
    stats.messages += 1;
  }
  stats.importRequests += 1;
  return JSON.stringify({ data });
}

const conversationId = ({ sender, receiver, receiverType }: Sent): string =>
  receiverType === 'group' ? `group_${receiver}` : [sender, receiver].sort().join('_user_');

/** Behind a message there is nothing; asked for a time, it lists the last one. */
function page(url: string): string {
  stats.listRequests += 1;
  const query = new URL(url, 'http://localhost').searchParams;
  const last = query.has('id') ? undefined : lastMessages.get(query.get('conversationId') ?? '');
  const data = last && query.has('fromTimestamp') ? [last] : [];
  return JSON.stringify({ data, meta: { current: { limit: 1000, count: data.length } } });
}

async function answer(request: IncomingMessage): Promise<string> {
  if (request.method === 'POST') return echo(await readBody(request));
  return request.url === '/stats' ? JSON.stringify(stats) : page(request.url ?? '');
}

const server = createServer(async (request, response) => {
  const body = Buffer.from(await answer(request));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.on('end', () => process.exit()).resume();

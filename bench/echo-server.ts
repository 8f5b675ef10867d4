/**
 * The cheapest possible chat service, on the loopback: it parses each import, accepts every message, returns it in the
 * service's shape, and lists it again. So a measurement against it measures the sender.
 *
 * `node bench/echo-server.ts` prints its port. `GET /stats` returns what arrived. The process ends when its standard
 * input ends.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EchoHistory } from './echo-history.ts';

interface Sent {
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: string;
  readonly sentAt: string | number;
}

const groupsPath = '/v3/groups/';

type Answer = readonly [status: number, json: string];

const stats = { importRequests: 0, messages: 0, listRequests: 0 };
const history = new EchoHistory();

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function echo(body: string): Answer {
  const { messages } = JSON.parse(body) as { messages: Record<string, Sent> };
  const answers: string[] = [];
  for (const [muid, message] of Object.entries(messages)) {
    const id = String(history.nextId);
    const stored = { ...message, muid, id, conversationId: conversationId(message) };
    const json = JSON.stringify(stored);
    history.add(stored.conversationId, Number(message.sentAt), json);
    answers.push(`"${muid}":{"success":true,"data":${json}}`);
    stats.messages += 1;
  }
  stats.importRequests += 1;
  return [200, `{"data":{${answers.join(',')}}}`];
}

const conversationId = ({ sender, receiver, receiverType }: Sent): string =>
  receiverType === 'group' ? `group_${receiver}` : [sender, receiver].sort().join('_user_');

function page(url: string): Answer {
  stats.listRequests += 1;
  const query = new URL(url, 'http://localhost').searchParams;
  const limit = Number(query.get('limit') ?? 10);
  const found = history.list({
    conversationId: query.get('conversationId') ?? undefined,
    afterId: Number(query.get('id') ?? 0),
    fromSeconds: Number(query.get('fromTimestamp') ?? 0),
    toSeconds: Number(query.get('toTimestamp') ?? Number.POSITIVE_INFINITY),
    limit,
  });
  return [200, `{"data":[${found.join(',')}],"meta":{"current":{"limit":${limit},"count":${found.length}}}}`];
}

/** A group is there once it has a message. */
function group(guid: string): Answer {
  stats.listRequests += 1;
  if (history.has(`group_${guid}`)) return [200, JSON.stringify({ data: { guid } })];
  return [404, JSON.stringify({ error: { code: 'ERR_GUID_NOT_FOUND', message: `The group ${guid} does not exist` } })];
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method, url = '' } = request;
  if (method === 'POST') return echo(await readBody(request));
  if (url === '/stats') return [200, JSON.stringify(stats)];
  return url.startsWith(groupsPath) ? group(url.slice(groupsPath.length)) : page(url);
}

const server = createServer(async (request, response) => {
  const [status, json] = await answer(request);
  const body = Buffer.from(json);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
// Any free port, unless one is named.
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.on('end', () => process.exit()).resume();

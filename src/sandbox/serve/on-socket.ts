import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../../lib/flow/clock.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import type { Delivery, Transfer } from '../operations/delivery.ts';

/** Sends an answer the way that the delivery says, or breaks the connection. Ends early when the client hangs up. */
export async function send(response: ServerResponse, delivery: Delivery, clock: Clock): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    if (delivery.delayMs > 0) await clock.sleep(delivery.delayMs, gone.signal);
    const { socket } = response;
    if (delivery.kind === 'answered' && delivery.transfer.way === 'whole') sendWhole(response, delivery.answer);
    else if (socket) await sendBroken(socket, delivery, clock, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

export function sendWhole(response: ServerResponse, { status, headers, body }: TransportAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Beyond what Node's own response can be made to do: the bytes are written to the socket by hand. */
async function sendBroken(socket: Socket, delivery: Delivery, clock: Clock, gone: AbortSignal): Promise<void> {
  if (delivery.kind === 'lost') return lose(socket, delivery.how, gone);
  const { answer, transfer } = delivery;
  const head = buildHead(answer, transfer);
  const body = encodeBody(answer, transfer);
  if (transfer.way === 'slow') {
    if (transfer.from === 'body') socket.write(head);
    await trickle(socket, transfer.from === 'body' ? body : Buffer.concat([head, body]), { ...transfer, clock, gone });
  } else socket.write(Buffer.concat([head, body]));
  // A stalled one stays open until the client has had enough, or the server stops.
  if (transfer.way !== 'stalled') socket.end();
}

async function lose(socket: Socket, how: Extract<Delivery, { kind: 'lost' }>['how'], gone: AbortSignal): Promise<void> {
  switch (how) {
    case 'closed':
      socket.end();
      break;
    case 'reset':
      socket.resetAndDestroy();
      break;
    case 'silent':
      break;
    case 'garbage':
      socket.end(Buffer.from('15030300020228', 'hex'));
      break;
    case 'endless':
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n');
      await flood(socket, gone);
  }
}

/** Sends spaces without end: the beginning of any JSON. */
async function flood(socket: Socket, gone: AbortSignal): Promise<void> {
  const spaces = Buffer.alloc(64 * 1024, ' ');
  while (!gone.aborted) {
    if (!socket.write(spaces)) await once(socket, 'drain', { signal: gone });
  }
}

interface Trickle {
  readonly bytesPerSecond: number;
  readonly clock: Clock;
  readonly gone: AbortSignal;
}

/** Sends ten pieces a second, or one byte at a time if that is slower. */
async function trickle(socket: Socket, bytes: Buffer, { bytesPerSecond, clock, gone }: Trickle): Promise<void> {
  const size = Math.max(1, Math.round(bytesPerSecond / 10));
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await clock.sleep((size / bytesPerSecond) * 1000, gone);
  }
}

function buildHead({ status, headers, body }: TransportAnswer, transfer: Transfer): Buffer {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...framingLines(Buffer.byteLength(body), transfer),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

function framingLines(byteCount: number, transfer: Transfer): string[] {
  if (transfer.way === 'gzip') return ['content-encoding: gzip', 'connection: close'];
  if (transfer.way !== 'cut' || transfer.framing === 'length') return [`content-length: ${byteCount}`];
  return [transfer.framing === 'chunked' ? 'transfer-encoding: chunked' : 'connection: close'];
}

function encodeBody(answer: TransportAnswer, transfer: Transfer): Buffer {
  const body = Buffer.from(answer.body);
  if (transfer.way === 'gzip') return gzipSync(body);
  if (transfer.way !== 'cut' && transfer.way !== 'stalled') return body;
  const part = body.subarray(0, Math.floor(body.length * transfer.share));
  if (transfer.way === 'stalled' || transfer.framing !== 'chunked') return part;
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), part]);
}

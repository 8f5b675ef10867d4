import type { TransportAnswer, TransportRequest } from '../../service/transport.ts';
import type { Sandbox } from '../app.ts';

/**
 * Result of a request for a client, and its form: on a socket bytes and connections are broken, in process the client
 * gets what a transport would see.
 */
export type Delivery = (Answered | Lost) & { readonly delayMs: number };

interface Answered {
  readonly kind: 'answered';
  readonly answer: TransportAnswer;
  readonly transfer: Transfer;
}

interface Lost {
  readonly kind: 'lost';
  readonly how: 'closed' | 'reset' | 'silent' | 'garbage' | 'endless';
}

export type Transfer =
  | { readonly way: 'whole' }
  /** The connection is closed after the answer, and nothing announces it. */
  | { readonly way: 'hung-up' }
  | { readonly way: 'gzip' }
  | { readonly way: 'cut'; readonly share: number; readonly framing: 'length' | 'chunked' | 'none' }
  | { readonly way: 'stalled'; readonly share: number }
  | { readonly way: 'slow'; readonly bytesPerSecond: number; readonly from: 'head' | 'body' };

export const asItIs = (answer: TransportAnswer): Delivery => ({
  kind: 'answered',
  answer,
  transfer: { way: 'whole' },
  delayMs: 0,
});

/** A sandbox, or one that breaks what it delivers. */
export type AnySandbox =
  | Pick<Sandbox, 'handle'>
  | Pick<Sandbox, 'handle' | 'together'>
  | { deliver(request: TransportRequest): Delivery };

/** Any sandbox, as servers and transports take it. */
export const deliver = (sandbox: AnySandbox, request: TransportRequest): Delivery =>
  'deliver' in sandbox ? sandbox.deliver(request) : asItIs(sandbox.handle(request));

import type { Clock } from '../lib/clock.ts';
import type { OperationName } from '../service/contract/operations.ts';
import type { Profile } from '../service/profiles.ts';
import type { TransportAnswer, TransportRequest } from '../service/transport.ts';
import { failure } from './answers.ts';
import { createAuthentication } from './authenticate.ts';
import { getGroup } from './get-group.ts';
import { createService, type Handler } from './handler.ts';
import { importMessages } from './import-messages.ts';
import { listMessages } from './list-messages.ts';
import { withRateLimit } from './rate-limit.ts';
import { createRoutes } from './routes.ts';
import { type Rules, rulesOf } from './rules.ts';
import type { SandboxStore } from './store.ts';

export interface SandboxOptions {
  /** Closed by `close`. */
  readonly store: SandboxStore;
  readonly apiKey: string;
  /** Whose limits and pace it rehearses. */
  readonly profile: Profile['name'];
  /** What a muid that is already there meets: `refused` by default, or `stored` a second time. */
  readonly duplicates?: Rules['duplicates'];
  /** What a blank or overdue message meets: an answer of its own by default, or `abort` for the whole request. */
  readonly badRows?: Rules['badRows'];
  readonly clock: Clock;
}

/** A chat service in this process. */
export interface Sandbox {
  /** Made with the data file, stays with it. */
  readonly id: string;
  /**
   * Answers a request, whatever it holds. What it answered is stored.
   *
   * @throws StoreError if the disk does not take it; nothing of the request is stored then.
   */
  handle(request: TransportRequest): TransportAnswer;
  close(): void;
}

/** A longer body is turned down with 413. 16 MiB: 50 messages of 65,536 characters, five times. */
export const bodyBytesMax = 16 * 1024 * 1024;

export function createSandbox(options: SandboxOptions): Sandbox {
  const { store, clock, duplicates = 'refused', badRows = 'answered' } = options;
  const service = createService(store, rulesOf(options.profile, { duplicates, badRows }), clock);
  const authenticate = createAuthentication(options.apiKey);
  const findRoute = createRoutes(handlersFor(service.rules, clock));

  const handle = (request: TransportRequest): TransportAnswer => {
    const refusal = authenticate(header(request, 'apikey'));
    if (refusal) return refusal;
    const [path = '', search] = splitOnce(request.path, '?');
    const route = findRoute(request.method, path);
    if (!route) return failure(404, { code: 'ERR_API_NOT_FOUND', message: 'The operation does not exist' });
    const onBehalfOf = header(request, 'onbehalfof')?.toLowerCase();
    if (onBehalfOf !== undefined && service.people.find(onBehalfOf) === undefined) {
      return failure(404, { code: 'ERR_UID_NOT_FOUND', message: `The user "${onBehalfOf}" does not exist` });
    }
    const body = textOf(request.body);
    if (body.length > bodyBytesMax) return bodyTooLarge();
    return route.handler(service, { params: route.params, query: new URLSearchParams(search), onBehalfOf, body });
  };

  return { id: store.id, handle, close: () => store.close() };
}

function handlersFor({ importsPerMinute }: Rules, clock: Clock): Record<OperationName, Handler> {
  const imports =
    importsPerMinute === undefined ? importMessages : withRateLimit(importMessages, importsPerMinute, clock);
  return { getGroup, importMessages: imports, listMessages };
}

export const bodyTooLarge = (): TransportAnswer =>
  failure(413, { code: 'ERR_BAD_REQUEST', message: `The body is longer than ${bodyBytesMax} bytes` });

/** @param name in lower case. */
function header({ headers }: TransportRequest, name: string): string | undefined {
  return headers[name] ?? Object.entries(headers).find(([spelling]) => spelling.toLowerCase() === name)?.[1];
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function textOf(body: TransportRequest['body'] = ''): string {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/lib/flow/clock.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/app.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { type ErrorCode, errorCodes } from '../../src/service/operation.ts';
import type { TransportRequest } from '../../src/service/transport.ts';

export const apiKey = 'sandbox-key';
export const now = Date.parse('2026-11-21T12:00:00Z');
export const nowSeconds = now / 1000;

/** A clock that a test sets. */
export function clockAt(ms: number): Clock & { ms: number } {
  return {
    ms,
    now() {
      return this.ms;
    },
    monotonic() {
      return this.ms;
    },
    uptime() {
      return this.ms;
    },
    async sleep() {},
  };
}

/** A sandbox that is gone with the test. */
export function sandboxOf(options: Partial<SandboxOptions> = {}): Sandbox {
  const store = options.store ?? openSandboxStore(':memory:');
  const sandbox = createSandbox({ apiKey, profile: 'spec', clock: clockAt(now), ...options, store });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A direct message from ann to bob that everybody accepts, with what a test changes about it. */
export function direct(muid: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    muid,
    sender: 'ann',
    receiverType: 'user',
    receiver: 'bob',
    category: 'message',
    type: 'text',
    data: { text: `text of ${muid}` },
    sentAt: String(nowSeconds - 1000),
    senderUserDetails: { uid: 'ann', name: 'Ann' },
    receiverUserDetails: { uid: 'bob', name: 'Bob' },
    ...changes,
  };
}

/** A message from ann to the group g, as the specification shows the group's details. */
export function toGroup(muid: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const receiverUserDetails = { guid: 'g', name: 'The group', type: 'private' };
  return direct(muid, { receiverType: 'group', receiver: 'g', receiverUserDetails, ...changes });
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly json: any;
}

export function ask(sandbox: Sandbox, request: Partial<TransportRequest>): Answered {
  const { status, headers, body } = sandbox.handle({
    method: 'GET',
    path: '/',
    headers: { apikey: apiKey },
    ...request,
  });
  return { status, headers, json: JSON.parse(body) };
}

/** A request with a body, or for a user. */
export function call(
  sandbox: Sandbox,
  request: string,
  { body, onBehalfOf }: { readonly body?: unknown; readonly onBehalfOf?: string } = {},
): Answered {
  const [method, path] = request.split(' ') as [TransportRequest['method'], string];
  const headers = { apikey: apiKey, ...(onBehalfOf !== undefined && { onBehalfOf }) };
  return ask(sandbox, { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Returns the answer of `call` for a refusal with this code. */
export const refused = (code: ErrorCode) => ({ status: errorCodes[code].status, json: { error: { code } } });

export function importAll(sandbox: Sandbox, ...messages: readonly Record<string, unknown>[]): Answered {
  const body = JSON.stringify({ messages: Object.fromEntries(messages.map((message) => [message.muid, message])) });
  return ask(sandbox, { method: 'POST', path: '/v3/data_import/messages', body });
}

/** The answer to one message. */
// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
export function importOne(sandbox: Sandbox, message: Record<string, unknown>): any {
  return importAll(sandbox, message).json.data[String(message.muid)];
}

export function list(sandbox: Sandbox, query: string, headers: Readonly<Record<string, string>> = {}): Answered {
  return ask(sandbox, { path: `/v3/messages?${query}`, headers: { apikey: apiKey, ...headers } });
}

export function muidsOf({ json }: Answered): string[] {
  return json.data.map(({ muid }: { muid: string }) => muid);
}

import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { ChatServiceClient } from './service-client.ts';
import { errorBody, errorCodes, type ErrorCode } from '../../src/service/operation.ts';
import { type OperationName, operationNamed } from '../../src/service/operations.ts';
import { buildPath, type QueryValue } from '../../src/service/call-operation.ts';
import type { Transport, TransportRequest } from '../../src/service/transport.ts';

/** A service that the contract is held against. */
export interface ServiceUnderTest {
  /** Over HTTP. The caller that opened it closes it. */
  readonly transport: Transport;
  readonly apiKey: string;
  /** Names that a sandbox with its demo has. A foreign service does not have them, or tests must not destroy them there; then absent. */
  readonly demo?: DemoNames;
}

export interface DemoNames {
  readonly authOnlyKey: string;
  readonly secondFullAccessKey: string;
  readonly authToken: string;
  readonly otherAuthToken: string;
  readonly bot: string;
  readonly role: string;
}

/** A request as a program would make it that knows nothing of the contract. */
export interface RawCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text as it is. */
  readonly body?: unknown;
}

const never = new AbortController().signal;

/**
 * People and a group for one run, with unique ids: nothing that existed before is touched.
 *
 * Ann owns the group; Bob and Cleo have written in it. Dan has written only to Ann, and Eve to no one in the group.
 */
export class Scene {
  readonly service: ServiceUnderTest;
  readonly client: ChatServiceClient;
  readonly ann: string;
  readonly bob: string;
  readonly cleo: string;
  readonly dan: string;
  readonly eve: string;
  readonly group: string;
  /** An id that belongs to no one. */
  readonly nobody: string;
  readonly #prefix = `cf${randomBytes(5).toString('hex')}`;
  #lastMuid = 0;

  constructor(service: ServiceUnderTest) {
    const { transport, apiKey } = service;
    this.service = service;
    this.client = new ChatServiceClient({ transport, apiKey });
    const named = (name: string) => `${this.#prefix}-${name}`;
    this.ann = named('ann');
    this.bob = named('bob');
    this.cleo = named('cleo');
    this.dan = named('dan');
    this.eve = named('eve');
    this.group = named('group');
    this.nobody = named('nobody');
  }

  /** @returns the service's ids of what Ann wrote to the group, and Dan to Ann. */
  async prepare(): Promise<{ readonly inGroup: string; readonly inDirect: string }> {
    const toGroup = [this.ann, this.bob, this.cleo].map((sender) => this.importItem({ sender }));
    const direct = this.importItem({ sender: this.dan, receiverType: 'user', receiver: this.ann });
    const apart = this.importItem({ sender: this.eve, receiverType: 'user', receiver: this.eve });
    const items = [...toGroup, direct, apart];
    const { data } = await this.client.importMessages({
      body: { messages: Object.fromEntries(items.map((item) => [item.muid, item])) },
    });
    for (const { muid } of items) expect(data[muid], JSON.stringify(data[muid])).toMatchObject({ success: true });
    return { inGroup: data[toGroup[0]!.muid]!.data!.id, inDirect: data[direct.muid]!.data!.id };
  }

  muid(): string {
    this.#lastMuid++;
    return `${this.#prefix}-m${this.#lastMuid}`;
  }

  /** Returns a message to the group that is accepted, with a test's changes. No person has to exist before. */
  importItem(changes: Readonly<Record<string, unknown>> = {}) {
    const { sender = this.ann, receiver = this.group, receiverType = 'group' } = changes as Record<string, string>;
    return {
      muid: this.muid(),
      sender,
      receiver,
      receiverType: receiverType as 'user' | 'group',
      category: 'message',
      type: 'text',
      data: { text: 'Hello' },
      sentAt: Math.floor(Date.now() / 1000) - 60,
      senderUserDetails: { uid: sender, name: sender },
      ...(receiverType === 'group'
        ? { receiverGroupDetails: { guid: receiver, name: receiver, type: 'private', owner: this.ann } }
        : { receiverUserDetails: { uid: receiver, name: receiver } }),
      ...changes,
    };
  }

  /** Makes a request that the client would not make. */
  send(name: OperationName, { params = {}, query = {}, headers = {}, body }: RawCall) {
    const operation = operationNamed(name);
    const request: TransportRequest = {
      method: operation.method,
      path: buildPath(operation, params, query),
      headers: { apikey: this.service.apiKey, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    return this.service.transport.send(request, never);
  }

  /** The request is turned down with this code, its status, and a body that fits the contract and says something. */
  async expectRefusal(name: OperationName, call: RawCall, code: ErrorCode): Promise<void> {
    const { status, headers, body } = await this.send(name, call);
    expect(headers['content-type'], body).toContain('application/json');
    const { error } = errorBody.parse(JSON.parse(body));
    expect({ code: error.code, status }, body).toEqual({ code, status: errorCodes[code].status });
    expect(error.message.length).toBeGreaterThan(5);
  }
}

import type { MappedMessage } from '../../src/mapping/message.ts';
import type { MessageContext } from '../../src/mapping/message/draft-message.ts';
import { defaultRules, type Rules, rulesSchema, type PersonTraits } from '../../src/mapping/rules.ts';
import { serviceId } from '../../src/mapping/service-id.ts';
import type { MessageRecord } from '../../src/model/records.ts';

export const sentAtMs = Date.parse('2026-03-01T12:00:00Z');

/** A plain message, with what the test is about. */
export function recordOf(changes: Partial<MessageRecord> = {}): MessageRecord {
  return {
    kind: 'message',
    origin: { source: 'slack', workspace: 'T1', conversation: 'C1', id: '1772366400.000100' },
    sortKey: '1772366400.000100',
    sentAtMs,
    author: 'U1',
    text: 'hello',
    ...changes,
  };
}

/** All people are known and none is a bot, unless the test sets otherwise. */
export function contextOf(changes: Partial<MessageContext> = {}): MessageContext {
  return {
    rules: defaultRules(),
    limits: {},
    nowMs: sentAtMs + 1000,
    uidOf: (id) => serviceId(id),
    traitsOf: () => ordinary,
    ...changes,
  };
}

/** A person whom the export describes, without special properties. */
export const ordinary: PersonTraits = { isKnown: true, isBot: false, isGuest: false, isDeleted: false, isListed: true };

export const rulesOf = (input: object): Rules => rulesSchema.parse(input);

interface Payload {
  readonly category: string;
  readonly type: string;
  readonly data: {
    readonly text: string;
    readonly attachments?: readonly object[];
    readonly metadata: { readonly chatferry: Record<string, unknown> };
  };
  readonly tags?: readonly string[];
}

/** The payload as the service will read it. */
export function payloadOf(mapped: MappedMessage): Payload {
  if (mapped.verdict !== 'planned') throw new Error(`${mapped.verdict}: ${mapped.reason}`);
  return JSON.parse(mapped.payload) as Payload;
}

export const chatferryOf = (mapped: MappedMessage) => payloadOf(mapped).data.metadata.chatferry;

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapConversation } from '../../src/mapping/conversation.ts';
import { mapMessage } from '../../src/mapping/message.ts';
import { mapPerson } from '../../src/mapping/person.ts';
import { defaultRules } from '../../src/mapping/rules.ts';
import type { ConversationRecord } from '../../src/model/records.ts';
import { sentMessage } from '../../src/delivery/compare.ts';
import { type WireOptions, type WireParts, wireMessage } from '../../src/delivery/lanes.ts';
import { anyText } from '../arbitrary-text.ts';
import { contextOf, recordOf, rulesOf } from '../mapping/fixture.ts';

const options: fc.Arbitrary<WireOptions> = fc.record({
  timesAs: fc.constantFrom('string', 'integer'),
  groupDetailsIn: fc.constantFrom('receiverUserDetails', 'receiverGroupDetails'),
});

interface Case {
  readonly parts: WireParts;
  readonly payload: Record<string, unknown>;
  readonly details: Record<'sender' | 'peer' | 'group', Record<string, unknown>>;
}

/** Parts as staging makes them, of any names and text, in every combination of kinds and of what travels. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    name: anyText,
    text: anyText,
    receiverType: fc.constantFrom('user' as const, 'group' as const),
    withSender: fc.boolean(),
    withReceiver: fc.boolean(),
    sentAtMs: fc.integer({ min: 31_536_000_000, max: 1_772_000_000_000 }),
    tags: fc.constantFrom<string[]>([], ['one', 'two"']),
  })
  .map(({ name, text, receiverType, withSender, withReceiver, sentAtMs, tags }) => {
    const person = (id: string) => mapPerson({ kind: 'user', id, name: name || id }, defaultRules());
    const [sender, peer] = [person('U1'), person('U2')];
    const conversation: ConversationRecord = { kind: 'conversation', id: 'C1', type: 'private', name, members: [] };
    const group = mapConversation(conversation, defaultRules(), (id) => id);
    const mapped = mapMessage(
      recordOf({ text: `${text}.`, sentAtMs }),
      contextOf({ rules: rulesOf({ messages: { tags } }) }),
    );
    if (mapped.verdict !== 'planned') throw new Error(mapped.reason);
    const parts: WireParts = {
      muid: mapped.muid,
      sentAtMs,
      payload: mapped.payload,
      sender: { id: 1, uid: sender.uid, details: JSON.stringify(sender.details) },
      peer: receiverType === 'user' ? { id: 2, uid: peer.uid, details: JSON.stringify(peer.details) } : undefined,
      receiverType,
      guid: group.guid,
      groupDetails: JSON.stringify(group.details),
      withSender,
      withReceiver,
    };
    const details = { sender: sender.details, peer: peer.details, group: group.details };
    return { parts, details, payload: JSON.parse(mapped.payload) as Record<string, unknown> };
  });

/** The same item, made the slow way. */
function expected({ parts, payload, details }: Case, { timesAs, groupDetailsIn }: WireOptions): unknown {
  const { muid, receiverType, withSender, withReceiver } = parts;
  const seconds = Math.floor(parts.sentAtMs / 1000);
  const receiverDetails =
    receiverType === 'user'
      ? { receiverUserDetails: details.peer }
      : groupDetailsIn === 'receiverGroupDetails'
        ? { receiverGroupDetails: details.group }
        : { receiverUserDetails: { uid: 'c1', ...details.group } };
  return {
    muid,
    sender: 'u1',
    receiver: receiverType === 'user' ? 'u2' : 'c1',
    receiverType,
    sentAt: timesAs === 'string' ? String(seconds) : seconds,
    ...payload,
    ...(withSender && { senderUserDetails: details.sender }),
    ...(withReceiver && receiverDetails),
  };
}

describe('wireMessage()', () => {
  it('is the JSON of the item, for every combination and any text', () => {
    fc.assert(
      fc.property(cases, options, (given, option) => {
        const wire = wireMessage(given.parts, option);
        expect(JSON.parse(`{${wire}}`)).toEqual({ [given.parts.muid]: expected(given, option) });
      }),
      { numRuns: 500 },
    );
  });

  it('says nothing twice', () => {
    fc.assert(
      fc.property(cases, options, (given, option) => {
        const wire = wireMessage(given.parts, option);
        const item = wire.slice(wire.indexOf(':') + 1);
        expect(item).toBe(JSON.stringify(JSON.parse(item)));
      }),
    );
  });

  it('is read again by sentMessage(), with the time as a number', () => {
    fc.assert(
      fc.property(cases, options, ({ parts }, option) => {
        const sent = sentMessage(parts.muid, wireMessage(parts, option));
        expect(sent).toMatchObject({ sender: 'u1', receiverType: parts.receiverType, category: 'message' });
        expect(sent.sentAt).toBe(Math.floor(parts.sentAtMs / 1000));
      }),
    );
  });
});

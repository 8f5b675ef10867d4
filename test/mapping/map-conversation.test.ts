import { describe, expect, it } from 'vitest';
import { mapConversation } from '../../src/mapping/conversation.ts';
import { defaultRules } from '../../src/mapping/rules.ts';
import type { ConversationRecord } from '../../src/model/records.ts';
import { idPattern } from '../../src/service/profiles.ts';
import { naughtyStrings } from '../arbitrary-text.ts';
import { rulesOf } from './fixture.ts';

const general: ConversationRecord = {
  kind: 'conversation',
  id: 'C024BE91L',
  type: 'public',
  name: 'general',
  topic: 'Everything',
  createdAtMs: 1_600_000_000_999,
  members: ['U1', 'U2'],
};
const nameOf = (userId: string) => `Name of ${userId}`;
const naughty = naughtyStrings();

describe('mapConversation()', () => {
  it('gives the id, and the details in the shape of the service', () => {
    expect(mapConversation(general, defaultRules(), nameOf)).toEqual({
      receiverType: 'group',
      guid: 'c024be91l',
      isExcluded: false,
      details: {
        guid: 'c024be91l',
        name: 'general',
        type: 'public',
        description: 'Everything',
        createdAt: 1_600_000_000,
      },
    });
  });

  it.each([
    ['public', ['U1', 'U2'], 'group', 'public'],
    ['private', ['U1', 'U2'], 'group', 'private'],
    ['group-direct', ['U1', 'U2', 'U3'], 'group', 'private'],
    ['direct', ['U1', 'U2'], 'user', 'private'],
    ['direct', ['U1', 'U1'], 'group', 'private'],
    ['direct', ['U1'], 'group', 'private'],
    ['direct', ['U1', 'U2', 'U3'], 'group', 'private'],
    ['direct', [], 'group', 'private'],
  ] as const)(
    'makes of a %s conversation of %j a %s, never more public than it was: %s',
    (type, members, receiverType, groupType) => {
      const mapped = mapConversation({ ...general, type, members: [...members] }, defaultRules(), nameOf);
      expect([mapped.receiverType, mapped.details.type]).toEqual([receiverType, groupType]);
    },
  );

  it.each([
    [{ name: 'general' }, 'general'],
    [{ name: '' }, 'Name of U1, Name of U2'],
    [{ name: '', members: [] }, 'C024BE91L'],
  ])('calls %j %j', (changes, name) => {
    expect(mapConversation({ ...general, ...changes }, defaultRules(), nameOf).details.name).toBe(name);
  });

  it('prefers the description to the topic, and keeps within 255 characters', () => {
    const long = mapConversation({ ...general, description: 'd'.repeat(300) }, defaultRules(), nameOf);
    expect(long.details.description).toBe(`${'d'.repeat(254)}…`);
  });

  it('prefers a guid from the list to the template, and uses the id if the template has no value', () => {
    const rules = rulesOf({ conversations: { guid: '{type}-{name}', guids: { C1: 'lobby' } } });
    expect(mapConversation({ ...general, id: 'C1' }, rules, nameOf).guid).toBe('lobby');
    expect(mapConversation(general, rules, nameOf).guid).toBe('public-general');
    expect(mapConversation({ ...general, name: '' }, rules, nameOf).guid).toBe('c024be91l');
  });

  it.each(['C024BE91L', 'general'])('is excluded by %s', (exclude) => {
    const rules = rulesOf({ conversations: { exclude: [exclude] } });
    expect(mapConversation(general, rules, nameOf).isExcluded).toBe(true);
    expect(mapConversation({ ...general, id: 'C2', name: 'random' }, rules, nameOf).isExcluded).toBe(false);
  });

  it.skipIf(naughty === null)('takes every naughty string as id, name and topic', () => {
    for (const text of naughty!) {
      const record = { ...general, id: text || 'x', name: text, topic: text, description: text };
      for (const guid of ['{id}', '{name}']) {
        const mapped = mapConversation(record, rulesOf({ conversations: { guid } }), nameOf);
        expect(mapped.guid).toMatch(idPattern);
        expect(mapped.details.name).not.toBe('');
        expect(JSON.parse(JSON.stringify(mapped.details))).toEqual(mapped.details);
      }
    }
  });
});

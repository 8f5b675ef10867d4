import { describe, expect, it } from 'vitest';
import { mapPerson } from '../../src/mapping/person.ts';
import { defaultRules } from '../../src/mapping/rules.ts';
import type { UserRecord } from '../../src/model/records.ts';
import { idPattern, isUsableUrl } from '../../src/service/profiles.ts';
import { naughtyStrings } from '../arbitrary-text.ts';
import { rulesOf } from './fixture.ts';

const ann: UserRecord = {
  kind: 'user',
  id: 'U024BE7LH',
  name: 'Ann Lee',
  handle: 'ann',
  email: 'ann.lee@example.com',
  avatarUrl: 'https://example.com/ann.png',
  createdAtMs: 1_600_000_000_999,
};
const naughty = naughtyStrings();

describe('mapPerson()', () => {
  it('gives the id, and the details in the shape of the service', () => {
    expect(mapPerson(ann, defaultRules())).toEqual({
      uid: 'u024be7lh',
      name: 'Ann Lee',
      details: {
        uid: 'u024be7lh',
        name: 'Ann Lee',
        avatar: 'https://example.com/ann.png',
        createdAt: 1_600_000_000,
      },
    });
  });

  it.each([
    ['{handle}', 'ann'],
    ['{name}', 'ann-lee-'],
    ['{email}', 'ann-lee-example-com-w7qnqnzk'],
    ['app_{handle}', 'app_ann'],
  ])('fills the template %j', (uid, expected) => {
    expect(mapPerson(ann, rulesOf({ people: { uid } })).uid).toContain(expected);
  });

  it('uses the id of the export for a person without the field', () => {
    const { email: _, ...nameless } = ann;
    expect(mapPerson(nameless, rulesOf({ people: { uid: 'x-{email}' } })).uid).toBe('u024be7lh');
  });

  it('prefers a uid from the list to the template', () => {
    const rules = rulesOf({ people: { uid: '{handle}', uids: { U024BE7LH: 'boss' } } });
    expect(mapPerson(ann, rules).uid).toBe('boss');
  });

  it.each(['constructor', '__proto__', 'toString'])('maps a person with the id %j', (id) => {
    expect(mapPerson({ ...ann, id }, defaultRules()).uid).toMatch(idPattern);
  });

  it.each([
    ['javascript:alert(1)'],
    ['data:image/png;base64,AA'],
    ['/relative.png'],
    ['https://'],
    ['http://[broken'],
    [`https://example.com/${'x'.repeat(3000)}`],
    ['not a url'],
    [''],
  ])('leaves out an avatar at %j', (avatarUrl) => {
    expect(mapPerson({ ...ann, avatarUrl }, defaultRules()).details).not.toHaveProperty('avatar');
    expect(isUsableUrl(avatarUrl)).toBe(false);
  });

  it.skipIf(naughty === null)('takes every naughty string as id, name, handle and e-mail', () => {
    for (const text of naughty!) {
      const user: UserRecord = { kind: 'user', id: text || 'x', name: text || 'x', handle: text, email: text };
      for (const uid of ['{id}', '{name}-{email}', '{handle}']) {
        const person = mapPerson(user, rulesOf({ people: { uid } }));
        expect(person.uid).toMatch(idPattern);
        expect(person.name.length).toBeLessThanOrEqual(100);
        expect(JSON.parse(JSON.stringify(person.details))).toEqual(person.details);
      }
    }
  });
});

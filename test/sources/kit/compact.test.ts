import { expect, it } from 'vitest';
import type { UserRecord } from '../../../src/model/records.ts';
import { compact, facts } from '../../../src/sources/kit/compact.ts';

it('compact() leaves out what is undefined, and keeps the order of the rest', () => {
  const user = compact<UserRecord>({ kind: 'user', id: '1', name: 'Ada', email: undefined, role: 'member' });
  expect(JSON.stringify(user)).toBe('{"kind":"user","id":"1","name":"Ada","role":"member"}');
  expect('email' in user).toBe(false);
});

it('facts() is nothing if a row has none of them', () => {
  expect(facts({ status: undefined, number: 0, rating: undefined })).toEqual({ number: 0 });
  expect(facts({ status: undefined })).toBeUndefined();
});

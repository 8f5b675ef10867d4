import { describe, expect, it } from 'vitest';
import { ChatferryError, DestinationError, SourceError, StoreError, UsageError } from '../../src/lib/errors.ts';

const cause = new Error('below');

describe('the errors that a caller may catch', () => {
  it.each([
    ['UsageError', new UsageError('Cannot x', { hint: 'Pass --y', cause })],
    ['SourceError', new SourceError('Cannot x', { hint: 'Pass --y', cause })],
    ['DestinationError', new DestinationError('Cannot x', { code: 'c', hint: 'Pass --y', cause })],
    ['StoreError', new StoreError('Cannot x', { path: 'a.db', hint: 'Pass --y', cause })],
  ])('have one base, a name, a hint and their cause: %s', (name, error) => {
    expect(error).toBeInstanceOf(ChatferryError);
    expect(error).toMatchObject({ name, message: 'Cannot x', hint: 'Pass --y', cause });
    expect(String(error)).toBe(`${name}: Cannot x`);
  });

  it('have no cause property if there is no cause', () => {
    expect('cause' in new UsageError('Cannot x')).toBe(false);
  });
});

describe('SourceError', () => {
  it('says where in the export', () => {
    const location = { path: 'general/2024-03-01.json', pointer: '/41' };
    const error = new SourceError('Cannot read', { location });
    expect(error.message).toBe('Cannot read (general/2024-03-01.json#/41)');
    expect(error.location).toBe(location);
  });
});

describe('DestinationError', () => {
  it('has the code of the service and its request id', () => {
    expect(new DestinationError('Stopped', { code: 'AUTH_ERR', requestId: 'r-1' })).toMatchObject({
      code: 'AUTH_ERR',
      requestId: 'r-1',
    });
  });
});

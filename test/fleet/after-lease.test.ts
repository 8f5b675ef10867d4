import { describe, expect, it } from 'vitest';
import { afterFailure } from '../../src/fleet/lease/after-lease.ts';

const unit = { phase: 'send', failures: 0 } as const;

const reasonOf = (exit: number, code: string, message: string) =>
  afterFailure(unit, { result: { exit, stopped: { code, message, hint: null } }, isCut: false }).reason;

describe('why a unit stopped, as the database may know it', () => {
  it.each([
    [
      2,
      'usage',
      'jobs/goodmap.yaml:3:5: people.uids.zoe@x.example: there is no such key',
      'usage: a setting cannot be used: jobs/goodmap.yaml:3:5;',
    ],
    [2, 'usage', 'Cannot send to https://x.example: no API key', 'usage: the worker has no API key for it;'],
    [
      4,
      'export-unreadable',
      'Cannot read "/exports/zoe.zip": it does not exist',
      'export-unreadable: a file that it names does not exist on the worker;',
    ],
    [
      4,
      'export-unreadable',
      'Cannot read "zoe.json": expected an array, found "Hello"',
      'export-unreadable: the export cannot be read;',
    ],
    [
      5,
      'ERR_X',
      'Refused "Hello, Zoe": it does not exist',
      'ERR_X: the destination, or the way there, let nothing more through;',
    ],
    [5, 'Zoe says hello', 'Hello', 'failed: the destination, or the way there, let nothing more through;'],
  ])('exit %i, %s, %s', (exit, code, message, words) => {
    const reason = reasonOf(exit, code, message)!;
    expect(reason.startsWith(words)).toBe(true);
    expect(reason).not.toMatch(/zoe|hello/i);
  });
});

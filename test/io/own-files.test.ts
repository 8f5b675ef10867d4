import { describe, expect, it } from 'vitest';
import { ownFile } from '../../src/io/input/own-files.ts';

describe('ownFile()', () => {
  it.each([
    ['chatferry.yaml', 'lasting'],
    ['chatferry.people.csv', 'lasting'],
    ['chatferry.decisions.json', 'lasting'],
    ['chatferry.decisions.json.lock', 'passing'],
    ['chatferry.db', 'lasting'],
    ['chatferry.db-wal', 'passing'],
    ['chatferry.sandbox.db', 'lasting'],
    ['chatferry.rehearsal.db', 'lasting'],
    ['chatferry.rehearsal.db.lock', 'passing'],
    ['chatferry.rehearsal.sandbox.db', 'lasting'],
    ['chatferry.rehearsal.sandbox.db-shm', 'passing'],
    ['chatferry.rehearsal.report', 'lasting'],
    ['chatferry.jobs.db', 'lasting'],
    ['chatferry-desk.files', 'lasting'],
    ['chatferry-desk.part', 'passing'],
    ['chatferry.rehearsal.jobs.db', undefined],
    ['other.rehearsal.db', undefined],
    ['inside/chatferry.db', undefined],
    ['chatferry-desk.files.zip', undefined],
    ['other.report', undefined],
  ])('takes %s for %s', (path, expected) => {
    expect(ownFile(path, (name) => name === 'chatferry.rehearsal.db')).toBe(expected);
  });
});

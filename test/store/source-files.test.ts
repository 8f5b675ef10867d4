import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { SourceFiles, unfinished } from '../../src/store/staging/source-files.ts';
import { fileId, openTestStore } from './fixture.ts';

const stat = { sizeBytes: 3, fingerprint: 'abc' };

describe('SourceFiles', () => {
  it('remembers files as the last plan left them, each input its own', () => {
    const db = databaseOf(openTestStore());
    const a = new SourceFiles(db, '/a');
    a.close(fileId(a, 'x.json'), 'x.json', 'rows', undefined, stat);
    a.flush();
    expect([...new SourceFiles(db, '/a').all()]).toEqual([{ id: 1, path: 'x.json', role: 'rows', fingerprint: 'abc' }]);
    expect(new SourceFiles(db, '/b').isNew).toBe(true);
  });

  it('gives every file its own id, even if several inputs are read at the same time', () => {
    const db = databaseOf(openTestStore());
    const [a, b] = [new SourceFiles(db, '/a'), new SourceFiles(db, '/b')];
    const ids = [fileId(a, 'x.json'), fileId(b, 'x.json'), fileId(a, 'y.json'), fileId(b, 'y.json')];
    expect(new Set(ids).size).toBe(4);
    for (const [files, path, id] of [
      [a, 'x.json', ids[0]!],
      [b, 'x.json', ids[1]!],
    ] as const) {
      files.close(id, path, 'rows', undefined, stat);
      files.flush();
    }
    expect(new SourceFiles(db, '/a').find('x.json')?.id).toBe(ids[0]);
    expect(new SourceFiles(db, '/b').find('x.json')?.id).toBe(ids[1]);
  });

  it('gives a file that was read before the same id again', () => {
    const db = databaseOf(openTestStore());
    const files = new SourceFiles(db, '/a');
    const id = fileId(files, 'x.json');
    files.saveUnfinished(id, 'x.json');
    files.flush();
    expect(fileId(new SourceFiles(db, '/a'), 'x.json')).toBe(id);
  });

  it('has no fingerprint for a file that was not finished, and one afterwards', () => {
    const db = databaseOf(openTestStore());
    const files = new SourceFiles(db, '/a');
    const id = fileId(files, 'x.json');
    files.saveUnfinished(id, 'x.json');
    files.flush();
    expect(new SourceFiles(db, '/a').find('x.json')?.fingerprint).toBe(unfinished);
    files.close(id, 'x.json', 'shared', 'why', stat);
    files.flush();
    expect(new SourceFiles(db, '/a').find('x.json')).toMatchObject({ role: 'shared', fingerprint: 'abc' });
  });
});

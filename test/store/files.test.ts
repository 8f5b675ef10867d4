import { describe, expect, it } from 'vitest';
import { unfinished } from '../../src/store/files.ts';
import { fileId, openTestStore } from './fixture.ts';

const stat = { sizeBytes: 3, fingerprint: 'abc' };

describe('InputFiles', () => {
  it('remembers files as the last plan left them, each input its own', () => {
    const store = openTestStore();
    const a = store.files.openInput('/a');
    a.close(fileId(a, 'x.json'), 'x.json', 'rows', undefined, stat);
    a.flush();
    expect([...store.files.openInput('/a').all()]).toEqual([
      { id: 1, path: 'x.json', role: 'rows', fingerprint: 'abc' },
    ]);
    expect(store.files.openInput('/b').isNew).toBe(true);
  });

  it('gives every file its own id, even if several inputs are read at the same time', () => {
    const store = openTestStore();
    const [a, b] = [store.files.openInput('/a'), store.files.openInput('/b')];
    const ids = [fileId(a, 'x.json'), fileId(b, 'x.json'), fileId(a, 'y.json'), fileId(b, 'y.json')];
    expect(new Set(ids).size).toBe(4);
    for (const [files, path, id] of [
      [a, 'x.json', ids[0]!],
      [b, 'x.json', ids[1]!],
    ] as const) {
      files.close(id, path, 'rows', undefined, stat);
      files.flush();
    }
    expect(store.files.openInput('/a').find('x.json')?.id).toBe(ids[0]);
    expect(store.files.openInput('/b').find('x.json')?.id).toBe(ids[1]);
  });

  it('gives a file that was read before the same id again', () => {
    const store = openTestStore();
    const files = store.files.openInput('/a');
    const id = fileId(files, 'x.json');
    files.saveUnfinished(id, 'x.json');
    files.flush();
    expect(fileId(store.files.openInput('/a'), 'x.json')).toBe(id);
  });

  it('has no fingerprint for a file that was not finished, and one afterwards', () => {
    const store = openTestStore();
    const files = store.files.openInput('/a');
    const id = fileId(files, 'x.json');
    files.saveUnfinished(id, 'x.json');
    files.flush();
    expect(store.files.openInput('/a').find('x.json')?.fingerprint).toBe(unfinished);
    files.close(id, 'x.json', 'shared', 'why', stat);
    files.flush();
    expect(store.files.openInput('/a').find('x.json')).toMatchObject({ role: 'shared', fingerprint: 'abc' });
  });
});

import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyStore } from '../scenes/bench.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { type AlteringService, alteringService, errorBody, plannedStore } from './altering-service.ts';

const home = temporaryFolderInMemory();
const laneCount = 60;
/** Few lanes are opened before the first batch leaves. */
const profile = { batchItemsMax: 5, graceLongMs: 0 };

let template: string;
beforeAll(async () => {
  ({ store: template } = await plannedStore(Array<number>(laneCount).fill(2)));
});

type Options = Parameters<typeof alteringService>[2];

function serviceWith(options?: Options): AlteringService {
  const service = alteringService(template, (request, handle) => handle(request), { duplicates: 'stored', ...options });
  onTestFinished(() => service.close());
  return service;
}

const isGroup = (path: string) => path.startsWith('/v3/groups/');
const isListing = (path: string) => path.startsWith('/v3/messages?');

/** How often each muid is there. */
function copiesIn(data: string): number[] {
  const db = new Database(data, { readonly: true });
  const counts = db.prepare<[], number>('SELECT count(*) FROM message GROUP BY muid').pluck().all();
  db.close();
  return counts;
}

describe('many small conversations', () => {
  it('are not read before their first message if the destination has no such group, and are read back many per page', async () => {
    const service = serviceWith();
    const { report } = await service.send({ profile });
    expect(report.totals).toMatchObject({ imported: 2 * laneCount, pending: 0 });
    // Each group, and once more the one that shows what that says.
    expect(service.reads.filter(isGroup)).toHaveLength(laneCount + 1);
    expect(service.reads.filter(isListing).length).toBeLessThan(laneCount / 3);

    const before = service.reads.length;
    expect(await service.check()).toMatchObject({ same: 2 * laneCount, missing: 0, extra: 0, different: 0 });
    expect(service.reads.length - before).toBeLessThanOrEqual(2);
  });

  it('are read one by one if the destination does not show the groups of its messages', async () => {
    const service = serviceWith({
      alterRead: (request, handle) => (isGroup(request.path) ? errorBody(404, 'ERR_GUID_NOT_FOUND') : handle(request)),
    });
    const { report } = await service.send({ profile });
    expect(report.totals).toMatchObject({ imported: 2 * laneCount });
    expect(service.reads.filter(isListing).length).toBeGreaterThanOrEqual(laneCount);
  });

  it('are sent once where another copy of the store has sent half of them', async () => {
    const service = serviceWith();
    const stopping = new AbortController();
    service.onImport = () => {
      if (service.imports.length === 12) stopping.abort();
    };
    const first = await service.send({ profile, options: { stopping: stopping.signal } });
    expect(first.report.totals.pending).toBeGreaterThan(20);
    const { report } = await service.send({ profile, store: copyStore(template, home.make(), 'copy.db') });
    const { imported, existing } = report.totals;
    expect(imported + existing).toBe(2 * laneCount);
    expect(existing).toBe(first.report.totals.imported);
    expect(copiesIn(service.data)).toEqual(Array(2 * laneCount).fill(1));
  });

  it('are looked into each by itself where something is wrong with them', async () => {
    const service = serviceWith();
    await service.send({ profile });
    change(service.data);
    const before = service.reads.length;
    const found = await service.check();
    expect(found).toMatchObject({ same: 118, missing: 1, extra: 0, different: 1, duplicated: 1, foreign: 2 });
    expect(service.reads.length - before).toBeLessThan(20);
    expect(differencesIn(service.store)).toEqual(['different', 'duplicated', 'missing']);
  });

  it('are read one by one if the destination lists only single conversations', async () => {
    const service = serviceWith({
      alterRead: (request, handle) =>
        request.path.includes('conversationId=') || isGroup(request.path)
          ? handle(request)
          : errorBody(403, 'ERR_FORBIDDEN'),
    });
    await service.send({ profile });
    expect(await service.check()).toMatchObject({ same: 2 * laneCount, missing: 0, foreign: 0 });
  });
});

/** Returns the kinds of differences that a verification recorded, in alphabetical order. */
function differencesIn(store: string): string[] {
  const db = new Database(store, { readonly: true });
  const kinds = db.prepare<[], string>('SELECT kind FROM difference ORDER BY kind').pluck().all();
  db.close();
  return kinds;
}

/** Deletes one message, duplicates one, changes the text of one, and adds two of another user, each in another conversation. */
function change(data: string): void {
  const db = new Database(data);
  const ids = db.prepare<[], number>('SELECT min(id) FROM message GROUP BY conversation ORDER BY 1').pluck().all();
  const columns = 'conversation, sender, receiver, receiver_type, category, type, tags, sent_at';
  const copy = db.prepare(
    `INSERT INTO message (muid, data, ${columns}) SELECT coalesce(?, muid), coalesce(?, data), ${columns} FROM message WHERE id = ?`,
  );
  db.prepare('DELETE FROM message WHERE id = ?').run(ids[3]);
  copy.run(null, null, ids[10]);
  db.prepare(`UPDATE message SET data = json_set(data, '$.text', 'else') WHERE id = ?`).run(ids[20]);
  copy.run('one', '{"text":"of theirs"}', ids[30]);
  copy.run('two', '{"text":"of theirs"}', ids[40]);
  db.close();
}

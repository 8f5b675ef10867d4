import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { planTemplate } from '../scenes/bench.ts';
import { makeExport } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

describe('countOrphanReplies()', () => {
  it('gives what the plan has counted, and none before there was a plan', async () => {
    const path = join(home.path, 'chatferry.db');
    const { folder } = makeExport(join(home.path, 'export'), { seed: 3, messages: 60 });
    await planTemplate(path, [folder], systemClock);
    const store = openStore(path, { command: 'test', nowMs: 0 });
    const db = databaseOf(store);
    expect(store.messages.countOrphanReplies()).toEqual({ read: 0, planned: 0 });
    db.exec(`UPDATE message SET root_muid = 'm1nobody' WHERE seq IN
      (SELECT seq FROM message WHERE verdict = 'planned' ORDER BY seq LIMIT 3)`);
    expect(store.messages.countOrphanReplies()).toEqual({ read: 0, planned: 0 });
    store.messages.collectOddReplies();
    expect(store.messages.countOrphanReplies()).toEqual({ read: 3, planned: 3 });
    db.exec(`DELETE FROM meta WHERE key = 'orphanReplies'`);
    expect(store.messages.countOrphanReplies()).toEqual({ read: 0, planned: 0 });
    store.close();
  });
});

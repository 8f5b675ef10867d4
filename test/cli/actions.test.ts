import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { effectsIn, sceneEffects, sceneRecords } from '../scenes/actions-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { writeRecords } from '../scenes/write-records.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

describe('chatferry --actions', () => {
  it('plans what follows the messages with a word of warning, and does it with the import', async () => {
    const folder = home.make();
    const path = writeRecords(join(folder, 'export.ndjson'), sceneRecords);
    const actions = 'friends,reactions,blocks,deactivations';
    const planned = await run(['plan', path, '--actions', actions], { folder });
    expect(planned.stdout).toMatch(/Actions after the messages\n {2}friends +2 {2}2 pending\n/);
    expect(planned.stdout).toContain('people may be notified');
    const { code, json } = await runJson(['import', path, '--actions', actions], { folder });
    expect(json).toMatchObject({
      actions: { friends: { done: 2 }, reactions: { done: 5 }, blocks: { done: 1 }, deactivations: { done: 1 } },
      requests: { action: 9 },
    });
    expect(code).toBe(0);
    const db = new Database(join(folder, 'chatferry.sandbox.db'), { readonly: true });
    expect(effectsIn(db)).toEqual(sceneEffects);
    db.close();
    const status = await run(['status'], { folder });
    expect(status.stdout).toMatch(/reactions +5 {2}5 done/);
    expect(status.stdout).not.toContain('notified');
    const explained = await run(['explain', 'm1'], { folder });
    expect(explained.stdout).toContain('👍 of bob at sandbox');
  });

  it('names a kind that there is not', async () => {
    const folder = home.make();
    const ended = await run(['plan', folder, '--actions', 'hugs'], { folder });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('found "hugs"') });
  });

  it('asks with the number of actions before it sends elsewhere', async () => {
    const folder = home.make();
    const path = writeRecords(join(folder, 'export.ndjson'), sceneRecords);
    const ended = await run(['import', path, '--actions', 'friends', '--to', 'http://127.0.0.1:9'], {
      folder,
      env: { CHATFERRY_API_KEY: 'a-key' },
    });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('and do 2 actions there') });
  });
});

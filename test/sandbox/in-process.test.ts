import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInProcessTransport } from '../../src/sandbox/in-process.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { apiKey, clockAt, direct, now, sandboxOf } from './fixture.ts';

const { signal } = new AbortController();

/** A transport to a sandbox with a file, and how many messages another process sees in that. */
function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'sandbox.db');
  const store = openSandboxStore(path);
  const transport = createInProcessTransport(sandboxOf({ store }), clockAt(now));
  const other = new Database(path, { readonly: true });
  onTestFinished(() => void other.close());
  const send = (muid: string, abort = signal, changes = {}) => {
    const body = JSON.stringify({ messages: { [muid]: direct(muid, changes) } });
    const path = '/v3/data_import/messages';
    return transport.send({ method: 'POST', path, headers: { apikey: apiKey }, body }, abort);
  };
  const stored = () => other.prepare('SELECT muid FROM message ORDER BY id').pluck().all();
  return { store, send, stored };
}

describe('requests of the same moment', () => {
  it('are all stored when the first is answered, and each gets its own answer', async () => {
    const { send, stored } = opened();
    const [first, ...others] = ['m1', 'm2', 'm1'].map((muid) => send(muid));
    expect((await first!).body).toContain('"success":true');
    expect(stored()).toEqual(['m1', 'm2']);
    const [second, again] = await Promise.all(others);
    expect(second!.body).toContain('"success":true');
    expect(again!.body).toContain('ERR_IMPORT_MUID_ALREADY_EXISTS');
  });

  it('are not handled if they were given up before', async () => {
    const { send, stored } = opened();
    const givenUp = new AbortController();
    const [kept, left] = [send('m1'), send('m2', givenUp.signal)];
    givenUp.abort(new Error('given up'));
    await expect(left).rejects.toThrow('given up');
    await kept;
    expect(stored()).toEqual(['m1']);
  });

  it('are all refused if the disk is full, and nothing of them is stored; the next ones are', async () => {
    const { store, send, stored } = opened();
    const pages = store.db.pragma('page_count', { simple: true }) as number;
    store.db.pragma(`max_page_count = ${pages + 2}`);
    const large = { data: { text: 'x'.repeat(20_000) } };
    for (const one of [send('m1'), send('m2', signal, large)]) await expect(one).rejects.toThrow('the disk is full');
    expect(stored()).toEqual([]);
    store.db.pragma(`max_page_count = ${pages + 100}`);
    await send('m3');
    expect(stored()).toEqual(['m3']);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeskRun, DeskState, Provider, SourceView } from '../../src/desk/shapes.ts';
import { providerNames } from '../../src/fetch/load-recipe.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const secret = 'hush-4711';
const wanted = { provider: 'chat-service', settings: { address: 'http://127.0.0.1:1' }, key: secret };

describe('an export that is fetched from the page', () => {
  it('can come from every provider, each with what it has to be given', async () => {
    const { ask } = await openDesk([], home.make());
    const providers = await ask<readonly Provider[]>('providers');
    expect(providers.map(({ name }) => name)).toEqual(providerNames());
    expect(providers.find(({ name }) => name === 'sendbird')).toMatchObject({
      title: 'Sendbird',
      key: expect.stringContaining('token'),
      settings: [{ id: 'app', what: expect.stringContaining('application id'), usual: '' }],
    });
  });

  it('is refused in words that do not repeat the key', async () => {
    const { change } = await openDesk([], home.make());
    for (const [body, status] of [
      [{ ...wanted, provider: '../x' }, 422],
      [{ ...wanted, settings: {} }, 422],
      [{ ...wanted, settings: { address: 'http://chat.example.com' } }, 422],
      [{ ...wanted, settings: { other: 'x' } }, 422],
      [{ ...wanted, key: `${secret}\0` }, 400],
      [{ ...wanted, key: '' }, 400],
      [{ ...wanted, version: 'old' }, 409],
    ] as const) {
      const refused = await change('fetch', body);
      expect([body, refused.status]).toEqual([body, status]);
      expect(JSON.stringify(refused.answer)).not.toContain(secret);
    }
    expect(process.env.CHATFERRY_FROM_KEY).toBeUndefined();
  });

  it('is no export if it does not come, and its key is forgotten with the run', async () => {
    const folder = home.make();
    const { change, counted, ask } = await openDesk([], folder);
    const { status, answer } = await change<DeskRun>('fetch', wanted);
    expect([status, answer.kind, answer.text]).toEqual([
      200,
      'fetch',
      expect.stringMatching(
        /chatferry fetch --from chat-service --out \.\/chatferry-fetched-chat-service --set address=/,
      ),
    ]);
    expect((await counted()).run).toMatchObject({ kind: 'fetch', outcome: 'Failed' });
    expect(process.env.CHATFERRY_FROM_KEY).toBeUndefined();
    expect((await ask<SourceView>('source')).exports).toEqual([]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    expect(JSON.stringify([await ask<DeskState>('state'), files])).not.toContain(secret);
  });
});

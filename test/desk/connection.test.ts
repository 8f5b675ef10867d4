import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeskState, SourceView } from '../../src/desk/shapes.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const secret = 'hush-4711';

/** The desk in an empty folder, and what its page sends about a database. */
async function scene() {
  const folder = home.make();
  writeFileSync(join(folder, 'own.yaml'), '');
  const desk = await openDesk(['--config', 'own.yaml'], folder);
  const choose = async (address: string, more: object = {}) => {
    const { version } = await desk.ask<DeskState>('state');
    return await desk.send('export', JSON.stringify({ version, kind: 'database', address, ...more }));
  };
  const logIn = (password: unknown) => desk.send('password', JSON.stringify({ password }));
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return { ...desk, folder, choose, logIn, files };
}

describe('a database that is chosen in the page', () => {
  it('is refused in words that do not repeat its address, if that cannot be used', async () => {
    const { choose, files, ask } = await scene();
    for (const address of [
      `postgres://ann:${secret}@db.example.com/app`,
      `mysql://ann:p/${secret}@db.example.com/app`,
      `mariadb://db.example.com/app?password=${secret}`,
      `http://ann:${secret}@db.example.com/app`,
      `postgres://db.example.com/app?options=${secret}`,
      `ann:${secret}@db.example.com`,
      `postgres://ann@db.example.com/${secret}\n`,
    ]) {
      const refused = await choose(address);
      const text = await refused.text();
      expect([address, refused.status, JSON.parse(text).error]).toEqual([
        address,
        422,
        expect.objectContaining({ code: 'DESK_REFUSED', message: expect.stringMatching(/^Cannot use the address/) }),
      ]);
      expect(text).not.toContain(secret);
    }
    expect(JSON.stringify([await ask('state'), await ask('source'), files()])).not.toContain(secret);
  });

  it('says where a password belongs that is in its address', async () => {
    const { choose } = await scene();
    const { error } = (await (await choose(`postgres://ann:${secret}@db.example.com/app`)).json()) as Refusal;
    expect(error.message).toContain('it holds a password');
    expect(error.hint).toContain('Take it out of the URL');
  });

  it('becomes the export of the configuration, and says why it cannot be reached', async () => {
    const { choose, folder, ask } = await scene();
    const address = 'postgres://reader@127.0.0.1:1/app';
    expect((await choose(address)).status).toBe(200);
    expect(readFileSync(join(folder, 'own.yaml'), 'utf8')).toContain(`export: "${address}"\n`);
    const view = () => ask<SourceView>('source');
    await expect.poll(async () => (await view()).error?.message).toMatch(/^Cannot reach .*no server listens there/);
    expect(await view()).toMatchObject({ exports: [address], wantsPassword: false, source: null });
  });

  it('is not taken by a page that has not seen how the files are now, nor in another form', async () => {
    const { choose, send } = await scene();
    expect((await choose('postgres://reader@127.0.0.1:1/app', { version: 'old.1' })).status).toBe(409);
    for (const body of ['{}', '{"version":"","kind":"files","address":"x"}', '{"version":"","kind":"database"}'])
      expect([body, (await send('export', body)).status]).toEqual([body, 400]);
  });

  it('comes with its password, which is in no answer and no file', async () => {
    const { choose, files, ask } = await scene();
    const answer = await choose('postgres://reader@127.0.0.1:1/app', { password: secret });
    expect([answer.status, process.env.PGPASSWORD]).toEqual([200, secret]);
    expect(JSON.stringify([await answer.text(), await ask('state'), files()])).not.toContain(secret);
    await choose('postgres://reader@127.0.0.1:2/app');
    expect(process.env.PGPASSWORD).toBeUndefined();
  });

  it('takes a password only if there is a server, and says nothing of one that it does not take', async () => {
    const { logIn, choose } = await scene();
    expect((await logIn(secret)).status).toBe(422);
    await choose('postgres://reader@127.0.0.1:1/app');
    for (const password of ['', secret.repeat(200), `${secret}\0`, 4711, null, [secret], { secret }]) {
      const refused = await logIn(password);
      expect([password, refused.status]).toEqual([password, 400]);
      expect(await refused.text()).not.toContain(secret);
    }
    expect(process.env.PGPASSWORD).toBeUndefined();
    expect((await logIn(secret)).status).toBe(200);
    expect(process.env.PGPASSWORD).toBe(secret);
  });

  it('gives its password to no other server, and a variable its own value again', async () => {
    const { logIn, choose, folder, ask } = await scene();
    await choose('postgres://reader@127.0.0.1:1/app');
    await logIn(secret);
    await ask<DeskState>('state');
    expect(process.env.PGPASSWORD).toBe(secret);
    await choose('postgres://reader@127.0.0.1:2/app');
    expect(process.env.PGPASSWORD).toBeUndefined();
    await logIn(secret);
    const path = join(folder, 'own.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('127.0.0.1:2', '127.0.0.1:3'));
    await ask<SourceView>('source');
    expect(process.env.PGPASSWORD).toBeUndefined();
  });
});

interface Refusal {
  readonly error: { readonly message: string; readonly hint: string | null };
}

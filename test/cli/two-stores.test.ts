import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { runJson, serveSandbox, testKey } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

it('two stores that send the same export at the same time send each message once, though the service stores copies', async () => {
  const folder = home.make();
  const { url, data } = await serveSandbox(folder, { duplicates: 'stored' });
  const importInto = (store: string) =>
    runJson(['import', everyFeature, '--store', store, '--to', url, '--grace-period', '0s', '--yes'], { folder, env });
  const [first, second] = await Promise.all([importInto('one.db'), importInto('two.db')]);
  expect([first.code, second.code]).toEqual([0, 0]);
  const server = new Database(data, { readonly: true });
  expect(server.prepare('SELECT count(*), count(DISTINCT muid) FROM message').raw().get()).toEqual([33, 33]);
  server.close();
  const delivered = [first, second].map(({ json }) => [json.imported + json.existing, json.verify.same]);
  expect(delivered).toEqual([
    [33, 33],
    [33, 33],
  ]);
});

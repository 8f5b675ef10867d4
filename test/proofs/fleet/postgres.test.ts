import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Secret } from '../../../src/lib/secret.ts';
import { ownPostgres, programs, testPostgres } from '../../fleet/postgres.ts';

async function connect(url: Secret): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.reveal() });
  client.on('error', () => {}); // the server goes away
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

describe.skipIf(programs === null)('PostgreSQL for tests', () => {
  it('is an empty database for each of them', async () => {
    const [first, second] = [await connect(await testPostgres()), await connect(await testPostgres())];
    for (const client of [first, second]) await client.query('CREATE TABLE mine (number int)');
  });

  it.each(['first', 'all'] as const)('keeps what was committed before it crashed: %s process killed', async (dying) => {
    const own = await ownPostgres();
    onTestFinished(() => own.stop());
    const client = await connect(own.url);
    await client.query('CREATE TABLE kept AS SELECT 7 AS number');
    // It outlives the first process, and holds the memory of the server.
    client.query('SELECT count(*) FROM generate_series(1, 5000000)').catch(() => {});
    await own.crash(dying);
    await own.start();
    expect((await (await connect(own.url)).query('SELECT number FROM kept')).rows).toEqual([{ number: 7 }]);
  });
});

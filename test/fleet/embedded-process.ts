/** A worker or a command with a PostgreSQL in a folder: prints its address, is connected, and stops on SIGTERM. */
import pg from 'pg';
import { startEmbedded } from '../../src/fleet/embedded/embedded.ts';
import { postgresPrograms } from '../requirements.ts';

const [, , folder, what] = process.argv;
const server = await startEmbedded(folder!, { programs: postgresPrograms()!, works: what === 'worker' });
const session = new pg.Client({ connectionString: server.url.reveal() });
session.on('error', () => {});
await session.connect();
process.once('SIGTERM', async () => {
  await session.end();
  await server.stop();
  process.exit();
});
// As a second Ctrl-C: it does not wait.
process.once('SIGUSR2', () => process.exit());
process.stdout.write(server.url.reveal());

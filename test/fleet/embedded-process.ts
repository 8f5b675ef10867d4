/** Starts a PostgreSQL in a folder, says where, works there, and goes on until somebody ends it. As `orderly` it leaves on SIGTERM as commands do. */
import pg from 'pg';
import { startEmbedded } from '../../src/fleet/embedded.ts';
import { postgresPrograms } from '../requirements.ts';

const [, , folder, how] = process.argv;
const server = await startEmbedded(folder!, { programs: postgresPrograms()! });
const work = new pg.Client({ connectionString: server.url.reveal() });
work.on('error', () => {});
await work.connect();
if (how === 'orderly')
  process.once('SIGTERM', async () => {
    await work.end();
    await server.stop();
    process.exit();
  });
process.stdout.write(server.url.reveal());

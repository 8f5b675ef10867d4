/** Starts a PostgreSQL in a folder, says where, and goes on until somebody ends it. */
import { startEmbedded } from '../../src/fleet/embedded.ts';
import { postgresPrograms } from '../requirements.ts';

const { url } = await startEmbedded(process.argv[2]!, { programs: postgresPrograms()! });
process.stdout.write(url.reveal());
setInterval(() => {}, 60_000);

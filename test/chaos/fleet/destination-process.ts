/** Destinations in a process of their own, started by `startDestinations`. */
import { type DestinationOptions, serveDestination } from './destination.ts';

process.on('message', async (options: readonly DestinationOptions[]) => {
  const served = await Promise.all(options.map(serveDestination));
  process.send!(served.map(({ url }) => url));
  process.once('SIGTERM', async () => {
    for (const one of served) await one.close();
    process.exit(0);
  });
});
process.on('disconnect', () => process.exit(1));

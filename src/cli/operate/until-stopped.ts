import type { Host } from '../host.ts';

/** Resolves when the program is asked to stop: this is how a server ends, and no error. */
export const untilStopped = (host: Host): Promise<void> =>
  new Promise((resolve) => {
    const stop = () => {
      host.off('SIGINT', stop);
      host.off('SIGTERM', stop);
      resolve();
    };
    host.on('SIGINT', stop);
    host.on('SIGTERM', stop);
  });

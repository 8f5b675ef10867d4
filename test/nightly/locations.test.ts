import { expect, it } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { locationScene, node } from '../sync/location-scene.ts';

const home = temporaryFolder();

it('a command whose output another program keeps open ends on its timeout and on a stop', async () => {
  // In a session of its own: what is sent to the group of the command does not reach it.
  const daemon = `require('child_process').spawn('sleep', ['30'], { detached: true, stdio: 'inherit' }).unref()`;
  const late = expect(locationScene({ ...node(daemon), timeout: '1s' }, home.make()).obtain()).rejects.toThrow(
    'it did not end within 1 s',
  );
  const stop = new AbortController();
  const obtaining = locationScene(node(`${daemon}; console.log('begun')`), home.make()).obtain({ signal: stop.signal });
  await systemClock.sleep(500);
  stop.abort(new Error('stopped'));
  await Promise.all([late, expect(obtaining).rejects.toThrow('stopped')]);
});

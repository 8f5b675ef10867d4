import { describe, expect, it } from 'vitest';
import { countRequests, killable, killAt } from '../scenes/killed.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** Two instants of each command, in turn before the service applies a request and after; test/long/killed.test.ts has more. */
describe('the same command goes on where it was killed:', () => {
  it.each(Object.entries(killable))('%s', async (_, command) => {
    const count = await countRequests(home.make(), command);
    expect(count).toBeGreaterThan(3);
    const instants = [Math.ceil(count / 3), Math.ceil((count * 2) / 3)];
    await killAt(home.make(), command, { request: instants[0]!, when: 'before', duplicates: 'stored' });
    await killAt(home.make(), command, { request: instants[1]!, when: 'after', duplicates: 'refused' });
  });
});

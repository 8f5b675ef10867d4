import { describe, expect, it } from 'vitest';
import { countRequests, killable, killAt } from '../scenes/killed.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** One instant of some, in turn before the service applies a request and after; test/nightly/killed.test.ts has all, at ten. */
describe('the same command continues where it was killed:', () => {
  it.each(
    [
      'retry',
      'undo',
      'reconcile --new-muids',
      'undo with people',
      'import after an undo with people',
      'import with members for its time',
    ].map((name, index) => [name, killable[name]!, index] as const),
  )('%s', async (_, command, index) => {
    const count = await countRequests(home.make(), command);
    expect(count).toBeGreaterThan(3);
    if (index % 2 === 0)
      await killAt(home.make(), command, { request: Math.ceil(count / 3), when: 'before', duplicates: 'stored' });
    else
      await killAt(home.make(), command, {
        request: Math.ceil((count * 2) / 3),
        when: 'after',
        duplicates: 'refused',
      });
  });
});

import { describe, expect, it } from 'vitest';
import { MediaFault, type MediaLocation } from '../../../src/media/media-location.ts';
import { standingKeys } from '../../../src/media/copying/copy-file.ts';
import { fastClock } from '../../scenes/fast-clock.ts';
import { noSignal } from '../../scenes/media-content.ts';

const options = { clock: fastClock(), random: () => 0.5, signal: noSignal };

/** Makes a location whose list breaks after its first key, always or a number of times. */
function shaky(times: number, kind: MediaFault['kind'] = 'again'): MediaLocation {
  let left = times;
  const keys = async function* () {
    yield 'a';
    if (left-- > 0) throw new MediaFault('No', { kind });
    yield 'b';
  };
  return { keys } as Partial<MediaLocation> as MediaLocation;
}

describe('standingKeys()', () => {
  it('knows the existing keys, even if a list had to be restarted', async () => {
    for (const times of [0, 2]) {
      const mayStand = await standingKeys(shaky(times), options);
      expect(['a', 'b', 'c'].map(mayStand)).toEqual([true, true, false]);
    }
  });

  it('leaves each file to a request of its own if no list completes', async () => {
    const mayStand = await standingKeys(shaky(Number.POSITIVE_INFINITY), options);
    expect(['a', 'c'].map(mayStand)).toEqual([true, true]);
  });

  it('reports that listing is not allowed', async () => {
    await expect(standingKeys(shaky(1, 'stop'), options)).rejects.toMatchObject({ kind: 'stop' });
  });
});

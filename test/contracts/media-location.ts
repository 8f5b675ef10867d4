import { describe, expect, it } from 'vitest';
import type { MediaLocation } from '../../src/media/media-location.ts';
import { allOf, contentOf, noSignal, someBytes } from '../scenes/media-content.ts';

export interface LocationUnderTest {
  readonly location: MediaLocation;
  /** Reads the stored object in a different way. */
  readonly look: (
    key: string,
  ) => { readonly bytes: Buffer; readonly contentType?: string; readonly disposition?: string } | undefined;
}

interface LocationOptions {
  readonly open: () => Promise<LocationUnderTest>;
  /** Whether readers of a file receive its type and name. */
  readonly keepsTypes: boolean;
  /** Whether what broke off on the way leaves nothing. One server that is tested with keeps halves. */
  readonly isWhole?: boolean;
  /** Size in bytes above which a file is uploaded in a different way. */
  readonly largeBytes: number;
}

const keys = ['a.png', 'deep/er/a.png', `it's (a) "b" + c & d=e ~ü–名.png`, 'a%2Fb?c#d.png', 'x'.repeat(200)];

/** Tests what every media location must do. */
export function describeMediaLocation(name: string, options: LocationOptions): void {
  const { open, keepsTypes, isWhole = true, largeBytes } = options;
  const sizes = [0, 1, 65_537, largeBytes];

  describe(name, () => {
    it.each(sizes)('keeps %i bytes as they are', async (size) => {
      const { location, look } = await open();
      const bytes = someBytes(size);
      await location.put('a.png', contentOf(bytes), noSignal);
      expect(look('a.png')?.bytes.equals(bytes)).toBe(true);
      expect(await location.head('a.png', noSignal)).toMatchObject({ sizeBytes: size });
      expect((await allOf(location.read('a.png', noSignal))).equals(bytes)).toBe(true);
      await location.close();
    });

    it.each(keys)('takes the key %s', async (key) => {
      const { location, look } = await open();
      await location.put(key, contentOf(someBytes(100)), noSignal);
      expect(look(key)?.bytes.length).toBe(100);
      expect(await location.head(key, noSignal)).toMatchObject({ sizeBytes: 100 });
      expect(await allOf(location.read(key, noSignal))).toEqual(someBytes(100));
      expect(URL.canParse(location.addressOf(key))).toBe(true);
      await location.remove(key, noSignal);
      expect(look(key)).toBeUndefined();
      await location.close();
    });

    it.each(['../a', '/a', 'a//b', 'a/../b', '.a', 'a/.', 'a\\b', 'a\nb', ''])('refuses the key %j', async (key) => {
      const { location } = await open();
      const content = contentOf(someBytes(1));
      await expect(location.put(key, content, noSignal)).rejects.toMatchObject({ name: 'MediaFault', kind: 'never' });
      await expect(location.head(key, noSignal)).rejects.toMatchObject({ kind: 'never' });
      await expect(location.remove(key, noSignal)).rejects.toMatchObject({ kind: 'never' });
      await location.close();
    });

    it('lists every existing key, if it lists any', async () => {
      const { location } = await open();
      const put = ['b/c 1.png', 'b/c+2.png', 'a.png', 'd.png', 'e.png', 'f.png', 'ü.png'];
      for (const key of put) await location.put(key, contentOf(someBytes(3)), noSignal);
      const listed: string[] = [];
      for await (const key of location.keys(noSignal)) listed.push(key);
      expect(listed.sort()).toEqual(put.toSorted());
      await location.close();
    });

    it('replaces an existing file', async () => {
      const { location, look } = await open();
      await location.put('a.png', contentOf(someBytes(5000)), noSignal);
      await location.put('a.png', contentOf(someBytes(70, 2)), noSignal);
      expect(look('a.png')?.bytes).toEqual(someBytes(70, 2));
      await location.close();
    });

    it('returns nothing for a missing file, and removes it without an error', async () => {
      const { location } = await open();
      expect(await location.head('b/c.png', noSignal)).toBeUndefined();
      await location.remove('b/c.png', noSignal);
      await expect(allOf(location.read('b/c.png', noSignal))).rejects.toMatchObject({
        name: 'MediaFault',
        kind: 'never',
      });
      await location.close();
    });

    it.runIf(keepsTypes)('keeps type and name', async () => {
      const { location, look } = await open();
      for (const size of [10, largeBytes]) {
        const content = contentOf(someBytes(size));
        await location.put('a.png', content, noSignal);
        expect(look('a.png')).toMatchObject({ contentType: content.contentType, disposition: content.disposition });
      }
      await location.close();
    });

    it.runIf(isWhole)('contains one of two complete files if both were put at the same time', async () => {
      const { location, look } = await open();
      const [one, two] = [someBytes(90_000), someBytes(80_000, 2)];
      await Promise.all([one, two, one, two].map((bytes) => location.put('d/a.png', contentOf(bytes), noSignal)));
      expect([one, two].some((bytes) => look('d/a.png')?.bytes.equals(bytes))).toBe(true);
      await location.close();
    });

    describe.runIf(isWhole)('keeps the previous file, or none', () => {
      it.each([2000, largeBytes])('if the source of %i bytes fails in the middle', async (size) => {
        const { location, look } = await open();
        const fault = new Error('The archive is damaged');
        const content = contentOf(someBytes(size), {
          open: () => breakingOff(someBytes(size), () => Promise.reject(fault)),
        });
        await expect(location.put('a.png', content, noSignal)).rejects.toBe(fault);
        expect(look('a.png')).toBeUndefined();
        await location.put('a.png', contentOf(someBytes(3)), noSignal);
        await expect(location.put('a.png', content, noSignal)).rejects.toBe(fault);
        expect(look('a.png')?.bytes).toEqual(someBytes(3));
        await location.close();
      });

      it.each([2000, largeBytes])('if it is aborted in the middle of %i bytes', async (size) => {
        const { location, look } = await open();
        const controller = new AbortController();
        const stop = () => Promise.resolve(controller.abort(new Error('It is enough')));
        const content = contentOf(someBytes(size), { open: () => breakingOff(someBytes(size), stop) });
        await expect(location.put('a.png', content, controller.signal)).rejects.toThrow('It is enough');
        expect(look('a.png')).toBeUndefined();
        expect(await location.head('a.png', noSignal)).toBeUndefined();
        await location.close();
      });

      it.each([
        ['has other bytes', (size: number) => someBytes(size, 3)],
        ['is shorter', (size: number) => someBytes(size - 1)],
        ['is longer', (size: number) => someBytes(size + 1)],
      ])('if the file %s than before', async (_, now) => {
        const { location, look } = await open();
        for (const size of [3000, largeBytes]) {
          const content = contentOf(someBytes(size), { open: () => contentOf(now(size)).open() });
          await expect(location.put('a.png', content, noSignal)).rejects.toMatchObject({ kind: 'again' });
          expect(look('a.png')).toBeUndefined();
        }
        await location.close();
      });
    });

    it('does nothing that was aborted before', async () => {
      const { location, look } = await open();
      const signal = AbortSignal.abort(new Error('Too late'));
      await expect(location.put('a.png', contentOf(someBytes(1)), signal)).rejects.toThrow('Too late');
      await expect(location.head('a.png', signal)).rejects.toThrow('Too late');
      await expect(location.remove('a.png', signal)).rejects.toThrow('Too late');
      await expect(allOf(location.read('a.png', signal))).rejects.toThrow('Too late');
      expect(look('a.png')).toBeUndefined();
      await location.close();
    });
  });
}

async function* breakingOff(bytes: Buffer, stop: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const middle = Math.floor(bytes.length / 2);
  yield bytes.subarray(0, middle);
  await stop();
  yield bytes.subarray(middle);
}

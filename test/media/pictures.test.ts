import { beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import type { MediaContent } from '../../src/media/media-location.ts';
import { pictureDescriber } from '../../src/media/copying/pictures.ts';
import { contentOf } from '../scenes/media-content.ts';

let upright: Buffer;
beforeAll(async () => {
  const plain = sharp({ create: { width: 640, height: 480, channels: 3, background: '#246' } });
  upright = await plain.jpeg().withMetadata({ orientation: 6 }).toBuffer();
});

const picture = (bytes: Uint8Array, contentType = 'image/jpeg'): MediaContent => ({
  ...contentOf(Buffer.from(bytes)),
  contentType,
});
const nowhere = async (): Promise<string> => {
  throw new Error('nothing is kept beside it');
};

describe('pictureDescriber()', () => {
  it('does nothing where nothing is asked for', async () => {
    expect(await pictureDescriber({ dimensions: false, thumbnails: false })).toBeUndefined();
  });

  it('returns width and height as people see the picture', async () => {
    const describePicture = await pictureDescriber({ dimensions: true, thumbnails: false });
    expect(await describePicture!(picture(upright), nowhere)).toEqual({ width: 480, height: 640 });
  });

  it('stores a smaller picture next to it, rotated as people see it, without camera metadata', async () => {
    const describePicture = await pictureDescriber({ dimensions: false, thumbnails: true });
    const kept: MediaContent[] = [];
    const facts = await describePicture!(picture(upright), async (content) => {
      kept.push(content);
      return 'https://files.example.com/small.webp';
    });
    expect(facts).toEqual({ thumbnail: 'https://files.example.com/small.webp' });
    const [small] = kept;
    expect(small).toMatchObject({ contentType: 'image/webp', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const chunks: Uint8Array[] = [];
    for await (const chunk of small!.open()) chunks.push(chunk);
    const { width, height, exif } = await sharp(Buffer.concat(chunks)).metadata();
    expect({ width, height, exif }).toEqual({ width: 240, height: 320, exif: undefined });
  });

  it.each([
    ['a text that is called a picture', Buffer.from('no picture'), 'image/png'],
    ['half a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIH', 'latin1'), 'image/png'],
    ['a drawing that may hold scripts', Buffer.from('<svg width="9" height="9"/>'), 'image/svg+xml'],
    ['a film', Buffer.from('....'), 'video/mp4'],
  ])('knows nothing of %s', async (_, bytes, type) => {
    const describePicture = await pictureDescriber({ dimensions: true, thumbnails: true });
    expect(await describePicture!(picture(bytes, type), nowhere)).toBeUndefined();
  });
});

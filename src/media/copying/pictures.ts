import { hash } from 'node:crypto';
import { UsageError } from '../../lib/errors.ts';
import type { PictureFacts } from '../../model/facts.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import type { MediaContent } from '../media-location.ts';

/** Finds out about a picture. @param keepBeside Keeps another file where this one stays, and gives its address. */
export type DescribePicture = (
  content: MediaContent,
  keepBeside: (content: MediaContent) => Promise<string>,
) => Promise<PictureFacts | undefined>;

/** Bytes that contain the dimensions of a picture, whatever a camera wrote before them. */
const headBytes = 512 * 1024;
/** A larger picture has no smaller one: it would be held in memory. */
const pictureBytesMax = 32 * 1024 * 1024;
/** Maximum width and height of a thumbnail, in pixels: the size that lists and bubbles of apps show. */
const thumbnailPixels = 320;

/** Types that have dimensions, and that no browser runs. */
const pictureType = /^image\/(?:jpeg|png|gif|webp|avif|bmp|tiff)$/;

/**
 * Returns a function that describes pictures as the rules ask; undefined if they ask for nothing. A picture that cannot
 * be decoded has no facts, and is stored unchanged.
 *
 * @throws UsageError if the package that makes thumbnails is not installed.
 */
export async function pictureDescriber({
  dimensions,
  thumbnails,
}: Pick<MediaRules, 'dimensions' | 'thumbnails'>): Promise<DescribePicture | undefined> {
  if (!dimensions && !thumbnails) return undefined;
  const shrink = thumbnails ? await shrinker() : undefined;
  return async (content, keepBeside) => {
    if (!pictureType.test(content.contentType)) return undefined;
    const size = dimensions ? await measureImage(content) : undefined;
    const small = shrink && content.sizeBytes <= pictureBytesMax ? await shrink(content) : undefined;
    const facts = { ...size, ...(small && { thumbnail: await keepBeside(thumbnailContent(small)) }) };
    return Object.keys(facts).length > 0 ? facts : undefined;
  };
}

/** Returns the size as people see it: a camera that was held upright records this next to the picture. */
async function measureImage(content: MediaContent): Promise<{ width: number; height: number } | undefined> {
  const { imageSize } = await import('image-size');
  const head = await readBytes(content, headBytes);
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined; // not a picture, or none of a kind that is known
  }
}

async function shrinker() {
  const { default: sharp } = await import('sharp').catch((cause: unknown) => {
    throw new UsageError('Cannot make small pictures (media.thumbnails): the package "sharp" is not installed', {
      hint: 'Install it next to Chatferry: npm install sharp',
      cause,
    });
  });
  // One thread for each picture: several are made at once.
  sharp.concurrency(1);
  return async (content: MediaContent): Promise<Uint8Array | undefined> => {
    const bytes = await readBytes(content, content.sizeBytes);
    const side = { width: thumbnailPixels, height: thumbnailPixels, fit: 'inside', withoutEnlargement: true } as const;
    return await sharp(bytes, { limitInputPixels: 100_000_000, failOn: 'error' })
      .rotate()
      .resize(side)
      .webp({ quality: 75 })
      .toBuffer()
      .catch(() => undefined); // not a picture, or one that is made to be hard to read
  };
}

/** At least the first `bytesMax` bytes, or all. */
async function readBytes(content: MediaContent, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content.open()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) break;
  }
  return Buffer.concat(chunks);
}

const thumbnailContent = (bytes: Uint8Array): MediaContent => ({
  sizeBytes: bytes.length,
  sha256: hash('sha256', bytes, 'hex'),
  contentType: 'image/webp',
  disposition: 'inline; filename="thumbnail.webp"',
  async *open() {
    yield bytes;
  },
});

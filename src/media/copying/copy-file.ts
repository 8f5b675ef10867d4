import pLimit, { type LimitFunction } from 'p-limit';
import type { Store } from '../../store/open.ts';
import type { MediaObject, StoredObject } from '../../store/media.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import type { Fetched, FetchedContent, MediaOrigin } from '../fetch/fetched.ts';
import { isActiveType, servedType } from '../fetch/active-types.ts';
import type { Ledger } from './ledger.ts';
import type { DescribePicture } from './pictures.ts';
import { fillKeyTemplate } from '../locations/key-template.ts';
import { type MediaContent, MediaFault, type MediaLocation } from '../media-location.ts';
import { tryAgain, type TryOptions } from '../try-again.ts';

export type Copied =
  | { readonly kind: 'copied'; readonly object: number }
  | { readonly kind: 'missing' | 'refused' | 'failed'; readonly why: string };

export interface ObjectStoreOptions extends TryOptions {
  readonly location: MediaLocation;
  readonly ledger: Ledger;
  /** Files that are written at once. */
  readonly concurrency: number;
  readonly rules: Pick<MediaRules, 'key'>;
  readonly describe?: DescribePicture | undefined;
}

/**
 * Puts files where they stay, each content once.
 *
 *     look in the store     stored there before: nothing is written again
 *     intent                committed before the first byte leaves
 *     look there            by a list of what stood there before; what stands there whole is not written again; a run before this one was killed behind its last byte
 *     write                 and look again, where the location does not check the digest itself
 *     stored                committed: from here on messages may have the address
 */
export class ObjectStore {
  readonly #options: ObjectStoreOptions;
  readonly #writing: LimitFunction;
  readonly #objects: Store['media']['objects'];
  /** By key: two files of the same content are one. */
  readonly #underway = new Map<string, Promise<number>>();

  /** Keys of which it is noted that they are stored, and not on disk yet. */
  readonly #noted = new Set<string>();

  #standing: Promise<(key: string) => boolean> | undefined;

  constructor(store: Store, options: ObjectStoreOptions) {
    this.#options = options;
    this.#writing = pLimit(options.concurrency);
    this.#objects = store.media.objects;
  }

  /** @throws MediaFault of kind `stop`; other failures are in the result. */
  async keep(fetched: Fetched, origin: MediaOrigin): Promise<Copied> {
    if (fetched.kind === 'again') return { kind: 'failed', why: fetched.why };
    if (fetched.kind !== 'fetched') return fetched;
    try {
      const whole = asKept(fetched.content, origin);
      const { sha256, contentType } = whole;
      const key = fillKeyTemplate(this.#options.rules.key, { sha256, name: origin.name, contentType });
      return { kind: 'copied', object: await this.#once(key, whole, this.#options.describe) };
    } catch (error) {
      if (!(error instanceof MediaFault) || error.kind === 'stop') throw error;
      return { kind: error.kind === 'never' ? 'refused' : 'failed', why: error.message };
    } finally {
      await fetched.release();
    }
  }

  async #once(key: string, content: MediaContent, describe: DescribePicture | undefined): Promise<number> {
    const before = this.#underway.get(key);
    if (before) return await before;
    const storing = this.#stored(key, content, describe);
    this.#underway.set(key, storing);
    try {
      return await storing;
    } finally {
      this.#underway.delete(key);
    }
  }

  async #stored(key: string, content: MediaContent, describe: DescribePicture | undefined): Promise<number> {
    const { location, clock, ledger } = this.#options;
    const known = this.#objects.find(location.name, key);
    const address = location.addressOf(key);
    const isStored = known?.state === 'stored' || this.#noted.has(key);
    if (known && isStored && known.sha256 === content.sha256) {
      if (known.address !== address) ledger.note(() => this.#objects.noteMoved(known.id, address));
      return known.id;
    }
    const { sha256, sizeBytes, contentType } = content;
    const object = { location: location.name, key, sha256, sizeBytes, contentType, address };
    const id = await this.#write(object, content, known);
    const picture = await describe?.(content, (beside) => this.#keepBeside(beside));
    const facts = picture ? JSON.stringify(picture) : null;
    // With the next commit: a file counts as copied with that.
    this.#noted.add(key);
    ledger.note(() => {
      this.#objects.noteStored(id, facts, clock.now());
      this.#noted.delete(key);
    });
    return id;
  }

  async #write(object: MediaObject, content: MediaContent, known: StoredObject | undefined): Promise<number> {
    const { location, clock, ledger } = this.#options;
    let id = 0;
    const mayStand = known !== undefined || (await this.#mayStand(object.key));
    const isStored = mayStand && (await this.#isWhole(object));
    if (isStored && known?.state !== 'intended') {
      await ledger.before(() => {
        id = this.#objects.noteFound(object, clock.now());
      });
    } else {
      await ledger.before(() => {
        id = this.#objects.intend(object);
      });
      if (!isStored) {
        await this.#writing(() => tryAgain((signal) => location.put(object.key, content, signal), this.#options));
      }
    }
    return id;
  }

  /** Returns whether the key may exist. The keys are listed on the first call, so that its caller receives any error of the listing. */
  async #mayStand(key: string): Promise<boolean> {
    this.#standing ??= standingKeys(this.#options.location, this.#options);
    return (await this.#standing)(key);
  }

  /** @returns Its address. */
  async #keepBeside(content: MediaContent): Promise<string> {
    const { location, rules } = this.#options;
    const { sha256, contentType } = content;
    const key = fillKeyTemplate(rules.key, { sha256, name: 'thumbnail.webp', contentType });
    await this.#once(key, content, undefined);
    return location.addressOf(key);
  }

  /**
   * Returns whether exactly this content is stored under the key. If the location reports no digest, a matching length
   * is enough, because the key contains the digest.
   */
  async #isWhole({ key, sha256, sizeBytes }: MediaObject): Promise<boolean> {
    const stored = await tryAgain((signal) => this.#options.location.head(key, signal), this.#options);
    return stored !== undefined && stored.sizeBytes === sizeBytes && (stored.sha256 ?? sha256) === sha256;
  }
}

/** As it is given to a location: what a browser would run is served as what it does not. */
function asKept(content: FetchedContent, { name }: MediaOrigin): MediaContent {
  const { sizeBytes, sha256, foundType } = content;
  const type = foundType || 'application/octet-stream';
  return {
    sizeBytes,
    sha256,
    contentType: servedType(type),
    disposition: buildDisposition(type, name),
    open: () => content.open(),
  };
}

/**
 * How a browser takes a file: with its name, and never as a page of the place where it stays. RFC 6266: the name in ASCII for old ones,
 * and in UTF-8. Printable ASCII, whatever the name is.
 */
function buildDisposition(type: string, name: string): string {
  const kind = isActiveType(type) ? 'attachment' : 'inline';
  const clean = [...name.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, '_')].slice(0, nameMax).join('');
  if (clean.trim() === '') return kind;
  const ascii = clean.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const utf8 = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === clean ? `${kind}; filename="${ascii}"` : `${kind}; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

/** Characters: file systems take 255 bytes, headers some thousand. */
const nameMax = 150;

/** Keys that are remembered at most, some 150 bytes each: beyond, each is asked for by itself. */
const rememberedMax = 100_000;

/**
 * Lists the keys at a location once, before a run begins, so that not every file has to be checked before it is
 * written.
 *
 * @returns A function that returns whether something may be stored under a key.
 */
export async function standingKeys(location: MediaLocation, options: TryOptions): Promise<(key: string) => boolean> {
  const standing = await tryAgain(async (signal) => {
    const found = new Set<string>();
    for await (const key of location.keys(signal)) {
      found.add(key);
      if (found.size > rememberedMax) return undefined;
    }
    return found;
  }, options).catch((error: unknown) => {
    // A long list takes many requests, and at an unreliable location one of them always fails. Each file is then
    // checked by itself.
    if (error instanceof MediaFault && error.kind === 'again') return undefined;
    throw error;
  });
  return standing ? (key) => standing.has(key) : () => true;
}

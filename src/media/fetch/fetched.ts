import type { MediaContent } from '../media-location.ts';

export type Fetched =
  /** On this disk, or in the export: hashed, whole. `release` drops what was put down for it. */
  | { readonly kind: 'fetched'; readonly content: FetchedContent; readonly release: () => Promise<void> }
  /** It is not there, or needs a login: asking again will not help. `why` in words, without addresses. */
  | { readonly kind: 'missing'; readonly why: string }
  /** It must not be fetched: an address of a private network, too large, a page instead of a picture. */
  | { readonly kind: 'refused'; readonly why: string }
  /** It may be there later. */
  | { readonly kind: 'again'; readonly why: string; readonly retryAfterMs?: number | undefined };

/** A whole file, without what only its place decides. */
export interface FetchedContent extends Pick<MediaContent, 'sizeBytes' | 'sha256' | 'open'> {
  /** Type according to the bytes and the answer; empty if neither gives one. */
  readonly foundType: string;
}

export interface MediaOrigin {
  readonly name: string;
  /** Type according to the export; empty if it gives none. */
  readonly mimeType: string;
  readonly sizeBytes: number | undefined;
}

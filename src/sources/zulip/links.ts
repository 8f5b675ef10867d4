import { targetOfPeople } from './conversations.ts';
import type { Directory } from './directory.ts';

/** `#narrow/channel/5-harbour/topic/tides/near/123`; older: `stream`, and names with dots for `%`. */
const ofStream =
  /#narrow\/(?:stream|channel)\/(\d{1,20})-([^/\s]{1,500})\/(?:[^\s]{1,1000}\/)?(?:near|with)\/(\d{1,20})$/;
const ofPeople = /#narrow\/(?:dm|pm-with)\/(\d{1,20})(?:,(\d{1,20}))?-[^/\s,]{1,300}\/near\/(\d{1,20})$/;

/** Which message an address of the server leads to; undefined where nobody can tell, or where it is one of another server. */
export function messageAt(
  url: string,
  author: string | undefined,
  directory: Pick<Directory, 'streamName'>,
): { readonly conversation: string; readonly id: string } | undefined {
  const [, stream, slug, near] = ofStream.exec(url) ?? [];
  if (stream !== undefined) {
    const name = directory.streamName(stream);
    return name !== undefined && isSlugOf(slug!, name) ? { conversation: `stream-${stream}`, id: near! } : undefined;
  }
  const [, one, two = author, message] = ofPeople.exec(url) ?? [];
  if (one === undefined || two === undefined) return undefined;
  return { conversation: targetOfPeople(one, two), id: message! };
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Streams of other servers have the same numbers, and other names. */
function isSlugOf(slug: string, name: string): boolean {
  let said = slug.replaceAll('.', '%');
  try {
    said = decodeURIComponent(said);
  } catch {}
  return lettersOf(said) === lettersOf(name);
}

import type { Instant } from './counted-time.ts';

/** Ids that hold the instant at which they were made. */

/** Digits at the beginning of an id, in an alphabet whose length is the base, that count milliseconds since some instant. */
interface Leading {
  readonly pattern: RegExp;
  readonly alphabet: string;
  /** Digits behind a prefix that is no part of the number. */
  readonly digits: number;
  readonly prefix?: RegExp;
  readonly unitMs?: number;
  readonly epochMs?: number;
}

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const base36 = digits + lower;
const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
/** 1 January 2000. */
const misskeyMs = 946_684_800_000;

const leading = {
  // https://www.mongodb.com/docs/manual/reference/bson-types/#objectid (2026-11)
  objectid: { pattern: /^[\da-f]{24}$/i, alphabet: base36.slice(0, 16), digits: 8, unitMs: 1000 },
  // https://github.com/ulid/spec; with a prefix, those of https://github.com/jetify-com/typeid (2026-11)
  ulid: { pattern: /^(?:[a-z_]+_)?[0-7][\da-hjkmnp-tv-z]{25}$/i, prefix: /^.*_/, alphabet: crockford, digits: 10 },
  // https://github.com/paralleldrive/cuid: Prisma's `cuid()` (2026-11)
  cuid: { pattern: /^c[a-z\d]{24}$/, prefix: /^c/, alphabet: base36, digits: 8 },
  // `-N` and 18 more: https://firebase.blog/posts/2015/02/the-2120-ways-to-ensure-unique_68 (2026-11)
  'firebase-id': { pattern: /^-[-\w]{19}$/, alphabet: `-${digits}${lower.toUpperCase()}_${lower}`, digits: 8 },
  // Misskey's: https://github.com/misskey-dev/misskey/tree/develop/packages/backend/src/misc/id (2026-11)
  aid: { pattern: /^[a-z\d]{10}$/, alphabet: base36, digits: 8, epochMs: misskeyMs },
  aidx: { pattern: /^[a-z\d]{16}$/, alphabet: base36, digits: 8, epochMs: misskeyMs },
  meid: { pattern: /^8[\da-f]{23}$/, alphabet: base36.slice(0, 16), digits: 12, epochMs: -0x8000_0000_0000 },
  meidg: { pattern: /^g[\da-f]{23}$/, prefix: /^g/, alphabet: base36.slice(0, 16), digits: 11 },
} as const satisfies Readonly<Record<string, Leading>>;

/** Numbers of 64 bits whose upper part counts milliseconds: how many bits follow, since when. */
const snowflakes = {
  // https://discord.com/developers/docs/reference#snowflakes (2026-11)
  'discord-id': { bits: 22n, epochMs: 1_420_070_400_000 },
  // Also Hutool's and MyBatis-Plus's.
  'twitter-id': { bits: 22n, epochMs: 1_288_834_974_657 },
  // https://github.com/mastodon/mastodon/blob/main/lib/mastodon/snowflake.rb (2026-11)
  'mastodon-id': { bits: 16n, epochMs: 0 },
} as const;

/** 100 ns from the first day of the Gregorian calendar, 15 October 1582, to 1970. */
const gregorianTicks = 122_192_928_000_000_000n;

/** Versions 1, 6 and 7 of RFC 9562 hold a time. */
function readUuid(id: string): Instant | undefined {
  const hex = id.replaceAll('-', '');
  if (hex[12] === '7') return { atMs: Number.parseInt(hex.slice(0, 12), 16), nanoseconds: 0 };
  const [low, middle, high] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16)];
  const all = hex[12] === '1' ? high + middle + low : hex[12] === '6' ? low + middle + high : undefined;
  if (all === undefined) return undefined;
  const ticks = BigInt(`0x${all}`) - gregorianTicks;
  return { atMs: Number(ticks / 10_000n), nanoseconds: Number(ticks % 10_000n) * 100 };
}

const base62 = digits + lower.toUpperCase() + lower;

/** 20 bytes, of which the first four are seconds since 13 May 2014: https://github.com/segmentio/ksuid (2026-11) */
function readKsuid(id: string): Instant {
  const number = [...id].reduce((sum, digit) => sum * 62n + BigInt(base62.indexOf(digit)), 0n);
  return { atMs: (Number(number >> 128n) + 1_400_000_000) * 1000, nanoseconds: 0 };
}

const others = {
  uuid: { pattern: /^[\da-f]{8}-?[\da-f]{4}-?[167][\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i, read: readUuid },
  ksuid: { pattern: /^[\dA-Za-z]{27}$/, read: readKsuid },
} as const;

type IdFormat = keyof typeof leading | keyof typeof snowflakes | keyof typeof others;

export const idFormats = Object.keys({ ...leading, ...snowflakes, ...others }) as readonly IdFormat[];

/** `snowflake-1546300800000`: milliseconds from 1970 to an epoch of one's own. */
const ownSnowflake = /^snowflake-(\d{1,13})$/;

export const isIdFormat = (format: string): boolean =>
  (idFormats as readonly string[]).includes(format) || ownSnowflake.test(format);

/** Returns a reader of the instants at which ids were made. */
export function idTimeReader(format: string): ((id: string) => Instant | undefined) | undefined {
  const own = ownSnowflake.exec(format);
  const snowflake = own
    ? { bits: 22n, epochMs: Number(own[1]) }
    : Object.hasOwn(snowflakes, format)
      ? snowflakes[format as keyof typeof snowflakes]
      : undefined;
  if (snowflake) {
    const { bits, epochMs } = snowflake;
    return (id) =>
      /^\d{15,20}$/.test(id) ? { atMs: Number(BigInt(id) >> bits) + epochMs, nanoseconds: 0 } : undefined;
  }
  if (Object.hasOwn(leading, format)) return leadingReader(leading[format as keyof typeof leading]);
  if (!Object.hasOwn(others, format)) return undefined;
  const { pattern, read } = others[format as keyof typeof others];
  return (id) => (pattern.test(id) ? read(id) : undefined);
}

function leadingReader({ pattern, alphabet, digits: count, prefix, unitMs = 1, epochMs = 0 }: Leading) {
  const isEither = alphabet.toLowerCase() === alphabet;
  return (id: string): Instant | undefined => {
    if (!pattern.test(id)) return undefined;
    const text = (prefix ? id.replace(prefix, '') : id).slice(0, count);
    const units = [...(isEither ? text.toLowerCase() : text)].reduce(
      (sum, digit) => sum * alphabet.length + alphabet.indexOf(digit),
      0,
    );
    return { atMs: units * unitMs + epochMs, nanoseconds: 0 };
  };
}

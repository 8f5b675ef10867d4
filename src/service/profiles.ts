import type { peopleWays } from '../model/arrival.ts';
import { isLoopback } from '../lib/loopback.ts';
import { UsageError } from '../lib/errors.ts';
import { trimEnd } from '../lib/text/plain-text.ts';

/** Days that the hosted service keeps messages if nothing else was agreed; it refuses to import older ones. 2026-11. */
export const usualRetentionDays = 183;

/** The total deadline of a request, in ms: after it nothing of it is still on its way from us. An import of 50 messages takes well under 1 s. */
export const usualRequestTimeoutMs = 90_000;

/** Limits of one message; an absent one is not known. Properties and constraints page of the hosted service, 2026-11. */
export interface MessageLimits {
  /** Messages older than this are refused. */
  readonly retentionDays?: number;
  /** UTF-8 bytes of the JSON of `data`. */
  readonly dataBytesMax?: number;
  /** Characters of the JSON of the whole message, people's details included. */
  readonly messageCharsMax?: number;
  readonly tagsMax?: number;
  readonly tagLengthMax?: number;
}

export type ProfileName = 'spec' | 'hosted' | 'sandbox';

/** What a user may say of a destination instead of its profile. */
export interface ProfileSettings {
  /** Messages per import request. 50: import constraints page, 2026-11. */
  readonly batchItemsMax: number;
  /** Bytes of an import request's body. 512 KiB: 50 messages of the documented 10 KB each. */
  readonly batchBytesMax: number;
  /** Import requests per minute; absent: no fixed rate, but every 429 and rate header is obeyed. */
  readonly importsPerMinute?: number;
  /** Result for a muid that already exists: `refused`, or `unknown` if nothing was promised. */
  readonly duplicates: 'unknown' | 'refused';
  readonly people: (typeof peopleWays)[number];
  /** `false`: nothing can be read back, so that a message without an answer stays unconfirmed. Only a user can say so. */
  readonly readBack?: boolean;
  /** Before an absent message is believed absent: so long a request may still be applied, whatever its answer was. */
  readonly graceLongMs: number;
  /** The total deadline of a request; 90 s without it. */
  readonly requestTimeoutMs?: number;
}

/**
 * Known facts about a destination. No other code knows a vendor.
 *
 * `spec` assumes nothing that the specification does not say. `hosted` is the documented behaviour of the hosted
 * service of this shape (import constraints and rate limit pages, 2026-11). `sandbox` is the embedded one.
 */
export interface Profile extends ProfileSettings {
  readonly name: ProfileName;
  /** Other requests per minute. */
  readonly readsPerMinute?: number;
  /** Requests per minute that react, befriend, block, deactivate; absent: no fixed rate. */
  readonly actionsPerMinute?: number;
  /** Limits that the destination is known to enforce; checked before anything is sent. */
  readonly limits: MessageLimits;
  /** The user states how long messages are kept; without a number of days, permanently. */
  readonly isRetentionSaid?: true;
  /**
   * Categories of messages that an import takes. The specification names plain, custom and form messages; the hosted
   * service the first two.
   */
  readonly importCategories: readonly string[];
  /** Whether `sentAt` goes out as a number or, as the specification shows it, as a string of seconds. */
  readonly timesAs: 'string' | 'integer';
  /**
   * How a list in a query is spelled: `tags=a&tags=b`, or `tags[0]=a&tags[1]=b`. The specification does not say; the hosted service
   * reads a query as PHP does, which keeps the last of repeated names (seen in clients of it, 2026-11).
   */
  readonly listsAs: 'repeated' | 'indexed';
  /** Field for a group's details: the specification shows one field for both kinds of receiver, the hosted service has two. */
  readonly groupDetailsIn: 'receiverUserDetails' | 'receiverGroupDetails';
}

export const profiles: Readonly<Record<Profile['name'], Profile>> = {
  spec: {
    name: 'spec',
    people: 'with-messages',
    batchItemsMax: 50,
    batchBytesMax: 512 * 1024,
    limits: {},
    duplicates: 'unknown',
    graceLongMs: 120_000,
    importCategories: ['message', 'custom', 'interactive'],
    timesAs: 'string',
    listsAs: 'repeated',
    groupDetailsIn: 'receiverUserDetails',
  },
  hosted: {
    name: 'hosted',
    people: 'import',
    batchItemsMax: 50,
    batchBytesMax: 512 * 1024,
    importsPerMinute: 60,
    readsPerMinute: 20_000,
    // Half of what it allows for operations of this class, which reads are as well, and all that it allows for deactivating.
    actionsPerMinute: 10_000,
    limits: {
      retentionDays: usualRetentionDays,
      dataBytesMax: 10_240,
      messageCharsMax: 65_536,
      tagsMax: 25,
      tagLengthMax: 100,
    },
    duplicates: 'unknown',
    graceLongMs: 120_000,
    importCategories: ['message', 'custom'],
    timesAs: 'integer',
    listsAs: 'indexed',
    groupDetailsIn: 'receiverGroupDetails',
  },
  sandbox: {
    name: 'sandbox',
    people: 'with-messages',
    batchItemsMax: 50,
    batchBytesMax: 512 * 1024,
    limits: {},
    duplicates: 'refused',
    graceLongMs: 0,
    importCategories: ['message', 'custom', 'interactive'],
    timesAs: 'string',
    listsAs: 'repeated',
    groupDetailsIn: 'receiverUserDetails',
  },
};

/** Whether anybody says how long the destination keeps messages. */
export const isRetentionKnown = ({ limits, isRetentionSaid }: Profile): boolean =>
  isRetentionSaid === true || limits.retentionDays !== undefined;

/** Returns the time within which confirmed messages are listed: 10 s, or the grace period if that is shorter. */
export const listedWithinMs = ({ graceLongMs }: Pick<Profile, 'graceLongMs'>): number => Math.min(graceLongMs, 10_000);

const publicDomain = 'cometchat.io';

/** Whether a base address is an app of the hosted service. */
function isPublicAddress(address: string): boolean {
  const { hostname = '' } = URL.canParse(address) ? new URL(address) : {};
  return hostname.endsWith(`.${publicDomain}`);
}

/** Base address of an app of the hosted service, before `/v3`. Regions: data import reference, 2026-11. */
export const publicBaseUrl = (appId: string, region: string): string =>
  `https://${encodeURIComponent(appId)}.api-${encodeURIComponent(region)}.${publicDomain}`;

/**
 * Limits of single fields. Those that differ between destinations are in `profiles.ts`.
 *
 * Except those of pages, the specification names none of them: they are those that the hosted service documents
 * (properties and constraints page, 2026-11), and the sandbox applies them if the comment says so.
 */

/** `uid` and `guid`: 100 characters of `a-z 0-9 - _`; upper case is forced to lower. The sandbox always checks it. */
export const idPattern = /^[a-z0-9_-]{1,100}$/;

/** A muid's bounds are documented nowhere. Assumed: as long as a uid, visible ASCII; ours are `[a-z0-9]`, 32 at most. */
export const muidPattern = /^[\x21-\x7e]{1,100}$/;

/** Name of a user or group, in characters. The sandbox checks it under the `hosted` profile. */
export const nameLengthMax = 100;

/** Description of a group, in characters. The sandbox checks it under the `hosted` profile. */
export const descriptionLengthMax = 255;

/** Messages per page of a listing: the specification's bound. */
export const listLimitMax = 1000;

/** Messages per page if the request names no limit: the specification's default. */
export const listLimitDefault = 10;

/** Rows per numbered page: the specification's bound and its default. */
export const perPageMax = 1000;
export const perPageDefault = 100;

/** Identifiers in one request; the specification bounds them in no way. Assumed, so that no request keeps all others waiting. */
export const idsPerRequestMax = 10_000;

/** Users, and groups, to whom one request sends: assumed, for the same reason. */
export const receiversMax = 1_000;

/** The greatest time of ten digits: what has more is milliseconds. */
export const secondsMax = 9_999_999_999;

/** 3,000 characters, an URL: properties and constraints page of the hosted service, 2026-11. */
export const isUsableUrl = (url: string | undefined): url is string =>
  url !== undefined && url.length <= 3000 && /^https?:\/\//.test(url) && URL.canParse(url);

/** Returns the time before which messages are older than a destination keeps them. */
export const keptFromMs = (nowMs: number, retentionDays: number): number => nowMs - retentionDays * 86_400_000;

/**
 * The base address as it names a destination: `https://host[:port][/prefix]`, host in lower case, no default port,
 * no `/v3`, no slash at the end. Two spellings of one address come out equal.
 *
 * @throws UsageError if it is no address, carries credentials or a query, or would send the key in the clear to another machine.
 */
export function normaliseBaseUrl(url: string): string {
  if (!URL.canParse(url))
    throw usage('it is not an address', 'Pass the address before /v3, such as https://chat.example.com');
  const { protocol, host, hostname, pathname, search, hash, username, password } = new URL(url);
  // From here on the address is not quoted: it may hold a password.
  if (username !== '' || password !== '') throw usage('it contains credentials', 'Pass the key as CHATFERRY_API_KEY');
  if (search !== '' || hash !== '') throw usage('it has a query or a fragment', 'Pass the address before /v3');
  if (protocol !== 'https:' && protocol !== 'http:') throw usage(`"${protocol}" is not https`, 'Pass an https address');
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw usage(
      `http would send the key unprotected to "${host}"`,
      'Pass an https address; http is for this machine only',
    );
  }
  const prefix = trimEnd(pathname, '/').replace(/\/v3$/i, '');
  return `${protocol}//${host}${trimEnd(prefix, '/')}`;
}

const usage = (reason: string, hint: string): UsageError =>
  new UsageError(`Cannot use the address of the service: ${reason}`, { hint });

/** For what is rehearsed: always a profile, and an app of the hosted service or an address where one was named. */
export interface Rehearsal {
  readonly profile: Profile['name'];
  readonly appId?: string;
  readonly address?: string;
}

/** @param meant A profile, the id of an app, or an address. @throws UsageError if it is no address either. */
export function parseRehearsal(meant: string): Rehearsal {
  const named = Object.values(profiles).find(({ name }) => name === meant);
  if (named) return { profile: named.name };
  if (/^[\w-]+$/.test(meant)) return { profile: 'hosted', appId: meant };
  const address = normaliseBaseUrl(meant);
  return { profile: profileAt(address), address };
}

/** Returns the profile that follows from an address alone. */
export const profileAt = (to: string): Profile['name'] =>
  to === 'sandbox' ? 'sandbox' : isPublicAddress(to) ? 'hosted' : 'spec';

/** The rules of a destination without its pace and its delays: the sandbox answers at once, and what was sent is there. */
export const rehearsed = ({ importsPerMinute, readsPerMinute, actionsPerMinute, ...rules }: Profile): Profile => ({
  ...rules,
  graceLongMs: profiles.sandbox.graceLongMs,
});

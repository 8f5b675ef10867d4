import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type LaneClaims,
  openLaneClaims,
  type DestinationFacts,
  type DestinationRow,
  type SeenDuplicates,
} from '../store/destinations.ts';
import type { Store } from '../store/open.ts';
import { readLockHolder } from '../lib/file-lock.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { Secret } from '../lib/secret.ts';
import { openSandboxStore, readSandboxId } from '../sandbox/store.ts';
import {
  normaliseBaseUrl,
  listedWithinMs,
  type MessageLimits,
  type Profile,
  type ProfileName,
  type ProfileSettings,
  profiles,
  publicBaseUrl,
  profileAt,
  parseRehearsal,
  rehearsed,
} from '../service/profiles.ts';
import type { DeliveryClient } from '../service/delivery-client.ts';
import type { SendPermits } from './destination.ts';
import { type Pace, sharedPace, sharedPath, unpaced } from './pace.ts';
import { lateGraceMs } from './pace/limits.ts';

export interface TargetOptions {
  /** A base address, or `sandbox` for the embedded one. */
  readonly to: string;
  readonly appId?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: ProfileName | undefined;
  /** Rehearse: the embedded sandbox goes by the limits of this profile, base address or app of the hosted service. */
  readonly rehearseFor?: string | undefined;
  /** Settings from the user that add to the profile or override it. */
  readonly overrides: Partial<ProfileSettings> & { readonly retentionDays?: number | 'unlimited' };
  readonly apiKey: Secret | undefined;
  /** Conversations that are sent to at the same time. */
  readonly concurrency: number;
  /** @internal */
  readonly clock: Clock;
  /** @internal Import requests per minute at this moment, if they depend on the time. Otherwise the value of the profile or the user applies. */
  readonly importRate?: (() => number | undefined) | undefined;
}

/** Destination of messages: its known properties, and the client for it. */
export interface Target {
  /** Its row in the store. */
  readonly id: number;
  /** As a person would say it. */
  readonly name: string;
  readonly isEmbedded: boolean;
  readonly profile: Profile;
  readonly client: DeliveryClient;
  /** Asked before each request that changes something. Absent if no other process can take over what is being sent. */
  readonly permits?: SendPermits | undefined;
  openPace(onWait: (ms: number, why: string) => void): Pace;
  /** Claims of conversations that only this store sends to, and no other store of this user or fleet. Absent if no other store can send. */
  openClaims?(profile: Pick<Profile, 'graceLongMs'>): LaneClaims;
  close(): Promise<void>;
}

/**
 * Returns the rules of a destination that a plan needs, without contacting it. @throws UsageError if the rehearsal
 * options make no sense.
 */
export function profileOf(
  options: Pick<TargetOptions, 'to' | 'appId' | 'profile' | 'rehearseFor' | 'overrides'>,
): Profile {
  const { retentionDays, ...others } = options.overrides;
  const merged = {
    ...assumedOf(options),
    ...others,
    ...(retentionDays !== undefined && { isRetentionSaid: true as const }),
  };
  return { ...merged, limits: withRetention(merged.limits, retentionDays) };
}

function assumedOf({
  to,
  appId,
  profile,
  rehearseFor,
}: Pick<TargetOptions, 'to' | 'appId' | 'profile' | 'rehearseFor'>): Profile {
  if (rehearseFor === undefined) return profiles[profile ?? (appId === undefined ? profileAt(to) : 'hosted')];
  if (!isEmbedded({ to, appId })) {
    // The address is not quoted: it may hold a password.
    throw new UsageError('Cannot rehearse at another destination than the embedded sandbox', {
      hint: 'Leave out --rehearse-for to send there, or pass --to sandbox to rehearse',
    });
  }
  return profiles[profile ?? parseRehearsal(rehearseFor).profile];
}

const isEmbedded = ({ to, appId }: Pick<TargetOptions, 'to' | 'appId'>): boolean =>
  to === 'sandbox' && appId === undefined;

/** Returns the destination that is rehearsed for, if the store knows it: what was seen of it is more than its profile has. */
function meantDestination(
  store: Store,
  { rehearseFor }: Pick<TargetOptions, 'rehearseFor'>,
): DestinationRow | undefined {
  const { address } = rehearseFor === undefined ? {} : parseRehearsal(rehearseFor);
  return address === undefined ? undefined : store.destinations.find(address);
}

/** The profile that a store names; nothing where this version has none of that name. */
export const profileNamed = (name: string | undefined): Profile['name'] | undefined =>
  Object.values(profiles).find((profile) => profile.name === name)?.name;

/** How long an app keeps messages is a matter of its contract: the profile only knows what is usual. */
function withRetention(limits: MessageLimits, said: number | 'unlimited' | undefined): MessageLimits {
  if (said === undefined) return limits;
  const { retentionDays: _, ...others } = limits;
  return said === 'unlimited' ? others : { ...others, retentionDays: said };
}

/** The sandbox that belongs to a store: `chatferry.db` → `chatferry.sandbox.db`. */
export const sandboxPathOf = (storePath: string) => `${storePath.replace(/\.db$/, '')}.sandbox.db`;

/** Returns the store's data about a destination, or undefined if nothing was sent there yet. Contacts no server. @throws UsageError */
export function knownDestination(
  store: Store,
  options: Pick<TargetOptions, 'to' | 'appId' | 'region'>,
): DestinationRow | undefined {
  const { appId, region } = options;
  if (isEmbedded(options)) {
    const path = sandboxPathOf(store.path);
    if (!existsSync(path)) return undefined;
    return store.destinations.find(`sandbox:${readSandboxId(path)}`);
  }
  // A plan needs the rules of the app, not its address.
  if (appId !== undefined && region === undefined) return undefined;
  return store.destinations.find(addressOf(options));
}

/** @throws UsageError if the address or the key cannot be used. */
export async function openTarget(store: Store, options: TargetOptions): Promise<Target> {
  const target = await (isEmbedded(options) ? openEmbedded(store, options) : openRemote(store, options));
  const { duplicates } = options.overrides;
  const seen = store.destinations.duplicates(meantDestination(store, options)?.id ?? target.id);
  const profile = withSeenDuplicates(target.profile, { override: duplicates, seen });
  const isLate = !target.isEmbedded && store.destinations.facts(target.id).copiesFoundAtMs !== undefined;
  return { ...target, profile: isLate ? withLongGrace(profile, options.overrides) : profile };
}

const loadClient = () => import('../service/delivery-client.ts');

/** Opens the embedded service. Its code is loaded only when needed: most of it is of no use to other destinations. */
async function openEmbedded(store: Store, options: TargetOptions): Promise<Target> {
  const [{ createSandbox }, { createInProcessTransport }, { DeliveryClient }] = await Promise.all([
    import('../sandbox/app.ts'),
    import('../sandbox/in-process.ts'),
    loadClient(),
  ]);
  const meant = meantDestination(store, options);
  const assumed = withSeenSize(profileOf(options), meant && store.destinations.facts(meant.id));
  const profile = options.rehearseFor === undefined ? assumed : rehearsed(assumed);
  const path = sandboxPathOf(store.path);
  // Its key never leaves this process; the file's own server makes another.
  const key = 'embedded';
  const sandbox = createSandbox({
    store: openSandboxStore(path),
    apiKey: key,
    profile: profile.name,
    limits: { ...profile.limits, itemsMax: profile.batchItemsMax },
    hasDirectory: profile.people === 'import',
    keepsPace: options.rehearseFor === undefined,
    ...(meant && { duplicates: store.destinations.duplicates(meant.id)?.duplicates }),
    clock: options.clock,
  });
  const transport = createInProcessTransport(sandbox);
  const name = `sandbox (${resolve(path)})`;
  return {
    id: store.destinations.use({
      address: `sandbox:${sandbox.id}`,
      name,
      profile: profile.name,
      nowMs: options.clock.now(),
    }),
    name,
    isEmbedded: true,
    profile,
    client: new DeliveryClient({ transport, apiKey: new Secret(key) }),
    openPace: (onWait) =>
      profile.importsPerMinute === undefined && !options.importRate
        ? unpaced
        : paceOf(`sandbox:${sandbox.id}`, profile, options, onWait),
    close: async () => {
      await transport.close();
      sandbox.close();
    },
  };
}

/** With the size of a request's body that a destination was seen to take. */
const withSeenSize = (profile: Profile, facts: DestinationFacts | undefined): Profile => ({
  ...profile,
  batchBytesMax: Math.min(profile.batchBytesMax, facts?.batchBytesMax ?? Number.POSITIVE_INFINITY),
});

/** Checks address and key before anything is read: an export may take an hour. @throws UsageError */
export function checkTarget(options: TargetOptions): void {
  profileOf(options);
  if (!isEmbedded(options)) usableTarget(options);
}

function usableTarget(options: TargetOptions): { address: string; apiKey: Secret } {
  const address = addressOf(options);
  if (options.apiKey) return { address, apiKey: options.apiKey };
  throw new UsageError(`Cannot send to ${address}: no API key`, {
    hint: 'Set CHATFERRY_API_KEY, or pass --api-key-file with a file that only you may read',
  });
}

async function openRemote(store: Store, options: TargetOptions): Promise<Target> {
  const { concurrency, clock } = options;
  const profile = profileOf(options);
  const { address, apiKey } = usableTarget(options);
  // Loaded on demand: 15 MB that a plan does without.
  const [{ createHttpTransport }, { DeliveryClient }] = await Promise.all([
    import('../service/http-transport.ts'),
    loadClient(),
  ]);
  const transport = createHttpTransport(new URL(address), { connections: concurrency, ...withDeadline(profile) });
  return {
    id: store.destinations.use({ address, name: address, profile: profile.name, nowMs: clock.now() }),
    name: address,
    isEmbedded: false,
    profile,
    client: new DeliveryClient({ transport, apiKey }),
    openPace: (onWait) => paceOf(address, profile, options, onWait),
    openClaims: ({ graceLongMs }) => {
      const owned = { path: sharedPath(), address, owner: realpathSync(store.path) };
      const grace = { graceLongMs, graceShortMs: listedWithinMs({ graceLongMs }) };
      const isAtWork = (path: string) => existsSync(path) && readLockHolder(path) !== undefined;
      return openLaneClaims({ ...owned, clock, ...grace, isAtWork });
    },
    close: () => transport.close(),
  };
}

const withDeadline = ({ requestTimeoutMs }: Profile) => (requestTimeoutMs === undefined ? {} : { requestTimeoutMs });

/** @throws UsageError if it cannot be used. */
export function addressOf({ to, appId, region }: Pick<TargetOptions, 'to' | 'appId' | 'region'>): string {
  if (appId === undefined) return normaliseBaseUrl(to);
  if (region === undefined)
    throw new UsageError('Cannot send to an app without its region', { hint: 'Pass --region us, eu or in' });
  return normaliseBaseUrl(publicBaseUrl(appId, region));
}

/** The pace that all processes of this user keep at an address. */
export function paceOf(
  address: string,
  profile: Profile,
  { clock, importRate }: Pick<TargetOptions, 'clock' | 'importRate'>,
  onWait: (ms: number, why: string) => void,
): Pace {
  const { importsPerMinute, readsPerMinute, actionsPerMinute } = profile;
  return sharedPace({
    address,
    perMinute: {
      // Asked for every request: it may change while a run goes on.
      get import() {
        return importRate?.() ?? importsPerMinute;
      },
      ...(readsPerMinute !== undefined && { read: readsPerMinute }),
      ...(actionsPerMinute !== undefined && { action: actionsPerMinute }),
    },
    clock,
    onWait,
  });
}

/**
 * Returns the profile for a destination that held messages twice: it stores a muid that it already has, and does so
 * later than the usual grace. The user's settings take precedence.
 */
const withLongGrace = (profile: Profile, { duplicates, graceLongMs }: TargetOptions['overrides']): Profile => ({
  ...profile,
  duplicates: duplicates ?? 'unknown',
  graceLongMs: graceLongMs ?? Math.max(profile.graceLongMs, lateGraceMs),
});

/**
 * The profile with what was seen of a destination in place of what the profile supposes; what the user says comes before both.
 * A destination that stores a muid twice is treated like one of which nothing is known: nothing is sent again before it
 * was looked for.
 */
export function withSeenDuplicates(
  profile: Profile,
  {
    override,
    seen,
  }: { readonly override: Profile['duplicates'] | undefined; readonly seen: SeenDuplicates | undefined },
): Profile {
  if (override !== undefined || seen === undefined) return profile;
  return { ...profile, duplicates: seen.duplicates === 'refused' ? 'refused' : 'unknown' };
}

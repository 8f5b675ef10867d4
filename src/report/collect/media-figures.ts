import type { Store } from '../../store/open.ts';
import type { AttachedMedia } from '../../store/media.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import type { MediaData } from '../report-data.ts';
import type { Tally } from '../tally.ts';

export type MediaPlan = Pick<MediaRules, 'to' | 'bandwidth'>;

export interface MediaFigures {
  readonly data: MediaData;
  readonly attached: AttachedMedia;
  /** Messages that have nothing but files that are nowhere; none if nothing is to be copied. */
  readonly onlyFiles: number;
}

interface MediaContext {
  readonly command: string;
  readonly nowMs: number;
  readonly media?: MediaPlan | undefined;
  readonly destination?: { readonly id: number | null } | undefined;
}

/** Code of the check whose findings copying settles only in part. */
export const onlyFilesCode = 'message-only-file';

/** Id for a destination that got nothing yet. */
const nowhere = 0;
const hostsMax = 20;
const faultsMax = 100;

/** Returns the cost of copying files, and what became of each; undefined if none are to be copied. */
export function mediaFigures(store: Store, tally: Tally, context: MediaContext): MediaFigures | undefined {
  const plan = context.media ?? rememberedPlan(store);
  // A plan that was asked for no files says nothing of what an earlier one has written down.
  if (!plan && (context.command === 'plan' || !store.media.figures.hasAny())) return undefined;
  const attached = store.media.figures.attached();
  const { waitingBytes: _, ...sums } = store.media.sums();
  const { faults, count: faultCount } = store.media.figures.faults(faultsMax);
  const { hosts, count: hostCount } = store.media.figures.hosts(hostsMax);
  const notInExport = Math.max((tally.planned.get('filesWithoutAddress') ?? 0) - attached.named, 0);
  // Every pass over the content of messages is skipped if there is nothing to find.
  const onlyFiles =
    sums.files > 0 && notInExport > 0 && tally.planned.has('onlyFiles') ? store.media.figures.countOnlyFiles() : 0;
  const data = {
    ...sums,
    location: findLocation(store, plan, context.media !== undefined),
    waitingMessages: store.media.countWaiting(context.destination && (context.destination.id ?? nowhere)).messages,
    left: measureRemaining(store, plan, context.nowMs),
    hosts: hosts.map((host) => ({ ...host, host: host.host || null })),
    hostCount,
    notInExport,
    faults: faults.map((fault) => ({ ...fault, host: fault.host || null })),
    faultCount,
    settled:
      sums.files > 0
        ? codesSettledByCopying({
            isTried: sums.waiting === 0,
            onlyFiles,
            hasForeign: notInExport > 0 && store.media.figures.hasForeignAddresses(),
          })
        : [],
  };
  return { data, attached, onlyFiles };
}

/** Returns the location to which files were written; for planned files, the location that was given. */
function findLocation(store: Store, plan: MediaPlan | undefined, isPlanned: boolean): string | null {
  const written = isPlanned ? undefined : store.media.figures.lastLocation();
  return written ?? (plan ? withoutSecrets(plan.to) : null);
}

function rememberedPlan(store: Store): MediaPlan | undefined {
  const text = store.facts.read('media');
  return text === undefined ? undefined : (JSON.parse(text) as MediaPlan);
}

function measureRemaining(store: Store, plan: MediaPlan | undefined, nowMs: number): MediaData['left'] {
  const { files, bytes, unsized, ...expiring } = store.media.figures.left(nowMs);
  const bandwidth = plan?.bandwidth ?? null;
  const ms = bandwidth === null ? null : Math.round((bytes / bandwidth) * 1_000);
  return { files, bytes, unsized, bandwidth, ms, expiring };
}

/**
 * Returns the codes that copying settles: files at addresses that few can open, or not for long. Files that cannot be
 * copied are part of the totals. This includes addresses that are never asked (of a private network, without TLS), once
 * that was tried.
 */
function codesSettledByCopying({
  isTried,
  onlyFiles,
  hasForeign,
}: {
  isTried: boolean;
  onlyFiles: number;
  hasForeign: boolean;
}): string[] {
  return [
    ...['attachment-expires', 'attachment-needs-login', 'attachment-token'],
    ...(isTried ? ['attachment-private-address', 'attachment-not-https'] : []),
    ...(hasForeign ? [] : ['attachment-bad-address', 'attachment-address-too-long']),
    ...(onlyFiles > 0 ? [] : [onlyFilesCode]),
  ];
}

/** Returns a location as it was typed, without secrets: an address may hold a password, or a signature after `?`. */
function withoutSecrets(to: string): string {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*:\/\/)([^?#]*)/i.exec(to) ?? [];
  if (scheme === undefined || rest === undefined) return to;
  const end = rest.indexOf('/');
  const authority = end < 0 ? rest : rest.slice(0, end);
  return `${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${end < 0 ? '' : rest.slice(end)}`;
}

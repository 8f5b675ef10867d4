import type { PlannedAttachment } from '../../checkpoint/staging/planned-attachments.ts';
import { sha256Hex } from '../../lib/hash.ts';

export interface SampleSize {
  readonly perHostMax: number;
  readonly totalMax: number;
}

interface Ranked {
  readonly rank: string;
  readonly attachment: PlannedAttachment;
}

/**
 * A sample of addresses, the same for the same export: of each host those with the smallest digests, each once; where that
 * is too many, one of each host in turn, the hosts in the order given.
 *
 * Holds `perHostMax` addresses for each host in memory, of some hundred bytes.
 *
 * @param hosts Others are not asked: as many as `totalMax` are enough.
 */
export function chooseAddresses(
  attachments: Iterable<PlannedAttachment>,
  hosts: readonly string[],
  { perHostMax, totalMax }: SampleSize,
): PlannedAttachment[] {
  const byHost = new Map<string, Ranked[]>(hosts.map((host) => [host, []]));
  for (const attachment of attachments) {
    const kept = URL.canParse(attachment.url) ? byHost.get(new URL(attachment.url).host) : undefined;
    if (kept) keepSmallest(kept, { rank: sha256Hex(attachment.url), attachment }, perHostMax);
  }
  const chosen: PlannedAttachment[] = [];
  for (let turn = 0; turn < perHostMax; turn++) {
    for (const kept of byHost.values()) {
      const next = kept[turn];
      if (next && chosen.length < totalMax) chosen.push(next.attachment);
    }
  }
  return chosen;
}

/** Keeps a sorted list of the smallest; one rank is one address. */
function keepSmallest(kept: Ranked[], candidate: Ranked, max: number): void {
  const place = kept.findIndex(({ rank }) => rank >= candidate.rank);
  if (place < 0) {
    if (kept.length < max) kept.push(candidate);
  } else if (kept[place]!.rank !== candidate.rank) {
    kept.splice(place, 0, candidate);
    kept.length = Math.min(kept.length, max);
  }
}

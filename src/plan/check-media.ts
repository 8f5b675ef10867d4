import { formatCount } from '../lib/text/count.ts';
import pLimit from 'p-limit';
import type { Store } from '../store/open.ts';
import type { FoundProblem, PlannedAttachment } from '../store/problems.ts';
import { type AddressRule, publicAddresses, refuseAddress } from '../io/web/address-rule.ts';
import { guardedAgent, resolveBySystem, type ResolveHost } from '../io/web/guarded-agent.ts';
import { sha256Hex } from '../lib/hash.ts';
import type { Progress } from '../lib/flow/progress.ts';
import { mediaCodes } from '../mapping/checks.ts';
import { askAddress, judgeAddressAnswer } from './check-media/ask-address.ts';

export interface ProbeOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Addresses of the public network by default. */
  readonly rule?: AddressRule;
  readonly resolve?: ResolveHost;
  readonly size?: SampleSize;
  /** For one address, in ms. 10 s by default. */
  readonly deadlineMs?: number;
}

/** At most 20 addresses of a host: a test, no attack. 200 in all take 10 minutes if none answers. */
const usualSize: SampleSize = { perHostMax: 20, totalMax: 200 };
/** Requests in flight. */
const concurrency = 4;

/**
 * Asks a sample of the addresses at which files of planned messages stay, and notes what is wrong as problems, in the
 * place of what the probe before noted. Speaks to the hosts of the files only, never to the chat service.
 *
 * Addresses that may not be asked (`http:`, private networks) are left out: other checks name them.
 *
 * @throws the signal's reason; what was noted before stays then.
 */
export async function checkMedia(store: Store, options: ProbeOptions): Promise<{ readonly asked: number }> {
  const { progress, signal, rule = publicAddresses, size = usualSize } = options;
  const { resolve = resolveBySystem, deadlineMs = 10_000 } = options;
  const stage = progress.stage('Asking addresses');
  const hosts = store.problems.hosts(size.totalMax).hosts.map(({ host }) => host);
  const chosen = chooseAddresses(askable(store.problems.attachments(), rule), hosts, size);
  const agent = guardedAgent(rule, resolve, { connectMs: deadlineMs });
  const limit = pLimit(concurrency);
  let done = 0;
  const ask = async (attachment: PlannedAttachment): Promise<FoundProblem | undefined> => {
    signal.throwIfAborted();
    const answer = await askAddress(attachment.url, { agent, rule, deadlineMs, signal });
    stage.update({ done: ++done, total: chosen.length });
    const fault = judgeAddressAnswer(answer, attachment.mimeType);
    return fault && toProblem(attachment, fault);
  };
  try {
    const found = await Promise.all(chosen.map((attachment) => limit(ask, attachment)));
    const problems = found.filter((problem) => problem !== undefined);
    store.problems.replace(
      mediaCodes.map(({ code }) => code),
      problems,
    );
    stage.finish(`${formatCount(chosen.length)} addresses asked, ${formatCount(problems.length)} with something wrong`);
    return { asked: chosen.length };
  } finally {
    await agent.destroy();
  }
}

function* askable(attachments: Iterable<PlannedAttachment>, rule: AddressRule): Generator<PlannedAttachment> {
  for (const attachment of attachments) {
    if (URL.canParse(attachment.url) && refuseAddress(new URL(attachment.url), rule) === undefined) yield attachment;
  }
}

/** Name and host, never the whole address: it may hold a secret. */
const toProblem = (
  { name, url, file, place }: PlannedAttachment,
  { code, words }: NonNullable<ReturnType<typeof judgeAddressAnswer>>,
): FoundProblem => ({ file, code, place, reason: `"${name.slice(0, 80)}" at ${new URL(url).host}: ${words}` });

export interface SampleSize {
  readonly perHostMax: number;
  readonly totalMax: number;
}

interface Ranked {
  readonly rank: string;
  readonly attachment: PlannedAttachment;
}

/**
 * Returns a sample of addresses, the same for the same export: for each host those with the smallest digests, each
 * once. If that is too many, takes one of each host in turn, the hosts in the order given.
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

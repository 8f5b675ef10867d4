import pLimit from 'p-limit';
import { listHosts } from '../../checkpoint/staging/attachment-hosts.ts';
import { type PlannedAttachment, plannedAttachments } from '../../checkpoint/staging/planned-attachments.ts';
import { type FoundProblem, replaceProblems } from '../../checkpoint/staging/replace-problems.ts';
import type { Store } from '../../checkpoint/base/store.ts';
import { mediaCodes } from '../../mapping/checks/attachments.ts';
import type { Progress } from '../../lib/progress.ts';
import { type AddressRule, publicAddresses } from './address-rule.ts';
import { askAddress, refusalOf } from './ask-address.ts';
import { chooseAddresses, type SampleSize } from './choose-addresses.ts';
import { guardedAgent, type ResolveHost, resolveBySystem } from './guarded-agent.ts';
import { judgeAnswer } from './judge-answer.ts';

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

/** At most 20 addresses of a host: a test, no attack. 200 in all take 10 minutes where none answers. */
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
export async function probeMedia({ db }: Store, options: ProbeOptions): Promise<{ readonly asked: number }> {
  const { progress, signal, rule = publicAddresses, size = usualSize } = options;
  const { resolve = resolveBySystem, deadlineMs = 10_000 } = options;
  const stage = progress.stage('Asking addresses');
  const hosts = listHosts(db, size.totalMax).hosts.map(({ host }) => host);
  const chosen = chooseAddresses(askable(plannedAttachments(db), rule), hosts, size);
  const agent = guardedAgent(rule, resolve, deadlineMs);
  const limit = pLimit(concurrency);
  let done = 0;
  const ask = async (attachment: PlannedAttachment): Promise<FoundProblem | undefined> => {
    signal.throwIfAborted();
    const answer = await askAddress(attachment.url, { agent, rule, deadlineMs, signal });
    stage.update({ done: ++done, total: chosen.length });
    const fault = judgeAnswer(answer, attachment.mimeType);
    return fault && problemOf(attachment, fault);
  };
  try {
    const found = await Promise.all(chosen.map((attachment) => limit(ask, attachment)));
    const problems = found.filter((problem) => problem !== undefined);
    replaceProblems(
      db,
      mediaCodes.map(({ code }) => code),
      problems,
    );
    stage.finish(`${chosen.length} addresses asked, ${problems.length} with something wrong`);
    return { asked: chosen.length };
  } finally {
    await agent.destroy();
  }
}

function* askable(attachments: Iterable<PlannedAttachment>, rule: AddressRule): Generator<PlannedAttachment> {
  for (const attachment of attachments) {
    if (URL.canParse(attachment.url) && refusalOf(new URL(attachment.url), rule) === undefined) yield attachment;
  }
}

/** Name and host, never the whole address: it may hold a secret. */
function problemOf(
  { name, url, file, place }: PlannedAttachment,
  { code, words }: NonNullable<ReturnType<typeof judgeAnswer>>,
): FoundProblem {
  return { file, code, place, reason: `"${name.slice(0, 80)}" at ${new URL(url).host}: ${words}` };
}

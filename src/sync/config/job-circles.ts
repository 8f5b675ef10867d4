import { normaliseBaseUrl } from '../../service/base-url.ts';
import { publicBaseUrl } from '../../service/profiles.ts';
import type { JobConfig } from './sync-file.ts';

/** A job that fetches messages of one app and sends them to another. */
interface Ferry {
  readonly job: JobConfig;
  readonly from: string;
  readonly to: string;
}

/**
 * Jobs that fetch what they send themselves, or what a job sends that fetches theirs: each round would carry everything over
 * once more, as new messages.
 */
export function circlesOf(jobs: readonly JobConfig[]): string[] {
  const ferries = jobs.flatMap(ferryOf);
  return ferries.flatMap((first) => {
    const circle = circleFrom(first, ferries);
    // Each circle once, at the first of its jobs.
    if (circle === undefined || circle.some((one) => ferries.indexOf(one) < ferries.indexOf(first))) return [];
    return `${first.job.place}: ${describe(circle)}`;
  });
}

function ferryOf(job: JobConfig): readonly Ferry[] {
  if (!('fetch' in job.export)) return [];
  const { to, appId, region } = job.options;
  const from = addressOf(job.export.fetch.from);
  const target = addressOf(appId !== undefined && region !== undefined ? publicBaseUrl(appId, region) : to);
  return from === undefined || target === undefined ? [] : [{ job, from, to: target }];
}

/** Nothing for what is no address: who uses it says so. */
function addressOf(given: string | undefined): string | undefined {
  try {
    return given === undefined ? undefined : normaliseBaseUrl(given);
  } catch {
    return undefined;
  }
}

/** The shortest way from where it sends back to where it fetches. */
function circleFrom(first: Ferry, ferries: readonly Ferry[]): readonly Ferry[] | undefined {
  const ways: (readonly [Ferry, ...Ferry[]])[] = [[first]];
  const seen = new Set([first]);
  for (const way of ways) {
    const last = way.at(-1)!;
    if (last.to === first.from) return way;
    for (const next of ferries.filter(({ from }) => from === last.to)) {
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function describe(circle: readonly Ferry[]): string {
  const [first, ...others] = circle.map(({ job }) => `job "${job.name}"`);
  if (others.length === 0) return `${first} fetches from where it sends to: each run would add everything once more`;
  const back = [...others.toReversed(), first];
  return `${first} fetches what ${back.join(' sends, which fetches what ')} sends`;
}

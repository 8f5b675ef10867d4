import { resolve } from 'node:path';
import type { z } from 'zod';
import { assertCounts, type ConfigFile, readConfigFile } from '../config/config-file.ts';
import { locationIssues } from './config/export-location.ts';
import { loadJobOptions, type OptionSources } from '../config/load-options.ts';
import { jobOptionNames, type Options } from '../config/options.ts';
import { UsageError } from '../lib/errors.ts';
import { normaliseBaseUrl, publicBaseUrl } from '../service/profiles.ts';
import { type JobKeys, syncPartSchema, type syncSchema } from './config/job-schema.ts';
import { docsLink } from '../lib/docs-link.ts';
import { listFaults, schemaWords } from '../lib/text/schema-words.ts';

/** A job with everything that was said about it, checked. */
export interface JobConfig extends Omit<JobKeys, 'hours'> {
  readonly hours: NonNullable<JobKeys['hours']>;
  /** Position in the file that names its store and its destination: both are always known. */
  readonly options: Options;
  /** `chatferry.yaml:12:5`. */
  readonly place: string;
}

export interface SyncConfig {
  readonly jobs: readonly JobConfig[];
  readonly sync: z.output<typeof syncSchema>;
}

/**
 * The jobs of `chatferry.yaml`. For their options a flag beats a variable, a variable the job, the job the top of the file.
 *
 * @throws UsageError naming file, line and column of everything that is wrong.
 */
export function loadSyncFile({ configPath, ...sources }: OptionSources): SyncConfig {
  const file = readConfigFile(configPath);
  if (!file) throw noFile();
  assertCounts(file);
  if (!('jobs' in file.values)) throw noJobs(file.path);
  const parsed = syncPartSchema.safeParse(file.values, schemaWords);
  if (!parsed.success) throw faulty(describeFaults(parsed.error.issues, file));
  const jobs = parsed.data.jobs.map((job, index) => parseJob(job, index, file, sources));
  const faults = [...namedTwice(jobs), ...sharedStores(jobs), ...findCircles(jobs)];
  if (faults.length > 0) throw faulty(faults);
  return { jobs, sync: parsed.data.sync };
}

const noFile = () =>
  new UsageError('Cannot sync: there is no "chatferry.yaml" in this folder', {
    hint: `Write one, with jobs: ${docsLink('guides/sync')} has an example; --config names a file elsewhere`,
  });

const noJobs = (path: string) =>
  new UsageError(`Cannot sync: "${path}" names no jobs`, {
    hint: `Write them under jobs: ${docsLink('guides/sync')} has an example; --config names another file`,
  });

const faulty = (faults: readonly string[]) =>
  new UsageError(`Cannot use the configuration: ${faults.join('; ')}`, {
    hint: `${docsLink('guides/sync')} explains every key`,
  });

function parseJob(
  { name, export: location, schedule, timeZone, jitter, hours = [], rates, keepReports, media }: JobKeys,
  index: number,
  file: ConfigFile,
  sources: Pick<OptionSources, 'flags' | 'env'>,
): JobConfig {
  const at = (...keys: string[]) => file.locate(['jobs', String(index), ...keys]);
  const own = (file.values.jobs as readonly Record<string, unknown>[])[index]!;
  const keys = Object.entries(own)
    .filter(([key]) => (jobOptionNames as readonly string[]).includes(key))
    .map(([key, value]) => [key, value, `${key} of job "${name}" at ${at(key)}`] as const);
  const withStore = [['store', `./chatferry-${name}.db`, `the store of job "${name}"`] as const, ...keys];
  const hasStore = 'store' in file.values;
  const options = loadJobOptions(hasStore ? keys : withStore, file, sources);
  const place = at('name');
  if (options.to === undefined && options.appId === undefined) throw faulty([withoutDestination(name, place)]);
  if (options.apiKeyFile === '-') throw faulty([`${place}: job "${name}": a key on standard input is read once only`]);
  return { name, export: location, schedule, timeZone, jitter, hours, rates, keepReports, media, options, place };
}

/**
 * Error for a job without a destination. A job sends without confirmation: its configuration is the consent, so it must
 * name the destination.
 */
const withoutDestination = (name: string, place: string) =>
  `${place}: job "${name}" names no destination: expected to (an address, or sandbox) or appId with region`;

const namedTwice = (jobs: readonly JobConfig[]): string[] =>
  repeated(jobs, ({ name }) => name).map(
    ([job, first]) => `${job.place}: there is another job "${job.name}" at ${first.place}`,
  );

/** Returns the jobs that share a store. A store has one writer, and one source; the files next to it have its name without `.db`. */
const sharedStores = (jobs: readonly JobConfig[]): string[] =>
  repeated(jobs, ({ options }) => resolve(options.store).replace(/\.db$/, '')).map(
    ([job, first]) =>
      `${job.place}: jobs "${first.name}" and "${job.name}" have one store, "${job.options.store}": each needs its own`,
  );

function repeated(jobs: readonly JobConfig[], keyOf: (job: JobConfig) => string): (readonly [JobConfig, JobConfig])[] {
  const first = new Map<string, JobConfig>();
  return jobs.flatMap((job) => {
    const found = first.get(keyOf(job));
    if (found) return [[job, found] as const];
    first.set(keyOf(job), job);
    return [];
  });
}

/** `chatferry.yaml:12:5: jobs.support.rate: expected …`. */
const describeFaults = (issues: readonly z.core.$ZodIssue[], file: ConfigFile): string[] =>
  issues.flatMap((issue) => {
    const inner = issue.code === 'invalid_union' ? locationIssues(valueAt(file.values, issue.path)) : [];
    if (inner.length > 0) {
      const placed = inner.map((own) => ({ ...own, path: [...issue.path, ...own.path] }));
      return describeFaults(placed, file);
    }
    return listFaults(syncPartSchema, [issue]).map(({ at, what }) => {
      const words = valueAt(file.values, at) === undefined ? `it is missing: ${what}` : what;
      return `${file.locate(at)}: ${at.map(String).join('.')}: ${words}`;
    });
  });

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);

/** A job that fetches messages of one app and sends them to another. */
interface Passage {
  readonly job: JobConfig;
  readonly from: string;
  readonly to: string;
}

/**
 * Jobs that fetch what they send themselves, or what a job sends that fetches theirs: each round would carry everything over
 * once more, as new messages.
 */
function findCircles(jobs: readonly JobConfig[]): string[] {
  const passages = jobs.flatMap(findPassages);
  return passages.flatMap((first) => {
    const circle = circleFrom(first, passages);
    // Each circle once, at the first of its jobs.
    if (circle === undefined || circle.some((one) => passages.indexOf(one) < passages.indexOf(first))) return [];
    return `${first.job.place}: ${describe(circle)}`;
  });
}

function findPassages(job: JobConfig): readonly Passage[] {
  if (!('fetch' in job.export)) return [];
  const { to, appId, region } = job.options;
  const from = parseAddress(job.export.fetch.from);
  const target = parseAddress(appId !== undefined && region !== undefined ? publicBaseUrl(appId, region) : to);
  return from === undefined || target === undefined ? [] : [{ job, from, to: target }];
}

/** Nothing for what is no address: who uses it says so. */
function parseAddress(given: string | undefined): string | undefined {
  try {
    return given === undefined ? undefined : normaliseBaseUrl(given);
  } catch {
    return undefined;
  }
}

/** The shortest way from where it sends back to where it fetches. */
function circleFrom(first: Passage, all: readonly Passage[]): readonly Passage[] | undefined {
  const paths: (readonly [Passage, ...Passage[]])[] = [[first]];
  const seen = new Set([first]);
  for (const path of paths) {
    const last = path.at(-1)!;
    if (last.to === first.from) return path;
    for (const next of all.filter(({ from }) => from === last.to)) {
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function describe(circle: readonly Passage[]): string {
  const [first, ...others] = circle.map(({ job }) => `job "${job.name}"`);
  if (others.length === 0) return `${first} fetches from its own destination: each run would add everything again`;
  const back = [...others.toReversed(), first];
  return `${first} fetches what ${back.join(' sends, which fetches what ')} sends`;
}

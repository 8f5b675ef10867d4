/** Looking at an export and planning it. Each function loads what does the work. */
import { worstExit } from '../model/exit-codes.ts';
import type {
  DoctorRequest,
  InitRequest,
  InspectOptions,
  MappingTestOptions,
  NamedFiles,
  PeopleRequest,
  PlanRequest,
  ProviderExamination,
} from './requests.ts';
import type { DoctorFinding, ExampleResult, Inspection, Outcome, TrustedInit, WrittenPeople } from './results.ts';

/** Reads an export once and counts. Writes nothing. @throws SourceError, UsageError */
export const inspect = async (options: InspectOptions): Promise<Inspection> =>
  (await import('./prepare/inspect.ts')).inspect(options);

/**
 * Looks at an export and writes `chatferry.yaml` and a commented mapping for it, or adds what is new to those that are there. Trusts the
 * files that it wrote, unless another person's words are in them.
 *
 * @throws SourceError, UsageError. Then nothing was written.
 */
export const trustedInit = async (request: InitRequest, named: NamedFiles): Promise<TrustedInit> =>
  (await import('./prepare/trusted-init.ts')).trustedInit(request, named);

/** Runs the examples of a mapping file through the mapping, as a plan would. @throws UsageError */
export const testMapping = async (path: string, options: MappingTestOptions): Promise<readonly ExampleResult[]> =>
  (await import('./prepare/mapping-test.ts')).testMapping(path, options);

/**
 * Looks at everything that an import needs, a line at a time. Changes nothing, except what `probeDuplicates` asks for; no key is
 * in any line.
 *
 * @throws what `signal` was aborted with, and faults of ours: whatever would stop an import is a line.
 */
export async function* examine(request: DoctorRequest): AsyncGenerator<DoctorFinding> {
  const doctor = await import('./prepare/doctor.ts');
  yield* doctor.examine(request);
}

/** Looks at everything that a fetch from a provider needs, a line at a time: some pages of each list are asked for, nothing is kept. */
export async function* examineProviderAccess(request: ProviderExamination): AsyncGenerator<DoctorFinding> {
  const provider = await import('./prepare/doctor/provider.ts');
  yield* provider.examineProviderAccess(request);
}

/** Describes what `probeDuplicates` leaves behind, as the rest of a sentence. */
export async function probeLeftovers(): Promise<string> {
  const { leftBehind } = await import('./prepare/doctor/probe-duplicates.ts');
  return leftBehind;
}

/** The exit code of `doctor`: how an import would end that meets these. */
export const doctorExitCode = (findings: readonly DoctorFinding[]): number =>
  worstExit(findings.flatMap((finding) => (finding.level === 'error' ? [finding.exit] : [])));

/** Dry run: reads, maps, stages and reports; sends nothing. @throws SourceError, UsageError, StoreError */
export const planExport = async (request: PlanRequest): Promise<Outcome> =>
  (await import('./prepare/plan.ts')).planExport(request);

/**
 * Writes the people of the latest plan as a table of uids that `people.lookup` reads: CSV, a row for each, in the order in which the plan
 * met them. Holds the keys of the present table, about 100 bytes for each, and four bytes for each person.
 *
 * @throws StoreError, UsageError if the file cannot be written, or the plan used a table of uids that `mapping` does not name.
 */
export const writePeople = async (request: PeopleRequest): Promise<WrittenPeople> =>
  (await import('./prepare/people.ts')).writePeople(request);

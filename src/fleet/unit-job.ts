import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertCounts, readConfigFile } from '../config/config-file.ts';
import { UsageError } from '../lib/errors.ts';
import { type JobConfig, loadSyncFile } from '../sync/sync-file.ts';
import type { UnitConfig } from './database/units.ts';

/**
 * Builds the job of a unit and reads it as `chatferry.yaml` is read. It is written to a file for this: errors name a
 * position that a person can look at.
 *
 * @param file Where it is written.
 * @throws UsageError
 */
export function readUnitJob(
  { job, top }: UnitConfig,
  { file, store, report }: { readonly file: string; readonly store: string; readonly report: string },
): JobConfig {
  // JSON is YAML; every scalar is text, as the reader of the file has it.
  writeFileSync(file, JSON.stringify({ ...top, jobs: [{ ...job, store, report }] }, null, 1), { mode: 0o600 });
  // Variables of a worker do not affect the job: only keys are there.
  const { jobs } = loadSyncFile({ configPath: file, flags: {}, env: {} });
  return jobs[0]!;
}

/** Names of units: of a tenant, and of a job of it. */
const nameShape = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** @throws UsageError */
export function checkName(name: string): string {
  if (nameShape.test(name)) return name;
  throw new UsageError(`Cannot use "${name}" as --name: expected a name of a-z, 0-9 and -, such as slack-2024`);
}

/** @throws UsageError */
export function checkTenant(tenant: string): string {
  if (nameShape.test(tenant)) return tenant;
  if (tenant === '')
    throw new UsageError('Cannot submit: no tenant is set', { hint: 'Pass --tenant acme, or set fleet.tenant' });
  throw new UsageError(`Cannot use "${tenant}" as a tenant: expected a name of a-z, 0-9 and -, such as acme`, {
    hint: 'Pass --tenant acme, or set fleet.tenant',
  });
}

/** A job that is handed in: written as it is, and checked. @throws UsageError */
export function jobFromKeys(written: UnitConfig): { readonly config: JobConfig; readonly written: UnitConfig } {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-'));
  const file = join(folder, 'chatferry.yaml');
  try {
    return { config: readUnitJob(written, { file, store: './store.db', report: './report' }), written };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(withoutPlaces(error.message, file), { hint: error.hint, cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without `"FILE":12:5: `: the file is gone by now. */
const withoutPlaces = (message: string, file: string): string =>
  message
    .replaceAll(`"${file}"`, file)
    .split(file)
    .map((piece, index) => (index === 0 ? piece : piece.replace(/^(?::\d+:\d+)?:? ?/, '')))
    .join('');

/** The jobs of a configuration, as it is written. Paths in it are relative to this folder. @throws UsageError */
export function readConfigJobs(
  configPath: string,
): readonly { readonly config: JobConfig; readonly written: UnitConfig }[] {
  // Workers have other variables: what is checked here is what they read.
  const { jobs } = loadSyncFile({ configPath, flags: {}, env: {} });
  const { jobs: raw, ...top } = readTopOptions(configPath);
  const keys = raw as readonly Readonly<Record<string, unknown>>[];
  return jobs.map((config, index) => {
    const { store: _, report: __, ...job } = keys[index]!;
    return { config, written: { job, top, folder: process.cwd(), from: 'config' } };
  });
}

/**
 * Returns the top-level options of a configuration, which apply to all of its jobs.
 *
 * @param exports Paths read as exports: what describes another export is not among them. @throws UsageError if it does not count.
 */
export function readTopOptions(
  configPath: string | undefined,
  exports: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const file = readConfigFile(configPath, exports);
  assertCounts(file);
  const { sync: _, fleet: __, store: ___, ...top } = file?.values ?? {};
  return top;
}

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Migration, type MigrationOptions, migrate } from './migrate.ts';
import { addUp, type Failure } from './result.ts';

export interface MigrationRequest extends Omit<MigrationOptions, 'folder'> {
  /** Where each migration gets a folder of its own. */
  readonly parent: string;
}

/**
 * A migration in a new folder, which is kept if something was not as it should be.
 *
 * @throws the signal's reason. Anything else that goes wrong is a failure of the migration.
 */
export async function runMigration({
  parent,
  ...request
}: MigrationRequest): Promise<{ readonly result: Migration['result']; readonly failure: Failure | undefined }> {
  const { scenario, seed } = request;
  const folder = join(parent, `${scenario.name}-${seed}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { result, problems } = await migrateOrSayWhyNot({ ...request, folder });
  if (problems.length > 0) return { result, failure: { scenario: scenario.name, seed, problems, folder } };
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { result, failure: undefined };
}

async function migrateOrSayWhyNot(options: MigrationOptions): Promise<Migration> {
  try {
    return await migrate(options);
  } catch (error) {
    options.signal.throwIfAborted();
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { result: addUp(options.scenario.name, []), problems: [problem] };
  }
}

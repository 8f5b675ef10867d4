import { existsSync, readFileSync } from 'node:fs';
import type { Options } from '../../config/options.ts';
import { trustOf } from '../../config/trusted-files.ts';
import { assertOutsideExports, exportAround } from '../../lib/files/outside-exports.ts';
import { init, type InitRequest, type InitResult } from './init.ts';
import { countsHere, trustInside, trustWritten } from './trust-written.ts';

/** Files that the user named, rather than those of the folder. */
interface NamedFiles {
  readonly mapping: string | undefined;
  readonly config: string | undefined;
}

/** The options that a new configuration remembers. */
export const configOf = ({ workspace, store, to, appId, region, profile }: Options): InitRequest['config'] => ({
  ...{ workspace, to, appId, region, profile },
  store: store === './chatferry.db' ? undefined : store,
});

export interface TrustedInit {
  readonly result: InitResult;
  /** Whether commands use all of the configuration; else it has to be trusted first. */
  readonly counts: boolean;
  /** Whether the mapping is inside the export. */
  readonly isInside: boolean;
}

/**
 * Runs `init`, and trusts the files that it wrote, unless another person's words are in them.
 *
 * @throws SourceError, UsageError. Then nothing was written.
 */
export async function trustedInit(request: InitRequest, named: NamedFiles): Promise<TrustedInit> {
  const { exports, force, mappingPath, configPath } = request;
  assertOwn('the mapping', mappingPath, request);
  assertOwn('the configuration', configPath, request);
  // A replaced file has nothing left of what it said.
  const counted = named.config !== undefined || force || countsHere();
  const result = await init(request);
  const isInside = exportAround(mappingPath, exports) !== undefined;
  if (isInside) trustInside(mappingPath);
  if (exportAround(configPath, exports) !== undefined && named.config !== undefined) trustInside(configPath);
  const counts = named.config !== undefined || trustWritten(result, named, counted);
  return { result, counts, isInside };
}

/**
 * Allows writing inside an export only if the file does not exist yet, or if this user has trusted it: otherwise
 * another person's words would be kept, and trusted.
 *
 * @throws UsageError
 */
function assertOwn(what: string, path: string, { exports, force }: InitRequest): void {
  const startsOver = force || !existsSync(path);
  const trust = () => (startsOver ? 'trusted' : trustOf(path, readFileSync(path, 'utf8')));
  assertOutsideExports(what, path, exports, { trust });
}

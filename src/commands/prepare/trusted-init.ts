import { existsSync, readFileSync } from 'node:fs';
import { readTrust } from '../../config/trusted-files.ts';
import { assertOutsideExports, exportAround } from '../../lib/files/outside-exports.ts';
import { init } from './init.ts';
import { countsHere, trustInside, trustWritten } from '../../config/trust-written.ts';
import type { InitRequest, NamedFiles } from '../requests.ts';
import type { TrustedInit } from '../results.ts';

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
  const trust = () => (startsOver ? 'trusted' : readTrust(path, readFileSync(path, 'utf8')));
  assertOutsideExports(what, path, exports, { trust });
}

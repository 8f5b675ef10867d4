import { existsSync, readFileSync } from 'node:fs';
import { countsHere } from '../../config/config-file.ts';
import { readTrust, type Trust, trustFile, trustIfPossible } from '../../config/trusted-files.ts';
import { assertOutsideExports, exportAround } from '../../lib/files/outside-exports.ts';
import { init } from './init.ts';
import type { InitRequest, NamedFiles } from '../requests.ts';
import type { TrustedInit } from '../results.ts';

export async function trustedInit(request: InitRequest, named: NamedFiles): Promise<TrustedInit> {
  const { exports, force, mappingPath, configPath } = request;
  assertOwn('the mapping', mappingPath, request);
  assertOwn('the configuration', configPath, request);
  // A replaced file has nothing left of what it said.
  const counted = named.config !== undefined || force || countsHere();
  const isInside = exportAround(mappingPath, exports) !== undefined;
  // A mapping that was only found here may be another person's, and its words are not trusted along with the configuration that names it.
  const isOwn = named.mapping !== undefined || trustNow(mappingPath, force) === 'trusted';
  const trust = (path: string, text: string): void => {
    // No command would take one from inside an export otherwise.
    if (exportAround(path, exports) !== undefined && (path === mappingPath || named.config !== undefined))
      trustFile(path, text);
    else if (isOwn && (path === mappingPath || (named.config === undefined && counted))) trustIfPossible(path, text);
  };
  const result = await init(request, trust);
  return { result, counts: named.config !== undefined || countsHere(), isInside };
}

/** A file that is not there yet, or starts over, has nobody else's words. */
const trustNow = (path: string, startsOver: boolean): Trust =>
  startsOver || !existsSync(path) ? 'trusted' : readTrust(path, readFileSync(path, 'utf8'));

/**
 * Allows writing inside an export only if the file does not exist yet, or if this user has trusted it: otherwise
 * another person's words would be kept, and trusted.
 *
 * @throws UsageError
 */
function assertOwn(what: string, path: string, { exports, force }: InitRequest): void {
  assertOutsideExports(what, path, exports, { trust: () => trustNow(path, force) });
}

import { dirname, relative, resolve, sep } from 'node:path';
import { UsageError } from '../lib/errors.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import { standardInputName } from '../io/input/standard-input.ts';
import { assertCounts, exportsIn, readConfigFile } from './config-file.ts';

/**
 * Returns the export named by `chatferry.yaml`, for a command without an argument: absolute paths, and addresses of
 * databases.
 *
 * @param configPath Default: `./chatferry.yaml`, if that exists.
 * @throws UsageError if the file does not count, or has anything else than paths.
 */
export function configuredExports(configPath: string | undefined): readonly string[] {
  const file = readConfigFile(configPath);
  assertCounts(file);
  const value = file?.values.export;
  if (file === undefined || value === undefined) return [];
  const paths = exportsIn(file.path, value);
  if (paths.length === 0 || paths.length < [value].flat().length)
    throw new UsageError(`Cannot use export at ${file.locate(['export'])}: expected a path, or a list of paths`);
  return paths;
}

/** Exports as a configuration names them: from its folder; addresses of databases as they are. None where one of them is no file. */
export function exportsFor(configPath: string, exports: readonly string[]): readonly string[] | undefined {
  if (exports.includes(standardInputName)) return undefined;
  const folder = dirname(resolve(configPath));
  return exports.map((path) =>
    isServerAddress(path) ? path : relative(folder, resolve(path)).replaceAll(sep, '/') || '.',
  );
}

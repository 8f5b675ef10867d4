import { dirname, join, resolve } from 'node:path';
import { type ConfigFile, trustHint } from '../../../config/config-file.ts';
import { isSaid, type OptionSources } from '../../../config/load-options.ts';
import type { Options } from '../../../config/options.ts';
import { UsageError } from '../../../lib/errors.ts';
import { staysInside } from '../../../lib/files/inside-folder.ts';

interface FoundJob {
  readonly name: string;
  readonly place: string;
  readonly options: Options;
}

/**
 * Stops jobs of a file that was only found, if they would leave its folder by what the file does not say: a variable names a destination, to
 * which a stranger's messages would be sent without a question; or a default path is a link to elsewhere.
 *
 * @throws UsageError
 */
export function assertStaysHere(
  { name, place, options }: FoundJob,
  { path }: Pick<ConfigFile, 'path'>,
  sources: Pick<OptionSources, 'flags' | 'env'>,
): void {
  const refused = (why: string) =>
    new UsageError(`Cannot run job "${name}" at ${place}: ${why}, and the file was found in this folder, not named`, {
      hint: trustHint,
    });
  const { to, appId, store, report = './chatferry.report' } = options;
  if (appId !== undefined) throw refused('CHATFERRY_APP_ID names a destination');
  if (to !== 'sandbox') throw refused('CHATFERRY_TO names a destination');
  const paths = [
    ...(isSaid('store', sources) ? [] : [store]),
    ...(isSaid('report', sources) ? [] : [join(report, name)]),
  ];
  const leaving = paths.find((one) => !staysInside(one, dirname(resolve(path))));
  if (leaving !== undefined) throw refused(`"${leaving}" leads out of its folder`);
}

import { UsageError } from '../lib/errors.ts';
import type { MediaRules } from './media-rules.ts';

type Reach = {
  readonly [Name in 'to' | 'endpoint' | 'credentials' | 'token' | 'tokenHosts']?: MediaRules[Name] | undefined;
};

/**
 * Rules of files that nobody has named may copy into a folder, and no more: files of messages, keys and tokens go to another machine only
 * where the user himself has said so.
 *
 * @param where As in `media of "my.yaml"`.
 * @throws UsageError
 */
export function assertStaysHere(rules: Reach, where: string): void {
  const what = reachOf(rules);
  if (what === undefined) return;
  throw new UsageError(`Cannot use ${where}: nobody has named the file, and it ${what}`, {
    hint: 'If you trust it, pass --config ./chatferry.yaml, or --mapping with the file, or --to-media and its options; docs/security.md',
  });
}

/** What rules of files do beyond a folder. */
function reachOf({ to = '', endpoint, credentials, token, tokenHosts }: Reach): string | undefined {
  if (token !== undefined || tokenHosts !== undefined) return 'would send a token';
  if (credentials !== undefined) return 'would send keys';
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(to) || endpoint !== undefined ? 'would send files elsewhere' : undefined;
}

import { type Command, Option } from 'commander';
import { readApiKey } from '../../config/api-key.ts';
import { type LoadedRecipe, loadProvider, loadRecipeFile } from '../../fetch/load-recipe.ts';
import { UsageError } from '../../lib/errors.ts';
import { normaliseBaseUrl } from '../../service/profiles.ts';
import { type Secret, toSecret } from '../../lib/secret.ts';
import type { CommandContext } from '../command-context.ts';
import type { Host } from '../host.ts';
import { agreeToAddress } from '../known-address.ts';

/** Options that only commands that ask a provider have. */
interface ProviderFlags {
  readonly recipe?: string;
  readonly set?: readonly string[];
  readonly only?: readonly string[];
  readonly answers?: string;
  readonly withFiles?: boolean;
}

/** The variable with the key of a provider. Another one than the destination's: the two are different services. */
const keyVariable = 'CHATFERRY_FROM_KEY';

export function addProviderFlags(command: Command): void {
  command
    .addOption(new Option('--from <PROVIDER>', 'Provider, or the base address of a chat service before /v3'))
    .addOption(new Option('--recipe <FILE>', 'A recipe of your own, instead of a provider'))
    .addOption(
      new Option('--set <NAME=VALUE>', 'Setting of the provider, such as account=AC…; once for each').argParser(
        collect,
      ),
    );
}

export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** A provider as it was named; undefined if none was. */
export interface NamedProvider {
  readonly recipe: LoadedRecipe;
  readonly settings: Readonly<Record<string, string>>;
  readonly only: readonly string[] | undefined;
  /** File with answers that are played instead of asking. */
  readonly answers: string | undefined;
  readonly withFiles: boolean;
}

/** @returns undefined if none was named. @throws UsageError, also if the user does not agree to the address of a chat service. */
export async function namedProvider(
  command: Command,
  from: string | undefined,
  around: CommandContext,
): Promise<NamedProvider | undefined> {
  const { recipe, set = [], only, answers, withFiles = false } = command.opts<ProviderFlags>();
  if (recipe === undefined && from === undefined) return undefined;
  if (recipe !== undefined && from !== undefined)
    throw new UsageError('Cannot fetch: --from and --recipe both say where from', { hint: 'Pass one of them' });
  const address = from?.includes('://') ? normaliseBaseUrl(from) : undefined;
  if (address !== undefined) await agreeToAddress(address, around.said('from'), around);
  return {
    recipe:
      recipe === undefined ? loadProvider(address === undefined ? from! : 'chat-service') : loadRecipeFile(recipe),
    settings: { ...(address !== undefined && { address }), ...settingsIn(set) },
    only,
    answers,
    withFiles,
  };
}

/** @throws UsageError */
const settingsIn = (set: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    set.map((one) => {
      const at = one.indexOf('=');
      if (at > 0) return [one.slice(0, at), one.slice(at + 1)];
      throw new UsageError(`Cannot use --set "${one}": expected NAME=VALUE`);
    }),
  );

/** From a file that only its owner may read, from standard input, or from the variable. Never from an argument. */
export const readProviderKey = (file: string | undefined, { env, readInput }: Host): Secret | undefined =>
  file === undefined ? toSecret(env[keyVariable] ?? '') : readApiKey(file, {}, readInput);

import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import type { OptionName } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Operation } from '../../service/operation.ts';
import { isRequired, parameterKind, isSecretParameter } from '../../service/prepare-request.ts';
import { addOptions } from '../options/flags.ts';

/** Options of every call besides `--to`, which has no embedded sandbox here. */
const addressOptions = ['appId', 'region', 'profile', 'apiKeyFile'] as const satisfies readonly OptionName[];

/** Adds the flags of an operation: its parameters as the service spells them, its body, and where to call. */
export function addCallFlags(command: Command, operation: Operation): void {
  for (const [name, schema] of Object.entries(parameterSchemas(operation))) {
    command.addOption(parameterOption(name, schema, isSecretParameter(operation, name)).helpGroup('Parameters:'));
  }
  if (operation.body) {
    command.addOption(
      new Option('--data <JSON>', 'The body: JSON, @FILE, or "-" for standard input (required)').helpGroup(
        'Parameters:',
      ),
    );
  }
  command.option('--to <URL>', 'Base address of the service: the part before /v3');
  addOptions(command, addressOptions);
}

/** Path, headers and query together: no name occurs twice. */
export function parameterSchemas({ params, headers, query }: Operation): Readonly<Record<string, z.ZodType>> {
  return { ...params?.shape, ...headers?.shape, ...query?.shape } as Record<string, z.ZodType>;
}

function parameterOption(name: string, schema: z.ZodType, isSecret: boolean): Option {
  const description = `${(schema.description ?? '').replaceAll('`', '"')}${isRequired(schema) ? ' (required)' : ''}`;
  if (isSecret) {
    return new Option(
      `--${name} <@FILE>`,
      `${description}; from a file, since arguments are visible to others`,
    ).argParser((text) => readSecret(name, text));
  }
  const kind = parameterKind(schema);
  switch (kind.is) {
    case 'boolean':
      return new Option(`--${name} [true|false]`, description);
    case 'list':
      return new Option(`--${name} <TEXT>`, `${description}; repeat it for several`).argParser(
        (text, earlier: readonly string[] = []) => [...earlier, text],
      );
    case 'choice':
      return new Option(`--${name} <${kind.choices.join('|')}>`, description);
    case 'integer':
      return new Option(`--${name} <N>`, description);
    case 'text':
      return new Option(`--${name} <TEXT>`, description);
  }
}

/** A credential, which is never an argument: other users of the machine can see those. */
function readSecret(name: string, text: string): string {
  if (!text.startsWith('@')) {
    throw new UsageError(`Cannot use --${name}: expected a file as @FILE, found the value itself`, {
      hint: `Write it into a file that only you may read, and pass --${name} @FILE`,
    });
  }
  try {
    return readFileSync(text.slice(1), 'utf8').trim();
  } catch (cause) {
    throw new UsageError(`Cannot read --${name} from "${text.slice(1)}": ${(cause as NodeJS.ErrnoException).code}`, {
      cause,
    });
  }
}

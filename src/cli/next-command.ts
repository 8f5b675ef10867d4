import { flagOf } from '../config/load-options.ts';
import type { Options } from '../config/options.ts';

/** An argument as a shell takes it. */
export const quoted = (text: string): string =>
  /^[\w./@:+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** How the user called this program: through npx where npm says so. */
export const programName = process.env.npm_command === 'exec' ? 'npx chatferry' : 'chatferry';

/** What decides whose messages go where: without one of these the next command would do something else. */
const decisive = ['store', 'source', 'workspace', 'mapping', 'to', 'appId', 'region', 'profile', 'apiKeyFile'] as const;

/** The import that goes on where this command ended. */
export const importCommand = (options: Options, exports: readonly string[]): string =>
  commandWith('import', decisive, options, exports);

/** The plan of what was looked at. */
export const planCommand = (options: Options, exports: readonly string[]): string =>
  commandWith('plan', ['source', 'workspace', 'mapping'], options, exports);

function commandWith(
  command: string,
  names: readonly (typeof decisive)[number][],
  options: Options,
  exports: readonly string[],
): string {
  const flags = names.flatMap((name) => {
    const value = options[name];
    return value === undefined || (name === 'store' && value === './chatferry.db') ? [] : [flagOf(name), quoted(value)];
  });
  return [`${programName} ${command}`, ...exports.map(quoted), ...flags].join(' ');
}

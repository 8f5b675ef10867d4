import type { Command } from 'commander';
import { type ConfigFile, lineOf, readConfigFile } from '../../config/config-file.ts';
import { distrustFile, trustFile } from '../../config/trusted-files.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { Host } from '../host.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { print } from '../terminal/print.ts';
import { docsLink } from '../../lib/docs-link.ts';

interface Flags {
  readonly remove?: boolean;
  readonly json?: boolean;
}

export function addTrust(program: Command, host: Host): void {
  program
    .command('trust')
    .description(
      'Shows what a configuration may do, and trusts its current content. Every command in its folder then uses it like a file passed with --config. A file that ' +
        `changes must be trusted again. Files that it names, such as a mapping, are trusted with it, whatever they hold: ${docsLink('understand/security')}.`,
    )
    .argument('[FILE]', 'the configuration', './chatferry.yaml')
    .option('--remove', 'Trust it no longer')
    .option('--json', 'Print one JSON object')
    .action((path: string, flags: Flags) => {
      if (flags.remove === true) remove(path, flags, host);
      else trust(path, flags, host);
    });
}

function trust(path: string, { json }: Flags, host: Host): void {
  const file = readConfigFile(path)!;
  const keys = file.risky.map(({ at, because }) => ({ key: at.join('.'), line: lineOf(file, at), because }));
  // Shown first: a user who sees something unexpected can stop here, or revoke the trust.
  if (json !== true) for (const line of describe(file, keys)) print(host, line);
  if (keys.length > 0) trustFile(path, file.text);
  const exit = exitCodes.done;
  if (json === true) print(host, JSON.stringify({ command: 'trust', file: path, keys, exit }));
  else if (keys.length > 0)
    print(
      host,
      `Trusted as it is now; chatferry trust --remove ${quoted(oneLine(path))} removes it from the trusted files`,
    );
}

interface ShownKey {
  readonly key: string;
  readonly line: number;
  readonly because: string;
}

function describe({ path, values }: Pick<ConfigFile, 'path' | 'values'>, keys: readonly ShownKey[]): string[] {
  const name = oneLine(path);
  // A configuration has no such key.
  if (Object.hasOwn(values, 'version')) return [`${name} is a mapping: it decides what is sent`];
  if (keys.length === 0) return [`${name} needs no trust: everything in it is harmless`];
  const shown = keys.map(({ key, line, because }) => [`${oneLine(key)} (line ${line})`, because] as const);
  const width = Math.max(...shown.map(([key]) => key.length));
  return [`${name} sets`, ...shown.map(([key, because]) => `  ${key.padEnd(width)}  ${because}`)];
}

function remove(path: string, { json }: Flags, host: Host): void {
  const removed = distrustFile(path);
  const exit = exitCodes.done;
  if (json === true) print(host, JSON.stringify({ command: 'trust', file: path, removed, exit }));
  else print(host, `${oneLine(path)} ${removed ? 'is trusted no longer' : 'was not trusted'}`);
}

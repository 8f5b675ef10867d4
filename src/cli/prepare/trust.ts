import type { Command } from 'commander';
import { readConfigFile } from '../../config/config-file.ts';
import { distrustFile, trustFile } from '../../config/trusted-files.ts';
import { oneLine, visibleLine } from '../../lib/text/plain-text.ts';
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
      'Shows a configuration, and trusts its current content. Every command in its folder then uses it like a file passed with --config; before, it does not count. ' +
        `A file that changes must be trusted again. Files that it names, such as a mapping, are trusted with it, whatever they hold: ${docsLink('understand/security')}.`,
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
  const { text } = readConfigFile(path)!;
  const name = oneLine(path);
  // Shown first: a user who sees something unexpected can stop here, or revoke the trust.
  if (json !== true) print(host, [`${name} says`, ...text.trimEnd().split(/\r?\n/).map(shown)].join('\n'));
  trustFile(path, text);
  const exit = exitCodes.done;
  if (json === true) print(host, JSON.stringify({ command: 'trust', file: path, exit }));
  else print(host, `Trusted as it is now; chatferry trust --remove ${quoted(name)} removes it from the trusted files`);
}

const shown = (line: string) => `  ${visibleLine(line)}`.trimEnd();

function remove(path: string, { json }: Flags, host: Host): void {
  const removed = distrustFile(path);
  const exit = exitCodes.done;
  if (json === true) print(host, JSON.stringify({ command: 'trust', file: path, removed, exit }));
  else print(host, `${oneLine(path)} ${removed ? 'is trusted no longer' : 'was not trusted'}`);
}

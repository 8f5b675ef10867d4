import { quoted } from '../../lib/text/shell-word.ts';

/** A command as it is run, and as it can be pasted into a terminal. */
export interface CommandLine {
  /** Without the program's name. */
  readonly args: readonly string[];
  readonly text: string;
}

/** How the export of the desk is read. */
export interface Reading {
  /** How the user calls this program: `npx chatferry`. */
  readonly programName: string;
  readonly exports: readonly string[];
  /** Flags of the desk that each of its commands gets as well: `--source slack --config other.yaml`. */
  readonly flags: readonly string[];
}

/** Names of the commands that read an export. */
type Reader = 'inspect' | 'init' | 'plan';

export function commandLine(name: Reader, { programName, exports, flags }: Reading): CommandLine {
  const end = exports.some((path) => path.startsWith('-')) ? ['--'] : [];
  const args = [name, ...flags, ...end, ...exports];
  return { args, text: [programName, ...args.map(quoted)].join(' ') };
}

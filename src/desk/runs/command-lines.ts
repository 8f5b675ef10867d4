import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { type Paths, rehearsalReportFolder } from '../files/workspace.ts';
import type { RunRequest } from '../shapes.ts';

/** A command as it is run, and as it can be pasted into a terminal. */
export interface CommandLine {
  /** Without the program's name. */
  readonly args: readonly string[];
  readonly text: string;
}

/** Options of the desk that its commands get as well, as far as each of them has it. */
export type Flags = Readonly<Partial<Record<(typeof flagNames)[number], string>>>;

const flagNames = ['source', 'workspace', 'mapping', 'config'] as const;

export interface CommandFacts {
  /** How the user calls this program: `npx chatferry`. */
  readonly programName: string;
  readonly flags: Flags;
  readonly exports: readonly string[];
  /** The same, unless the configuration names them. */
  readonly named: readonly string[];
  readonly options: Options;
  readonly paths: Paths;
}

interface Asked extends Pick<RunRequest, 'repair' | 'isDry' | 'confirmReading' | 'by'> {
  /** Of `init`: `KEY=VALUE`. */
  readonly sets?: readonly string[];
  readonly fetch?: {
    readonly provider: string;
    readonly settings: Readonly<Record<string, string>>;
    readonly out: string;
  };
}

interface Command {
  /** Flags of the desk that it knows, besides `--config`. */
  readonly takes: readonly (typeof flagNames)[number][];
  readonly args: (facts: CommandFacts, asked: Asked) => readonly string[];
  /** Exports at its end. */
  readonly exports?: (facts: CommandFacts) => readonly string[];
}

const reading = ['source', 'workspace', 'mapping'] as const;
const named = (facts: CommandFacts) => facts.named;

const commands = {
  inspect: { takes: reading, args: () => ['inspect'], exports: (facts) => facts.exports },
  init: {
    takes: reading,
    args: (_, { sets = [] }) => [
      'init',
      ...(sets.length === 0 ? [] : ['--yes', '--no-count', ...sets.flatMap((set) => ['--set', set])]),
    ],
    exports: (facts) => facts.exports,
  },
  plan: {
    takes: reading,
    // A destination of the command line is stronger than `rehearseFor` of the file, which would allow none.
    args: ({ options }, { confirmReading, by }) => [
      'plan',
      ...(confirmReading === undefined ? [] : ['--confirm-reading', confirmReading]),
      ...(by === undefined ? [] : [`--decided-by=${by}`]),
      ...(options.rehearseFor === undefined ? [] : destinationFlags(options)),
      ...json(options),
    ],
    exports: named,
  },
  fetch: {
    takes: [],
    args: (_, { fetch: { provider, settings, out } = { provider: '', settings: {}, out: '' } }) => [
      ...['fetch', '--from', provider, '--out', out],
      ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ],
  },
  people: { takes: ['mapping'], args: ({ paths }) => ['people', '--out', paths.people, '--force'] },
  rehearse: {
    takes: reading,
    args: ({ options, paths }) => [
      ...['import', '--store', paths.rehearsal, '--to', 'sandbox', '--yes'],
      // A folder that the file names is that of the plan.
      ...(options.report === undefined ? [] : ['--report', rehearsalReportFolder(options.store)]),
      ...json(options),
    ],
    exports: named,
  },
  report: { takes: [], args: ({ options }) => ['report', ...json(options)] },
  doctor: { takes: ['source', 'mapping'], args: ({ options }) => ['doctor', ...destinationFlags(options)] },
  media: { takes: ['mapping'], args: () => ['media', 'copy'] },
  import: { takes: reading, args: importArgs, exports: named },
  verify: {
    takes: [],
    args: ({ options }, { repair }) => [
      ...['verify', ...destinationFlags(options)],
      ...(repair ? ['--repair', '--yes'] : []),
      ...json(options),
    ],
  },
  undo: {
    takes: [],
    args: ({ options }, { isDry }) => [
      ...['undo', ...destinationFlags(options)],
      ...(isDry ? ['--dry-run'] : ['--yes', ...json(options)]),
    ],
  },
  'export-failed': { takes: [], args: () => ['export-failed', '--out', 'failed.ndjson'] },
  retry: {
    takes: [],
    args: ({ options }) => ['retry', ...destinationFlags(options), ...json(options)],
  },
} as const satisfies Record<string, Command>;

/** @throws UsageError if it needs something that nobody has said. */
export function commandLine(name: keyof typeof commands, facts: CommandFacts, asked: Asked = {}): CommandLine {
  const { takes, args: buildArgs, exports: listExports }: Command = commands[name];
  const exports = listExports?.(facts) ?? [];
  const [command, ...options] = buildArgs(facts, asked);
  const flags = flagNames.flatMap((flag) => {
    const value = facts.flags[flag];
    return value !== undefined && (flag === 'config' || takes.includes(flag)) ? [`--${flag}`, value] : [];
  });
  const end = exports.some((path) => path.startsWith('-')) ? ['--'] : [];
  const args = [command!, ...flags, ...options, ...end, ...exports];
  return { args, text: [facts.programName, ...args.map(quoted)].join(' ') };
}

/** Without a destination, messages would go to the sandbox of the store, and would be no rehearsal any more. @throws UsageError */
function importArgs({ options }: CommandFacts): readonly string[] {
  const destination = destinationFlags(options);
  if (destination.length === 0)
    throw new UsageError('Cannot import: no destination is named', { hint: 'Name an app, or another address' });
  return ['import', ...destination, '--yes', ...json(options)];
}

/** The destination as the user names it: the key may be sent there. None for the sandbox. */
function destinationFlags({ appId, region, to }: Options): readonly string[] {
  if (appId !== undefined) return ['--app-id', appId, ...(region === undefined ? [] : ['--region', region])];
  return to === undefined || to === 'sandbox' ? [] : ['--to', to];
}

/** The desk reads reports as JSON. */
const json = ({ format }: Options): readonly string[] =>
  format.includes('json') ? [] : ['--format', [...format, 'json'].join(',')];

import { Command, CommanderError } from 'commander';
import { ChatferryError } from '../lib/errors.ts';
import { forTerminal } from '../lib/plain-text.ts';
import { version } from '../lib/version.ts';
import { exitCodes, exitOfError } from '../report/exit-codes.ts';
import type { Host, Output } from './host.ts';

/** Runs the command line. Sets the exit code of the host; never throws. @param argv As Node has it: two words before the first of ours. */
export async function main(argv: readonly string[], host: Host): Promise<void> {
  // A reader that goes away (`| head`) ends the output, not the run.
  host.stdout.on('error', () => {});
  host.stderr.on('error', () => {});
  try {
    const program = await buildProgram(host, argv.slice(2));
    await program.parseAsync(argv.map((word, index) => (index === 2 && word === oldVersionFlag ? '--version' : word)));
  } catch (error) {
    host.exitCode = await report(error, host);
  }
}

/** Says what went wrong, once. @returns The exit code. */
async function report(error: unknown, { stderr }: Host): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const known = error instanceof ChatferryError ? error : await storeFault(error);
  if (!known) {
    stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    stderr.write('This is a fault of Chatferry. What was sent is in the store; the same command continues.\n');
    return exitCodes.fault;
  }
  stderr.write(`${forTerminal(known.message)}\n`);
  if (known.hint) stderr.write(`  ${forTerminal(known.hint)}\n`);
  return exitOfError(known);
}

/** Loaded with the first error that nobody foresaw: SQLite is not needed to print a version. */
async function storeFault(error: unknown): Promise<ChatferryError | undefined> {
  const { storeErrorOf } = await import('../lib/sqlite.ts');
  return storeErrorOf(error, 'the checkpoint store');
}

type AddCommand = (program: Command, host: Host) => void;

/** Every command, in the order of the help. Each is loaded when it is wanted: a few hundred files are not read in vain. */
const groups: Readonly<Record<string, Readonly<Record<string, () => Promise<AddCommand>>>>> = {
  Prepare: {
    inspect: async () => (await import('./inspect.ts')).addInspect,
    init: async () => (await import('./init/init.ts')).addInit,
    mapping: async () => (await import('./mapping.ts')).addMapping,
    checks: async () => (await import('./checks.ts')).addChecks,
    doctor: async () => (await import('./doctor.ts')).addDoctor,
    plan: async () => (await import('./plan.ts')).addPlan,
  },
  Move: {
    import: async () => (await import('./import.ts')).addImport,
    convert: async () => (await import('./convert.ts')).addConvert,
    fetch: async () => (await import('./fetch.ts')).addFetch,
  },
  Check: {
    status: async () => (await import('./status.ts')).addStatus,
    report: async () => (await import('./report.ts')).addReport,
    verify: async () => (await import('./verify.ts')).addVerify,
    explain: async () => (await import('./explain.ts')).addExplain,
  },
  Repair: {
    rejects: async () => (await import('./rejects.ts')).addRejects,
    retry: async () => (await import('./retry.ts')).addRetry,
    reconcile: async () => (await import('./reconcile.ts')).addReconcile,
    undo: async () => (await import('./undo.ts')).addUndo,
    'forget-content': async () => (await import('./forget-content.ts')).addForgetContent,
  },
  Operate: {
    sync: async () => (await import('./sync.ts')).addSync,
    jobs: async () => (await import('./jobs.ts')).addJobs,
    sandbox: async () => (await import('./sandbox.ts')).addSandbox,
    selftest: async () => (await import('./selftest.ts')).addSelftest,
    call: async () => (await import('./call/call.ts')).addCall,
    completion: async () => (await import('./completion.ts')).addCompletion,
    version: async () => addVersion,
  },
};

/** The name of every command, with its group and what adds it. */
const commands = new Map(
  Object.entries(groups).flatMap(([group, inGroup]) =>
    Object.entries(inGroup).map(([name, load]) => [name, { group, load }] as const),
  ),
);

function addVersion(program: Command, host: Host): void {
  program
    .command('version')
    .summary('the version, as --version prints it')
    .description('Prints the version.')
    .action(() => void host.stdout.write(`${version}\n`));
}

/**
 * The command line.
 *
 * @param words What follows the name of the program: where the first of them is a command, only that one is loaded.
 */
export async function buildProgram(host: Host, words: readonly string[] = []): Promise<Command> {
  const { stdout, stderr } = host;
  const program = new Command('chatferry')
    .description('Carries chat history into a hosted chat service and accounts for every message.')
    .version(version, '-v, --version', 'the version')
    // Before the commands: they inherit these.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(withoutKey(text)),
      getOutHelpWidth: () => helpWidth(stdout),
      getErrHelpWidth: () => helpWidth(stderr),
    })
    .helpOption('-h, --help', 'this help')
    .commandsGroup('Operate:')
    .helpCommand('help [COMMAND]', 'this list, or the options of a command')
    .showHelpAfterError('(chatferry help COMMAND shows its options)')
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 1 a fault of ours, 2 usage or mapping, 3 some messages rejected or refused, 4 export unreadable,
5 stopped and resumable, 6 verify found differences, 7 checkpoint store, 130/143 interrupted.`,
    );
  const [first = ''] = words;
  if (first === 'complete') {
    const { addComplete } = await import('./completion.ts');
    addComplete(program, host, (line) => buildProgram(host, line));
    return program;
  }
  const wanted = isVersion(first) ? [] : commands.has(first) ? [first] : [...commands.keys()];
  for (const name of wanted) {
    const { group, load } = commands.get(name)!;
    (await load())(program, host);
    program.commands.at(-1)!.helpGroup(`${group}:`);
  }
  return program;
}

const isVersion = (word: string): boolean => word === '--version' || word === '-v' || word === oldVersionFlag;

/** Of the days before `-v`. */
const oldVersionFlag = '-V';

/** That of the terminal; what is no terminal gets what the parser takes where it knows none. */
const helpWidth = ({ isTTY, columns }: Output) => (isTTY && columns !== undefined ? columns : 80);

/** Somebody who passes the key as an argument, which is refused, must not find it in a log as well. */
const withoutKey = (text: string) => text.replaceAll(/(--api-?key)[= ][^\s']+/gi, '$1=[redacted]');

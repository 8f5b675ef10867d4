import { Command, CommanderError } from 'commander';
import { ChatferryError, StoreError } from '../lib/errors.ts';
import { forTerminal } from '../lib/text/plain-text.ts';
import { version } from '../lib/version.ts';
import { exitCodes, errorExitCode, worstExit } from '../model/exit-codes.ts';
import type { Host, Output } from './host.ts';
import { outputFault } from './terminal/output-fault.ts';

/** Runs the command line. Sets the exit code of the host; never throws. @param argv As Node has it: two words before the first of ours. */
export async function main(argv: readonly string[], host: Host): Promise<void> {
  // Output that cannot be written ends neither the run nor the process: it is reported at the end.
  host.stdout.on('error', () => {});
  host.stderr.on('error', () => {});
  try {
    const program = await buildProgram(host, argv.slice(2));
    await program.parseAsync(argv);
  } catch (error) {
    if (error !== host.stdout.errored) host.exitCode = await report(error, host);
  }
  const fault = await outputFault(host.stdout);
  if (fault) host.exitCode = worstExit([host.exitCode, await report(fault, host)]);
}

/** Says what went wrong, once. @returns The exit code. */
async function report(error: unknown, { stderr }: Host): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const known = error instanceof ChatferryError ? error : await storeFault(error);
  if (!known) {
    stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    stderr.write(
      'This is an internal error of Chatferry. Everything sent is recorded in the store; run the same command to continue.\n',
    );
    return exitCodes.fault;
  }
  stderr.write(`${forTerminal(known.message)}\n`);
  if (known.hint) stderr.write(`  ${forTerminal(known.hint)}\n`);
  return errorExitCode(known);
}

/** Loaded with the first unexpected error: SQLite is not needed to print a version. */
async function storeFault(error: unknown): Promise<ChatferryError | undefined> {
  // As Node says it of its own modules, without a code: nothing more can be loaded then.
  if (error instanceof Error && error.message.includes('too many open files'))
    return new StoreError('Stopped: too many files are open', {
      path: 'the checkpoint store',
      hint: 'Raise the limit for open files (ulimit -n); the same command continues',
      cause: error,
    });
  const { toStoreError: storeErrorOf } = await import('../lib/sqlite.ts');
  return storeErrorOf(error, 'the checkpoint store');
}

type AddCommand = (program: Command, host: Host) => void;

/** A command as the list of all shows it, and what adds it. */
interface Outline {
  /** Text that follows its name in the help. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<AddCommand>;
}

const exports = '[options] [EXPORT...]';
const someExports = '[options] <EXPORT...>';

/** Every command, in the order of the help. Each is loaded on demand: a few hundred files are not read unnecessarily. */
const groups: Readonly<Record<string, Readonly<Record<string, Outline>>>> = {
  Prepare: {
    desk: {
      usage: exports,
      summary: 'a page in the browser that leads through a migration',
      load: async () => (await import('./prepare/desk.ts')).addDesk,
    },
    inspect: {
      usage: someExports,
      summary: 'source, size and time range of an export; reads only',
      load: async () => (await import('./prepare/inspect.ts')).addInspect,
    },
    init: {
      usage: someExports,
      summary: 'write a configuration and a mapping for this export, to be edited',
      load: async () => (await import('./init/init.ts')).addInit,
    },
    trust: {
      usage: '[options] [FILE]',
      summary: 'let every command use the chatferry.yaml of this folder, as it is now',
      load: async () => (await import('./prepare/trust.ts')).addTrust,
    },
    mapping: {
      usage: '',
      summary: 'commands for mapping files',
      load: async () => (await import('./prepare/mapping.ts')).addMapping,
    },
    checks: {
      usage: '[options] [CODE]',
      summary: 'list the checks of a plan, and what to do about each',
      load: async () => (await import('./prepare/checks.ts')).addChecks,
    },
    doctor: {
      usage: exports,
      summary: 'is everything ready: key, address, clock, limits, duplicates, disk, store',
      load: async () => (await import('./prepare/doctor.ts')).addDoctor,
    },
    plan: {
      usage: exports,
      summary: 'dry run: validate, stage and report; sends nothing',
      load: async () => (await import('./prepare/plan.ts')).addPlan,
    },
    people: {
      usage: '[options]',
      summary: 'write the people of the plan as a table, to give them uids',
      load: async () => (await import('./prepare/people.ts')).addPeople,
    },
  },
  Move: {
    import: {
      usage: exports,
      summary: 'plan, send, verify; the same command continues after any interruption',
      load: async () => (await import('./move/import.ts')).addImport,
    },
    media: {
      usage: '',
      summary: 'copy the files of messages to permanent storage, read them back, delete them',
      load: async () => (await import('./move/media.ts')).addMedia,
    },
    convert: {
      usage: someExports,
      summary: "write an export as Chatferry's own records, a line each",
      load: async () => (await import('./move/convert.ts')).addConvert,
    },
    fetch: {
      usage: '[options]',
      summary: 'write the messages of a running chat service into a file, to import them elsewhere',
      load: async () => (await import('./move/fetch.ts')).addFetch,
    },
  },
  Check: {
    status: {
      usage: '[options]',
      summary: 'totals of the last destination',
      load: async () => (await import('./check/status.ts')).addStatus,
    },
    report: {
      usage: '[options]',
      summary: 'write the report again',
      load: async () => (await import('./check/report.ts')).addReport,
    },
    verify: {
      usage: '[options]',
      summary: 'read everything back from the destination and compare',
      load: async () => (await import('./check/verify.ts')).addVerify,
    },
    explain: {
      usage: '[options] <ID>',
      summary: 'everything known about one message',
      load: async () => (await import('./check/explain.ts')).addExplain,
    },
  },
  Repair: {
    'export-failed': {
      usage: exports,
      summary: 'write invalid rows and failed messages as records that can be corrected',
      load: async () => (await import('./repair/export-failed.ts')).addExportFailed,
    },
    retry: {
      usage: '[options] [ID...]',
      summary: 'send failed messages again, after the cause was fixed',
      load: async () => (await import('./repair/retry.ts')).addRetry,
    },
    reconcile: {
      usage: someExports,
      summary: 'rebuild a lost or old store from the export and the destination',
      load: async () => (await import('./repair/reconcile.ts')).addReconcile,
    },
    undo: {
      usage: '[options]',
      summary: 'roll back an import; deletes only what Chatferry created',
      load: async () => (await import('./repair/undo.ts')).addUndo,
    },
    purge: {
      usage: '[options]',
      summary: 'delete the content of verified messages from the checkpoint store',
      load: async () => (await import('./repair/purge.ts')).addPurge,
    },
  },
  Operate: {
    sync: {
      usage: '[options]',
      summary: 'migrate new data on a schedule, until the cutover',
      load: async () => (await import('./operate/sync.ts')).addSync,
    },
    jobs: {
      usage: '[options]',
      summary: 'last and next run of every job, with imported and remaining messages',
      load: async () => (await import('./operate/jobs.ts')).addJobs,
    },
    submit: {
      usage: '[options] [EXPORT...]',
      summary: 'hand an export, or the jobs of chatferry.yaml, to a fleet of workers',
      load: async () => (await import('./operate/submit.ts')).addSubmit,
    },
    worker: {
      usage: '[options]',
      summary: 'work in a fleet: take units from its queue, a lease each, until stopped',
      load: async () => (await import('./operate/worker.ts')).addWorker,
    },
    fleet: {
      usage: '',
      summary: 'work shared by many workers: status, pause, resume, retry, drop, open',
      load: async () => (await import('./operate/fleet.ts')).addFleet,
    },
    sandbox: {
      usage: '[options]',
      summary: 'the chat service on this machine',
      load: async () => (await import('./operate/sandbox.ts')).addSandbox,
    },
    selftest: {
      usage: '[options]',
      summary: 'prove on this machine that nothing is lost and nothing arrives twice',
      load: async () => (await import('./operate/selftest.ts')).addSelftest,
    },
    call: {
      usage: '[options] [OPERATION] [PARAMETERS...]',
      summary: 'one operation of the service, as it is',
      load: async () => (await import('./call/call.ts')).addCall,
    },
    completion: {
      usage: '<SHELL>',
      summary: 'shell completion for commands, options and files',
      load: async () => (await import('./operate/completion.ts')).addCompletion,
    },
    version: { usage: '', summary: 'the version, as --version prints it', load: async () => addVersion },
  },
};

/** The name of every command, with its group and what adds it. */
const commands = new Map(
  Object.entries(groups).flatMap(([group, inGroup]) =>
    Object.entries(inGroup).map(([name, outline]) => [name, { group, ...outline }] as const),
  ),
);

function addVersion(program: Command, host: Host): void {
  program
    .command('version')
    .description('Prints the version.')
    .action(() => void host.stdout.write(`${version}\n`));
}

/**
 * The command line.
 *
 * @param words What follows the name of the program: only the command that they name is loaded. Absent: every command is.
 */
export async function buildProgram(host: Host, words?: readonly string[]): Promise<Command> {
  const { stdout, stderr } = host;
  const program = new Command('chatferry')
    .description('Migrates chat history into a hosted chat service, and proves that every message arrived.')
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
Exit codes: 0 done, 1 internal error, 2 usage or mapping, 3 some rows invalid or messages failed, 4 export unreadable,
5 stopped and resumable, 6 differences found or not read back, 7 checkpoint store or standard output, 8 needs a person (a key is refused),
130/143 interrupted.`,
    );
  const [first = ''] = words ?? [];
  if (first === 'complete') {
    const { addComplete } = await import('./operate/completion.ts');
    addComplete(program, host, (line) => buildProgram(host, line));
    return program;
  }
  const named = first === 'help' && words !== undefined ? words[1] : first;
  for (const [name, { group, summary, usage, load }] of isVersion(first) ? [] : commands) {
    if (commands.has(first) && name !== first) continue;
    if (name === named || !isListWanted(words)) (await load())(program, host);
    else program.command(`${name} ${usage}`);
    program.commands.at(-1)!.summary(summary).helpGroup(`${group}:`);
  }
  return program;
}

/** Whether what is typed asks for the list of commands, or for none that there is: their names and summaries are enough. */
const isListWanted = (words: readonly string[] | undefined): boolean =>
  words !== undefined && (words[0]?.startsWith('-') !== true || words[0] === '-h' || words[0] === '--help');

const isVersion = (word: string): boolean => word === '--version' || word === '-v';

/** That of the terminal; what is no terminal gets what the parser takes where it knows none. */
const helpWidth = ({ isTTY, columns }: Output) => (isTTY && columns !== undefined ? columns : 80);

/** Removes the key: a user who passes it as an argument, which is rejected, must not find it in a log as well. */
const withoutKey = (text: string) => text.replaceAll(/(--api-?key)[= ][^\s']+/gi, '$1=[redacted]');

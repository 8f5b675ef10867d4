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

const exports = '[options] [EXPORT...]';
const someExports = '[options] <EXPORT...>';

/** Every command by its group, in the order of the help: the text that follows its name there, and its summary. */
const groups = {
  Prepare: {
    desk: [exports, 'a page in the browser that leads through a migration'],
    inspect: [someExports, 'source, size and time range of an export; reads only'],
    init: [someExports, 'write a configuration and a mapping for this export, to be edited'],
    trust: ['[options] [FILE]', 'let every command use the chatferry.yaml of this folder, as it is now'],
    mapping: ['', 'commands for mapping files'],
    checks: ['[options] [CODE]', 'list the checks of a plan, and what to do about each'],
    doctor: [exports, 'is everything ready: key, address, clock, limits, duplicates, disk, store'],
    plan: [exports, 'dry run: validate, stage and report; sends nothing'],
    people: ['[options]', 'write the people of the plan as a table, to give them uids'],
  },
  Move: {
    import: [exports, 'plan, send, verify; the same command continues after any interruption'],
    media: ['', 'copy the files of messages to permanent storage, read them back, delete them'],
    convert: [someExports, "write an export as Chatferry's own records, a line each"],
    fetch: ['[options]', 'write the messages of a running chat service into a file, to import them elsewhere'],
  },
  Check: {
    status: ['[options]', 'totals of the last destination'],
    report: ['[options]', 'write the report again'],
    verify: ['[options]', 'read everything back from the destination and compare'],
    explain: ['[options] <ID>', 'everything known about one message'],
  },
  Repair: {
    'export-failed': [exports, 'write invalid rows and failed messages as records that can be corrected'],
    retry: ['[options] [ID...]', 'send failed messages again, after the cause was fixed'],
    reconcile: [someExports, 'rebuild a lost or old store from the export and the destination'],
    undo: ['[options]', 'roll back an import; deletes only what Chatferry created'],
    purge: ['[options]', 'delete the content of verified messages from the checkpoint store'],
  },
  Operate: {
    sync: ['[options]', 'migrate new data on a schedule, until the cutover'],
    jobs: ['[options]', 'last and next run of every job, with imported and remaining messages'],
    submit: ['[options] [EXPORT...]', 'hand an export, or the jobs of chatferry.yaml, to a fleet of workers'],
    worker: ['[options]', 'work in a fleet: take units from its queue, a lease each, until stopped'],
    fleet: ['', 'work shared by many workers: status, pause, resume, retry, drop, open'],
    sandbox: ['[options]', 'the chat service on this machine'],
    selftest: ['[options]', 'prove on this machine that nothing is lost and nothing arrives twice'],
    call: ['[options] [OPERATION] [PARAMETERS...]', 'one operation of the service, as it is'],
    completion: ['<SHELL>', 'shell completion for commands, options and files'],
    version: ['', 'the version, as --version prints it'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [usage: string, summary: string]>>>>;

type CommandName = { [Group in keyof typeof groups]: keyof (typeof groups)[Group] }[keyof typeof groups];

/** Adds a command. Each is loaded on demand: a few hundred files are not read unnecessarily. */
const loaders: Readonly<Record<CommandName, () => Promise<AddCommand>>> = {
  desk: async () => (await import('./prepare/desk.ts')).addDesk,
  inspect: async () => (await import('./prepare/inspect.ts')).addInspect,
  init: async () => (await import('./init/init.ts')).addInit,
  trust: async () => (await import('./prepare/trust.ts')).addTrust,
  mapping: async () => (await import('./prepare/mapping.ts')).addMapping,
  checks: async () => (await import('./prepare/checks.ts')).addChecks,
  doctor: async () => (await import('./prepare/doctor.ts')).addDoctor,
  plan: async () => (await import('./prepare/plan.ts')).addPlan,
  people: async () => (await import('./prepare/people.ts')).addPeople,
  import: async () => (await import('./move/import.ts')).addImport,
  media: async () => (await import('./move/media.ts')).addMedia,
  convert: async () => (await import('./move/convert.ts')).addConvert,
  fetch: async () => (await import('./move/fetch.ts')).addFetch,
  status: async () => (await import('./check/status.ts')).addStatus,
  report: async () => (await import('./check/report.ts')).addReport,
  verify: async () => (await import('./check/verify.ts')).addVerify,
  explain: async () => (await import('./check/explain.ts')).addExplain,
  'export-failed': async () => (await import('./repair/export-failed.ts')).addExportFailed,
  retry: async () => (await import('./repair/retry.ts')).addRetry,
  reconcile: async () => (await import('./repair/reconcile.ts')).addReconcile,
  undo: async () => (await import('./repair/undo.ts')).addUndo,
  purge: async () => (await import('./repair/purge.ts')).addPurge,
  sync: async () => (await import('./operate/sync.ts')).addSync,
  jobs: async () => (await import('./operate/jobs.ts')).addJobs,
  submit: async () => (await import('./operate/submit.ts')).addSubmit,
  worker: async () => (await import('./operate/worker.ts')).addWorker,
  fleet: async () => (await import('./operate/fleet.ts')).addFleet,
  sandbox: async () => (await import('./operate/sandbox.ts')).addSandbox,
  selftest: async () => (await import('./operate/selftest.ts')).addSelftest,
  call: async () => (await import('./call/call.ts')).addCall,
  completion: async () => (await import('./operate/completion.ts')).addCompletion,
  version: async () => addVersion,
};

const commands = new Map(
  Object.entries(groups).flatMap(([group, inGroup]) =>
    Object.entries(inGroup).map(
      ([name, [usage, summary]]) => [name, { group, usage, summary, load: loaders[name as CommandName] }] as const,
    ),
  ),
);

function addVersion(program: Command, host: Host): void {
  program
    .command('version')
    .description('Prints the version.')
    .action(() => void host.stdout.write(`${version}\n`));
}

/** The command line. @param words What follows the name of the program: only the command that they name is loaded. Absent: every command is. */
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
  for (const [name, { group, summary, usage, load }] of first === '--version' || first === '-v' ? [] : commands) {
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

/** That of the terminal; what is no terminal gets what the parser takes where it knows none. */
const helpWidth = ({ isTTY, columns }: Output) => (isTTY && columns !== undefined ? columns : 80);

/** Removes the key: a user who passes it as an argument, which is rejected, must not find it in a log as well. */
const withoutKey = (text: string) => text.replaceAll(/(--api-?key)[= ][^\s']+/gi, '$1=[redacted]');

import { Command } from 'commander';
import { version } from '../lib/version.ts';

/** Every command, in the order of the help. Each is loaded when it is wanted: a few hundred files are not read in vain. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  inspect: async () => (await import('./inspect.ts')).addInspect,
  init: async () => (await import('./init/init.ts')).addInit,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  plan: async () => (await import('./plan.ts')).addPlan,
  checks: async () => (await import('./checks.ts')).addChecks,
  convert: async () => (await import('./convert.ts')).addConvert,
  fetch: async () => (await import('./fetch.ts')).addFetch,
  import: async () => (await import('./import.ts')).addImport,
  status: async () => (await import('./status.ts')).addStatus,
  report: async () => (await import('./look.ts')).addLooks,
  verify: async () => (await import('./verify.ts')).addVerify,
  explain: async () => (await import('./explain.ts')).addExplain,
  mapping: async () => (await import('./mapping.ts')).addMapping,
  'forget-content': async () => (await import('./forget-content.ts')).addForgetContent,
  rejects: async () => (await import('./rejects.ts')).addRejects,
  retry: async () => (await import('./retry.ts')).addRetry,
  reconcile: async () => (await import('./reconcile.ts')).addReconcile,
  undo: async () => (await import('./undo.ts')).addUndo,
  sync: async () => (await import('./sync.ts')).addSync,
  jobs: async () => (await import('./jobs.ts')).addJobs,
  sandbox: async () => (await import('./sandbox.ts')).addSandbox,
  selftest: async () => (await import('./selftest.ts')).addSelftest,
  call: async () => (await import('./call/call.ts')).addCall,
};

/**
 * The command line.
 *
 * @param words What follows the name of the program: where the first of them is a command, only that one is loaded.
 */
export async function buildProgram(words: readonly string[] = []): Promise<Command> {
  const program = new Command('chatferry')
    .description('Carries chat history into a hosted chat service and accounts for every message.')
    .version(version, '-V, --version')
    // Before the commands: they inherit these.
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(withoutKey(text)) })
    .showHelpAfterError('(chatferry help COMMAND shows its options)')
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 1 a fault of ours, 2 usage or mapping, 3 some messages rejected or refused, 4 export unreadable,
5 stopped and resumable, 6 verify found differences, 7 checkpoint store, 130/143 interrupted.`,
    );
  const [first = ''] = words;
  const isVersion = first === '--version' || first === '-V';
  const wanted = isVersion ? [] : Object.hasOwn(commands, first) ? [first] : Object.keys(commands);
  for (const name of wanted) (await commands[name]!())(program);
  return program;
}

/** Somebody who passes the key as an argument, which is refused, must not find it in a log as well. */
const withoutKey = (text: string) => text.replaceAll(/(--api-?key)[= ][^\s']+/gi, '$1=[redacted]');

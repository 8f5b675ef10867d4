import { Command } from 'commander';
import { version } from '../lib/version.ts';
import { addCall } from './call.ts';
import { addConvert } from './convert.ts';
import { addExplain } from './explain.ts';
import { addFetch } from './fetch.ts';
import { addForgetContent } from './forget-content.ts';
import { addImport } from './import.ts';
import { addInit } from './init.ts';
import { addInspect } from './inspect.ts';
import { addLooks } from './look.ts';
import { addPlan } from './plan.ts';
import { addRejects } from './rejects.ts';
import { addReconcile } from './reconcile.ts';
import { addRetry } from './retry.ts';
import { addSandbox } from './sandbox.ts';
import { addVerify } from './verify.ts';
import { addSelftest } from './selftest.ts';
import { addUndo } from './undo.ts';

/** The whole command line. */
export function buildProgram(): Command {
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
  addInspect(program);
  addInit(program);
  addPlan(program);
  addConvert(program);
  addFetch(program);
  addImport(program);
  addLooks(program);
  addVerify(program);
  addExplain(program);
  addForgetContent(program);
  addRejects(program);
  addRetry(program);
  addReconcile(program);
  addUndo(program);
  addSandbox(program);
  addSelftest(program);
  addCall(program);
  return program;
}

/** Somebody who passes the key as an argument, which is refused, must not find it in a log as well. */
const withoutKey = (text: string) => text.replaceAll(/(--api-?key)[= ][^\s']+/gi, '$1=[redacted]');

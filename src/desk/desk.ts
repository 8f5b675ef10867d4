import { z } from 'zod';
import type { Inspection } from '../commands/inspect.ts';
import type { Clock } from '../lib/flow/clock.ts';
import type { StartedProgram } from '../lib/started-program.ts';
import type { Viewer } from '../sandbox/serve.ts';
import { createFront } from '../viewer/front.ts';
import { checkedBody } from './answers/faults.ts';
import { type Answers, answerRequest } from './answers/routes.ts';
import { ignoredRows, partRows } from './answers/export-parts.ts';
import { type KnownSource, sourceView } from './answers/source.ts';
import { recogniseApart } from './engine/recognise-apart.ts';
import type { RecogniseResult } from './engine/recognise-here.ts';
import { commandLine, type Reading } from './runs/command-lines.ts';
import { Runner } from './runs/runner.ts';
import type { RunKind, RunRequest } from './shapes.ts';

export interface DeskRequest extends Reading {
  /** In which the program runs. */
  readonly folder: string;
  /** The source that the user named. */
  readonly source: string | undefined;
  /** Starts this program again, in its folder. */
  readonly startAgain: (args: readonly string[]) => Promise<StartedProgram>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Called when a link has let a browser in, with the entrance for the next one. */
  readonly onEntered: (entrance: string) => void;
  /** Called with internal errors. */
  readonly onFault: (fault: unknown) => void;
}

/** A page of this machine for a migration. */
export interface Desk {
  readonly page: Viewer;
  /** Stops what runs. */
  close(): Promise<void>;
}

/**
 * Begins to look at an export and to count it, and answers the page that shows it. The page has no logic of its own:
 * an export is recognised by the function of the commands, in a thread, and what takes long is a command of this
 * program in a process of its own.
 */
export function createDesk(request: DeskRequest): Desk {
  let [version, isClosed] = [0, false];
  let found: RecogniseResult | undefined;
  const onChange = () => {
    version++;
  };
  const runner = new Runner({ ...request, onChange });
  const start = (kind: RunKind) => runner.start(kind, commandLine(kind, request));
  const recognising = recogniseApart(request);
  recognising.result
    .then((result) => {
      found = result;
      onChange();
      if ('recognised' in result && !isClosed && runner.now() === null) start('inspect');
    })
    .catch((fault) => isClosed || request.onFault(fault));
  const known = (): KnownSource => ({
    reading: request,
    found,
    // Our own program printed it.
    inspection: runner.result('inspect') as Inspection | undefined,
  });
  const answers: Answers = {
    'GET state': () => ({ version: String(version), folder: request.folder, run: runner.now() }),
    'GET source': () => sourceView(known()),
    'GET parts': (search) => partRows(known().inspection, search),
    'GET ignored': (search) => ignoredRows(ignored(), search),
    'POST run': (_, body) => start(checkedBody(runRequest, body).kind),
    'POST stop': () => runner.stop(),
  };
  return {
    page: createFront({
      name: 'desk',
      base: '/desk/chats',
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      onEntered: request.onEntered,
      answer: (asked) => answerRequest(answers, asked),
    }),
    async close() {
      isClosed = true;
      await Promise.all([recognising.stop(), runner.close()]);
    },
  };
}

const runRequest: z.ZodType<RunRequest> = z.strictObject({ kind: z.enum(['inspect']) });

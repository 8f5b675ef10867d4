import type { Clock } from '../lib/flow/clock.ts';
import type { StartedProgram } from '../lib/started-program.ts';
import type { Viewer } from '../sandbox/serve.ts';
import { createFront, type FrontRequest, type LetIn } from '../viewer/front.ts';
import { Chats } from './answers/chats.ts';
import { choiceAnswers } from './answers/choices.ts';
import { conversationAnswers } from './answers/conversations.ts';
import { decideAnswers } from './answers/decide.ts';
import { toFaultAnswer } from './answers/faults.ts';
import { fetchAnswers } from './answers/fetch.ts';
import { destinationAddress, goAnswers } from './answers/go.ts';
import type { Parts } from './answers/parts.ts';
import { peopleAnswers } from './answers/people.ts';
import { PeopleAhead } from './engine/people-ahead.ts';
import { type Answers, answerRequest } from './answers/routes.ts';
import { runAnswers } from './answers/runs.ts';
import { signOffAnswers } from './answers/sign-off.ts';
import { sourceAnswers } from './answers/source.ts';
import { buildState } from './answers/state.ts';
import { DatabasePassword } from './engine/database-password.ts';
import { Deciding } from './engine/deciding.ts';
import { TypedKey } from './engine/typed-key.ts';
import { Engine, type EngineOptions, startEngineThread } from './engine/engine.ts';
import { Looking } from './engine/looking.ts';
import { DroppedFiles } from './files/dropped.ts';
import { UndoStack } from './files/undo-stack.ts';
import { Workspace, type WorkspaceRequest } from './files/workspace.ts';
import { type CommandFacts, commandLine, type Flags } from './runs/command-lines.ts';
import { Follower } from './runs/follower.ts';
import { Runner } from './runs/runner.ts';

export type { Flags, LetIn };

export interface DeskRequest extends Omit<WorkspaceRequest, 'configPath'> {
  /** How the user calls this program: `npx chatferry`. */
  readonly programName: string;
  /** Options of the desk that each of its commands gets as well. */
  readonly flags: Flags;
  readonly startAgain: (args: readonly string[]) => Promise<StartedProgram>;
  /** Sends another process the signal of Ctrl-C. */
  readonly interrupt: (pid: number) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sets a variable of this process, which those that it starts inherit; undefined removes it. */
  readonly setVariable: (name: string, value: string | undefined) => void;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly startThread?: EngineOptions['startThread'] | undefined;
  /** Called when a link has let a browser in, with the entrance for the next one. */
  readonly onEntered: (entrance: string, letIn: LetIn) => void;
  /** Browsers that the desk before this one let in. */
  readonly letIn?: LetIn | undefined;
  readonly onFault: (fault: unknown) => void;
}

export interface Desk {
  readonly page: Viewer;
  close(): Promise<void>;
}

/**
 * Begins to look at an export and to count it, and answers the page that shows it. The page has no logic of its own: short work is done by
 * the functions of the commands, in a thread, and what takes long is a command of this program in a process of its own.
 */
export function createDesk(request: DeskRequest): Desk {
  const parts = buildParts(request);
  const { chats, engine, runner, typedKey } = parts;
  const answers: Answers = {
    'GET state': () => buildState(parts),
    ...runAnswers(parts),
    ...sourceAnswers(parts),
    ...fetchAnswers(parts),
    ...decideAnswers(parts),
    ...peopleAnswers(parts),
    ...choiceAnswers(parts),
    ...conversationAnswers(parts),
    ...signOffAnswers(parts),
    ...goAnswers(parts),
  };
  // It begins before anybody has opened the page.
  buildState(parts);
  return {
    page: createFront({
      name: 'desk',
      base: '/desk/chats',
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      letIn: request.letIn,
      onEntered: request.onEntered,
      answer: async (asked) => (await chatsAnswer(chats, asked)) ?? (await answerRequest(answers, asked)),
    }),
    async close() {
      await Promise.all([engine.close(), runner.close()]);
      chats.close();
      typedKey.forget();
    },
  };
}

/** The parts that the answers share. Whatever one of them notices is seen by the page as another version of the state. */
function buildParts(request: DeskRequest): Parts {
  const { clock, onFault, programName, flags } = request;
  // Later than in a desk before this one: a page that is still open never takes a new version for one that it has seen.
  let changes = clock.now();
  const onChange = () => {
    changes++;
  };
  const workspace = new Workspace({ ...request, configPath: flags.config });
  const engine = new Engine({ clock, startThread: request.startThread ?? startEngineThread });
  // At the end, questions that are open fail.
  const fault = (error: unknown) => engine.isClosed || onFault(error);
  const runner = new Runner({ ...request, onChange });
  const password = new DatabasePassword(request);
  const typedKey = new TypedKey({ ...request, onChange });
  const facts = (): CommandFacts => {
    const exports = workspace.exports();
    password.keepFor(exports);
    typedKey.keepFor(destinationAddress(workspace.options()));
    const files = { named: workspace.named, exports, options: workspace.options(), paths: workspace.paths() };
    return { programName, flags, ...files };
  };
  const counting = () => commandLine('inspect', facts());
  const look = async () => {
    const { store, rehearsal } = workspace.paths();
    return await engine.call('lookAtStores', { stores: [store, rehearsal] });
  };
  const ownRun = () => runner.now();
  const follower = new Follower({ look, ownRun, clock, interrupt: request.interrupt, onChange, onFault: fault });
  const looking = new Looking({ workspace, engine, runner, password, counting, onChange, onFault: fault });
  const deciding = new Deciding({ workspace, engine, looking, onChange, onFault: fault });
  const chats = new Chats(workspace);
  const peopleAhead = new PeopleAhead({ workspace, engine, runner, deciding });
  const work = { workspace, engine, runner, follower, looking, facts, chats, deciding, peopleAhead };
  const held = { undone: new UndoStack(), dropped: new DroppedFiles(request.folder), password, typedKey };
  const now = () => clock.now();
  const run = () => (runner.isBusy ? null : follower.run) ?? runner.now();
  return { ...work, ...held, env: request.env, setVariable: request.setVariable, now, changes: () => changes, run };
}

/** Begin of the paths of the viewer's own questions. */
const chatsPath = '/chats/';

async function chatsAnswer(chats: Chats, { method, path, search }: FrontRequest) {
  if (method !== 'GET' || !path.startsWith(chatsPath)) return undefined;
  try {
    return await chats.answer(path.slice(chatsPath.length), search);
  } catch (error) {
    return toFaultAnswer(error);
  }
}

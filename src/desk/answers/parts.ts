import type { DatabasePassword } from '../engine/database-password.ts';
import type { Deciding } from '../engine/deciding.ts';
import type { Engine } from '../engine/engine.ts';
import type { Looking } from '../engine/looking.ts';
import type { DroppedFiles } from '../files/dropped.ts';
import type { PeopleAhead } from '../engine/people-ahead.ts';
import type { UndoStack } from '../files/undo-stack.ts';
import type { TypedKey } from '../engine/typed-key.ts';
import type { Workspace } from '../files/workspace.ts';
import type { CommandFacts } from '../runs/command-lines.ts';
import type { Follower } from '../runs/follower.ts';
import type { Runner } from '../runs/runner.ts';
import type { DeskRun } from '../shapes.ts';
import type { Chats } from './chats.ts';

export interface Parts {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly runner: Runner;
  readonly follower: Follower;
  readonly looking: Looking;
  readonly deciding: Deciding;
  readonly peopleAhead: PeopleAhead;
  /** Answers that can be taken back. */
  readonly undone: UndoStack;
  readonly chats: Chats;
  /** Variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sets a variable of this process, which those that it starts inherit; undefined removes it. */
  readonly setVariable: (name: string, value: string | undefined) => void;
  /** Epoch ms. */
  readonly now: () => number;
  readonly dropped: DroppedFiles;
  readonly password: DatabasePassword;
  readonly typedKey: TypedKey;
  /** What the commands of this moment depend on. @throws UsageError */
  readonly facts: () => CommandFacts;
  /** Counts what has changed besides the files. */
  readonly changes: () => number;
  /** Our own run, or that of another process on the same store. */
  readonly run: () => DeskRun | null;
}

import type { RowProblem } from '../kit/entries.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import type { Untrusted } from '../kit/narrow.ts';
import type { ConversationFacts, Conversations } from './conversations.ts';
import { type FileContext, fileTitle } from './files.ts';
import type { SlackMessage } from './format.ts';
import type { People } from './people.ts';
import type { BlockContext } from './rich-text.ts';
import type { SubtypeRule } from './subtypes.ts';

/** What rows are read with: the same for all rows of an export. */
export interface Workspace {
  readonly id: string;
  readonly people: People;
  readonly conversations: Conversations;
  /** The option of that name. */
  readonly includeUnfurls: boolean;
  /** Whether addresses of files keep the token that Slack put behind them. */
  readonly keepsTokens: boolean;
}

/** Where and when a row stands. */
export interface RowPlace {
  readonly rule: SubtypeRule;
  readonly ts: string;
  readonly sentAtMs: number;
  readonly conversation: ConversationFacts;
}

const noProblems: readonly RowProblem[] = [];

/** One row of a day file on its way to a message: what it says, where it stands, and what is noticed while it is read. */
export class Row implements BlockContext, FileContext {
  readonly message: Untrusted<SlackMessage>;
  readonly rule: SubtypeRule;
  readonly ts: string;
  readonly sentAtMs: number;
  readonly conversation: ConversationFacts;
  readonly workspace: Workspace;
  readonly mentions: string[] = [];
  readonly unknownTypes: string[] = [];
  readonly fallbackText: string;
  /** What of it is not carried, with how many. */
  lost: Partial<Record<LostPart, number>> | undefined;
  #problems: RowProblem[] | undefined;

  constructor(message: Untrusted<SlackMessage>, place: RowPlace, workspace: Workspace) {
    this.message = message;
    this.rule = place.rule;
    this.ts = place.ts;
    this.sentAtMs = place.sentAtMs;
    this.conversation = place.conversation;
    this.workspace = workspace;
    this.fallbackText = typeof message.text === 'string' ? message.text : '';
  }

  get problems(): readonly RowProblem[] {
    return this.#problems ?? noProblems;
  }

  /** Notes what a person should know although the row was read. */
  note(code: string, reason: string): void {
    this.#problems ??= [];
    this.#problems.push({ code, reason });
  }

  lose(part: LostPart, count = 1): void {
    if (count === 0) return;
    this.lost ??= {};
    this.lost[part] = (this.lost[part] ?? 0) + count;
  }

  get keepsTokens(): boolean {
    return this.workspace.keepsTokens;
  }

  userName(id: string): string | undefined {
    return this.workspace.people.nameOf(id);
  }

  channelName(id: string): string | undefined {
    return this.workspace.conversations.nameOf(id);
  }

  fileTitle(id: string): string {
    return fileTitle(this.message, id);
  }
}

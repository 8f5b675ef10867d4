import type { RowProblem } from '../kit/entries.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import type { MessageRecord } from '../../model/records.ts';
import type { Untrusted } from '../kit/narrow.ts';
import type { ConversationFacts, Conversations } from './conversations.ts';
import { type FileContext, fileTitle } from './files.ts';
import type { SlackMessage } from './format.ts';
import type { People } from './people.ts';
import type { BlockContext } from './rich-text.ts';
import type { SubtypeRule } from './subtypes.ts';

/** State for reading rows: the same for all rows of an export. */
export interface Workspace {
  readonly id: string;
  readonly people: People;
  readonly conversations: Conversations;
  /** The option of that name. */
  readonly includeUnfurls: boolean;
  /** Whether addresses of files keep the token that Slack put behind them. */
  readonly keepsTokens: boolean;
  /** The option `escapeText`. */
  readonly escapesText: boolean;
  /** Names of people in no list, from the profiles in rows of the same file. */
  readonly namesInFile?: ReadonlyMap<string, string>;
}

/** Position and time of a row. */
export interface RowPlace {
  readonly rule: SubtypeRule;
  readonly ts: string;
  readonly sentAtMs: number;
  readonly conversation: ConversationFacts;
}

const noProblems: readonly RowProblem[] = [];

/** One row of a day file while it becomes a message: its content, its position, and facts collected while reading. */
export class Row implements BlockContext, FileContext {
  readonly message: Untrusted<SlackMessage>;
  readonly rule: SubtypeRule;
  readonly ts: string;
  readonly sentAtMs: number;
  readonly conversation: ConversationFacts;
  readonly workspace: Workspace;
  readonly mentions: string[] = [];
  readonly unknownTypes: string[] = [];
  fault: RowProblem | undefined;
  readonly fallbackText: string;
  /** Parts that are not migrated, with counts. */
  lost: Partial<Record<LostPart, number>> | undefined;
  links: NonNullable<MessageRecord['links']> | undefined;
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
    // A message looks otherwise or not, however many of its parts do.
    this.lost[part] = part === 'accidentalMarkup' ? 1 : (this.lost[part] ?? 0) + count;
  }

  get escapes(): boolean {
    return this.workspace.escapesText;
  }

  get keepsTokens(): boolean {
    return this.workspace.keepsTokens;
  }

  /** A message of another conversation than those of the export has no key. */
  noteLink(link: NonNullable<MessageRecord['links']>[number]): void {
    if (!this.workspace.conversations.has(link.conversation)) return;
    this.links ??= [];
    if (!this.links.some(({ url }) => url === link.url)) this.links.push(link);
  }

  userName(id: string): string | undefined {
    return this.workspace.people.nameOf(id) ?? this.workspace.namesInFile?.get(id);
  }

  channelName(id: string): string | undefined {
    return this.workspace.conversations.nameOf(id);
  }

  fileTitle(id: string): string {
    return fileTitle(this.message, id);
  }
}

import type { RowProblem } from '../kit/entries.ts';
import type { Conversations } from './conversations.ts';
import { fileTitle } from './files.ts';
import type { SlackMessage } from './format.ts';
import type { Untrusted } from '../kit/narrow.ts';
import type { People } from './people.ts';
import type { BlockContext } from './rich-text.ts';

/** What rows are read with: who and what they may name, and what was noticed in the row at hand. One object for a whole read. */
export class RowContext implements BlockContext {
  readonly workspace: string;
  readonly people: People;
  readonly includeUnfurls: boolean;
  readonly mentions: string[] = [];
  readonly unknownTypes: string[] = [];
  /** Emptied by whoever reports them. */
  readonly problems: RowProblem[] = [];
  fallbackText = '';
  /** Link previews of the row at hand that its text does not show. */
  previewsLeftOut = 0;
  readonly #conversations: Conversations;
  #message: Untrusted<SlackMessage> = {};

  constructor(workspace: string, people: People, conversations: Conversations, includeUnfurls: boolean) {
    this.workspace = workspace;
    this.people = people;
    this.includeUnfurls = includeUnfurls;
    this.#conversations = conversations;
  }

  beginRow(message: Untrusted<SlackMessage>): void {
    this.#message = message;
    // Asked first: emptying takes time, and most rows leave nothing.
    if (this.mentions.length > 0) this.mentions.length = 0;
    if (this.unknownTypes.length > 0) this.unknownTypes.length = 0;
    this.previewsLeftOut = 0;
    this.fallbackText = typeof message.text === 'string' ? message.text : '';
  }

  userName(id: string): string | undefined {
    return this.people.nameOf(id);
  }

  channelName(id: string): string | undefined {
    return this.#conversations.nameOf(id);
  }

  fileTitle(id: string): string {
    return fileTitle(this.#message, id);
  }
}

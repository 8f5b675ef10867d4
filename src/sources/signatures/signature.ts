import type { Marks } from '../kit/marks.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** A format of another platform that no source reads yet: what it is called, what tells it, what can be done. */
export interface Signature {
  /** As its makers call it: `Telegram`. */
  readonly platform: string;
  /** Which of its formats, and what writes it: `one chat, JSON of Telegram Desktop`. */
  readonly layout: string;
  /** Each is enough by itself. */
  readonly marks: readonly Marks[];
  /** Whole sentences: the option of the exporter that gives what is read, or how a source of tables takes it. */
  readonly advice: string;
  /** Holds anything, not only chats: where files that a source of tables takes stand beside it, they are meant. */
  readonly isContainer?: true;
}

/** How the rest of the advice begins where a file can be read as JSON of any shape. */
export const asJson = (fields: string) => `Read it as JSON with a mapping, "chatferry init --source json": ${fields}`;

/** For what neither an exporter's option nor a mapping makes readable. */
export const ownRecords = `Write it as our own records, a line for each message (${docsLink('reference/sources/chatferry')})`;

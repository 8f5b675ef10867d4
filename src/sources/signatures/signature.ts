import type { Marks } from '../kit/marks.ts';
import { docsLink } from '../../lib/docs-link.ts';

/** A format of another platform that no source reads yet: its name, its marks, and the remedy. */
export interface Signature {
  /** As its makers call it: `Telegram`. */
  readonly platform: string;
  /** Which of its formats, and what writes it: `one chat, JSON of Telegram Desktop`. */
  readonly layout: string;
  /** Each is enough by itself. */
  readonly marks: readonly Marks[];
  /** Whole sentences: the option of the exporter that gives what is read, or how a source of tables takes it. */
  readonly advice: string;
  /** Holds any data, not only chats. If files next to it can be read by a source of tables, these are meant. */
  readonly isContainer?: true;
}

/** Begins the remaining advice if a file can be read as JSON of any shape. */
export const asJson = (fields: string) => `Read it as JSON with a mapping, "chatferry init --source json": ${fields}`;

/** For what neither an exporter's option nor a mapping makes readable. */
export const ownRecords = `Write it as our own records, a line for each message (${docsLink('reference/sources/chatferry')})`;

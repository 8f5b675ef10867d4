import { asId, asObject, describe, type Untrusted } from '../kit/narrow.ts';
import type { Directory, Target } from './directory.ts';
import type { ZulipMessage } from './format.ts';
import type { Reactions } from './reactions.ts';

type Row = Untrusted<ZulipMessage>;

/** How a message is read, in the server's export and in answers of its API. */
export interface RowReading {
  /** The message with the names of the export; undefined for what is no object. */
  toRow(value: unknown): Row | undefined;
  /** Whom the message is for; undefined if that is unknown. */
  targetOf(row: Row): Target | undefined;
  /** In words, why there is no target, or no author with whom it is a conversation. */
  whyNoTarget(row: Row, author: string | undefined): string;
  /** The system's name for its own account; undefined for people and other bots. */
  systemOf(row: Row, author: string): string | undefined;
  /** Who reacted, by emoji. */
  reactionsOf(row: Row): ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

/** Reads rows of `zerver_message`. @param tables Reactions of the whole export, and of the file. */
export function exportReading(directory: Directory, tables: readonly Reactions[]): RowReading {
  return {
    toRow: (value) => asObject<ZulipMessage>(value),
    targetOf(row) {
      const recipient = asId(row.recipient);
      return recipient === undefined ? undefined : directory.findTarget(recipient);
    },
    whyNoTarget: (row, author) =>
      author === undefined
        ? `Expected "sender" and "recipient", found ${describe(row.sender)} and ${describe(row.recipient)}`
        : `Recipient ${describe(row.recipient)} of the message is none that realm.json has`,
    systemOf: (_, author) => directory.systemBot(author),
    reactionsOf(row) {
      let found: ReturnType<Reactions['of']>;
      for (const table of tables) found = table.of(row.id, found);
      return found;
    },
  };
}

import { Latest } from '../../lib/maps/latest.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Untrusted } from '../kit/narrow.ts';
import type { TelegramMessage } from './format.ts';
import { repliedTo, topicOf } from './message.ts';

/** Messages of forums whose topic is remembered at least: some 20 MB for twice as many. */
const rememberedMin = 100_000;

/**
 * Topics of a forum. A message does not name its topic. A message is in a topic if it answers the line that began the
 * topic, or answers a message in the topic. An answer is treated as outside any topic if 200,000 other messages of
 * topics come between it and the message it answers.
 */
export class Topics {
  /** Title by the id of the line that began it. */
  readonly #titles = new Map<string, string>();
  /** Topic of a message. */
  readonly #topicOf = new Latest<string, string>(rememberedMin);

  /** Puts a message into its topic's thread, or makes it the answer to another. */
  place(record: NewMessage, row: Untrusted<TelegramMessage>): void {
    const title = topicOf(row);
    const replied = repliedTo(row);
    if (title !== undefined) this.#titles.set(record.origin.id, title);
    if (replied === undefined) {
      if (row.reply_to_message_id !== undefined) {
        record.custom = { ...record.custom, reply_to_message_id: row.reply_to_message_id as never };
      }
      return;
    }
    const topic = this.#titles.has(replied) ? replied : this.#topicOf.get(replied);
    if (topic !== replied) record.quoteOf = replied;
    if (topic === undefined) return;
    record.threadRoot = topic;
    record.custom = { ...record.custom, topic: this.#titles.get(topic)! };
    this.#topicOf.set(record.origin.id, topic);
  }
}

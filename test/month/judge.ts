import { openDatabase } from '../../src/lib/sqlite.ts';
import { conversationOf, type World, type WorldMessage } from './world.ts';

/** A message as the service has it. */
interface Arrived {
  readonly conversation: string;
  readonly sender: string;
  readonly sentAtSeconds: number;
  readonly text: string;
  readonly muid: string;
  /** The muid of the message whose change it reports. */
  readonly follows: string | null;
  readonly change: string | null;
}

/** Reads the messages of a world from a sandbox's file, in the order of arrival. */
export function readArrived(path: string, world: World): Arrived[] {
  const db = openDatabase(path);
  try {
    const rooms = new Set(world.messages.map(({ room }) => conversationOf(room)));
    return db
      .prepare<[], Arrived>(
        `SELECT c.name AS conversation, m.sender, m.sent_at AS sentAtSeconds, m.data ->> '$.text' AS text, m.muid,
           m.data ->> '$.metadata.chatferry.follows' AS follows, m.data ->> '$.metadata.chatferry.change' AS change
         FROM message m JOIN conversation c ON c.id = m.conversation ORDER BY m.id`,
      )
      .all()
      .filter(({ conversation }) => rooms.has(conversation));
  } finally {
    db.close();
  }
}

/**
 * Compares what a world has said with what arrived of it, where changes are sent as follow-ups: each message once, as it was when it
 * was sent, in order but for those that the store names as late; and of each that changed since, a last word that says so.
 *
 * @returns What is not as it should be, in sentences.
 */
export function judge(world: World, arrived: readonly Arrived[], lateIds: ReadonlySet<string>): string[] {
  const complaints: string[] = [];
  const known = new Map(world.messages.map((message) => [message.id, message]));
  const originals = new Map<string, Arrived>();
  const words = new Map<string, Arrived[]>();
  const muids = new Set<string>();
  const reached = new Map<string, WorldMessage>();
  for (const row of arrived) {
    if (muids.has(row.muid)) complaints.push(`twice: ${row.muid} "${row.text}"`);
    muids.add(row.muid);
    if (row.follows !== null) {
      words.set(row.follows, [...(words.get(row.follows) ?? []), row]);
      continue;
    }
    const message = known.get(/^\[([^\]]+)\]/.exec(row.text)?.[1] ?? '');
    if (!message || !isOf(row, message)) {
      complaints.push(`unexpected: ${JSON.stringify(row)}`);
      continue;
    }
    if (originals.has(message.id)) complaints.push(`twice: "${row.text}"`);
    originals.set(message.id, row);
    if (lateIds.has(message.id)) continue;
    const before = reached.get(row.conversation);
    if (before && isAfter(before, message)) complaints.push(`out of order: ${message.id} behind ${before.id}`);
    else reached.set(row.conversation, message);
  }
  for (const message of world.messages) {
    const original = originals.get(message.id);
    complaints.push(...judgeOne(message, original, (original && words.get(original.muid)) ?? []));
  }
  return complaints;
}

function* judgeOne(message: WorldMessage, original: Arrived | undefined, words: readonly Arrived[]) {
  const { versions, id } = message;
  const last = versions.at(-1)!;
  const lastWord = words.at(-1);
  const isOver = last.isDeleted || last.isGone;
  if (!original) {
    if (!isOver) yield `lost: "${last.text}"`;
    return;
  }
  if (isOver && lastWord?.change !== 'deleted')
    yield `${id} was deleted, and the last that was said of it is ${JSON.stringify(lastWord)}`;
  if (isOver) return;
  if (lastWord?.change === 'deleted') yield `${id} is there, and is said to be deleted`;
  // A text that was edited, and then got reactions, was reported earlier.
  const told = words.findLast(({ change }) => change !== 'reactions') ?? original;
  if (!told.text.endsWith(last.text))
    yield `${id} arrived as "${original.text}", is "${last.text}", and ${JSON.stringify(told)} does not say so`;
}

const isOf = ({ conversation, sender, sentAtSeconds, text }: Arrived, message: WorldMessage): boolean =>
  conversation === conversationOf(message.room) &&
  sender === message.author &&
  sentAtSeconds === Math.floor(message.sentAtMs / 1000) &&
  message.versions.some((version) => version.text === text && !version.isDeleted);

const isAfter = (one: WorldMessage, other: WorldMessage): boolean =>
  one.sentAtMs > other.sentAtMs || (one.sentAtMs === other.sentAtMs && one.sortKey > other.sortKey);

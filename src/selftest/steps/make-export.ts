import { writeFileSync } from 'node:fs';
import { seededRandom } from '../../lib/flow/seeded-random.ts';

export interface ExpectedMessage {
  /** In the export; unique in all of it. */
  readonly id: string;
  /** As the service names it: `group_<guid>`, `<uid>_user_<uid>`. */
  readonly conversation: string;
  /** Among the messages of its conversation, from 0. */
  readonly position: number;
  readonly sender: string;
  readonly sentAtSeconds: number;
  /** Unique: what it is recognised by at the service. */
  readonly text: string;
}

export interface ExportShape {
  /** Those that must arrive. */
  readonly messages: number;
  readonly conversations: number;
  /** People who never write, and what is known of members: who created a group, who joined when, who left, who is banned. */
  readonly hasDirectory?: boolean;
  /** Prefix of every id, so that two exports at one service share no people and no ids. None by default. */
  readonly prefix?: string;
}

/** A conversation of the export with the id that the service will give it. */
interface Place {
  readonly id: string;
  readonly conversation: string;
  readonly members: readonly string[];
}

const people = ['ann', 'bo', 'cleo', 'dov', 'edda', 'finn'];
/** With `hasDirectory`; none of them writes. The third has left, and the fourth is banned. */
const silent = ['gil', 'hana', 'ivo', 'jun'];
/** With `hasDirectory`: an author and two others, who are deactivated after the messages. */
const deactivated = ['dov', 'gil', 'hana'];
/** 2024-03-01 00:00 UTC. */
const firstMs = 1_709_251_200_000;
/** Texts that programs stumble over. None begins or ends with a space, which a service may cut off. */
const fragments = [
  'fine',
  '"quoted" \\ backslash',
  'two\nlines',
  'tab\there',
  '👩‍👩‍👧 family',
  'naïve café',
  'שלום',
  '<b>&amp;</b>',
  '__proto__',
  '{"data":{}}',
  '日本語',
];

/**
 * Writes an export in Chatferry's own format, and returns the messages that the service must have after its import, in
 * the order of the source.
 *
 * The expected messages are recorded while the lines are made, and not by reading them: no code that reads, maps or
 * sends an export has a part in it. Besides messages there are rows of the platform, which are left out, and lines that
 * occur twice.
 */
export function makeExport(path: string, shape: ExportShape, seed: number): ExpectedMessage[] {
  const { messages, conversations, hasDirectory = false, prefix = '' } = shape;
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const places = Array.from({ length: conversations }, (_, index) => buildPlace(index, prefix));
  const lines: object[] = [
    { kind: 'chatferry', version: 1, source: 'selftest', workspace: `seed-${seed}` },
    ...(hasDirectory ? [...people, ...silent] : people).map((id) => ({
      kind: 'user',
      id: `${prefix}${id}`,
      name: `${id[0]!.toUpperCase()}${id.slice(1)}`,
      ...(hasDirectory && deactivated.includes(id) && { isDeleted: true }),
    })),
    ...places.map((place) => ({ ...conversationLine(place), ...(hasDirectory && membersOf(place, prefix)) })),
  ];
  const expected: ExpectedMessage[] = [];
  const countByPlace = new Map<Place, number>();
  let sentAtMs = firstMs;
  for (let number = 0; number < messages; number++) {
    // Often nothing: messages of one millisecond are ordered by their sort key, those of one second by what the service does.
    sentAtMs += below(3) * below(4_000);
    const place = places[below(places.length)]!;
    const position = countByPlace.get(place) ?? 0;
    countByPlace.set(place, position + 1);
    const author = place.members[below(place.members.length)]!;
    const id = `${prefix}k${number}`;
    const text = `${number} in ${place.id}: ${Array.from({ length: 1 + below(4) }, () => fragments[below(fragments.length)]).join(' ')}`;
    const sortKey = String(number).padStart(8, '0');
    const origin = { source: 'selftest', workspace: `seed-${seed}`, conversation: place.id, id };
    const line = { kind: 'message', origin, sortKey, sentAtMs, author, text };
    lines.push(line);
    if (random() < 0.03) lines.push(line);
    if (random() < 0.03) {
      lines.push({ ...line, origin: { ...origin, id: `${prefix}s${number}` }, text: 'joined', systemEvent: 'joined' });
    }
    const sentAtSeconds = Math.floor(sentAtMs / 1000);
    expected.push({ id, conversation: place.conversation, position, sender: author, sentAtSeconds, text });
  }
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return expected;
}

/** Every other one is of two people; there are 15 pairs, and further conversations are groups. */
function buildPlace(index: number, prefix: string): Place {
  const pair = index % 2 === 1 ? pairs[(index - 1) / 2]?.map((id) => `${prefix}${id}`) : undefined;
  if (pair) return { id: `${prefix}pair-${index}`, conversation: pair.join('_user_'), members: pair };
  const members = people.map((id) => `${prefix}${id}`);
  return { id: `${prefix}room-${index}`, conversation: `group_${prefix}room-${index}`, members };
}

const pairs = people.flatMap((one, index) => people.slice(index + 1).map((other) => [one, other]));

const conversationLine = ({ id, members }: Place) => ({
  kind: 'conversation',
  id,
  type: members.length === 2 ? 'direct' : 'private',
  name: members.length === 2 ? '' : id,
  members,
});

/** Nothing for a direct conversation. */
function membersOf({ members }: Place, prefix: string): object {
  if (members.length === 2) return {};
  const all = [...members, ...silent.map((id) => `${prefix}${id}`)];
  const joinedAtMs = firstMs - 3_600_000;
  return {
    creator: members[0],
    createdAtMs: firstMs - 86_400_000,
    members: all.filter((id) => !id.endsWith('ivo')),
    memberships: [
      { user: members[1], scope: 'moderator', joinedAtMs },
      { user: all.at(-3), joinedAtMs },
      { user: all.at(-2), joinedAtMs, leftAtMs: firstMs },
      { user: all.at(-1), joinedAtMs, isBanned: true },
    ],
  };
}

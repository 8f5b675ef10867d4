import { z } from 'zod';
import { actionKinds } from '../../../src/model/action.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../../../src/model/records.ts';

/**
 * Features that people ask about before a migration: does it keep my …? Each feature of chats has a row in
 * `docs/understand/fidelity/`, each source a column. A sample's `facts.json` makes the claim in a cell, and the contract proves
 * it (`fidelity-checks.ts`).
 */

/** A feature, and where it is found after reading. */
interface Feature {
  /** The row: unique, and a key of `facts.json`. */
  readonly name: string;
  /** Where the service has it if it is kept. */
  readonly where: string;
  /** Whether a record has it. Absent: the model has no field of its own, and it is kept in what the text says or in a file. */
  readonly message?: (message: MessageRecord) => boolean;
  readonly person?: (person: UserRecord) => boolean;
  readonly conversation?: (conversation: ConversationRecord) => boolean;
  /** Other features look the same in a record: that one has it does not mean that this feature is in the export. */
  readonly isLikeOthers?: true;
}

const has = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) > 0;

export const features = [
  { name: 'text styles', where: 'Markdown in the text', message: ({ text }) => /[*_~`>]/.test(text) },
  { name: 'mentions', where: '`@Name` in the text, uids in metadata', message: ({ mentions }) => has(mentions) },
  { name: 'links', where: 'in the text', message: ({ text }) => /\bhttps?:|mailto:|tel:/.test(text) },
  { name: 'emoji', where: 'in the text', message: ({ text }) => /\p{Extended_Pictographic}|\p{RI}/u.test(text) },
  { name: 'custom emoji', where: '`:name:`', message: saysEmoji },
  { name: 'replies', where: 'quote in metadata', message: ({ quoteOf }) => quoteOf !== undefined },
  { name: 'threads', where: 'thread in metadata', message: ({ threadRoot }) => threadRoot !== undefined },
  { name: 'quotes', where: 'in the text', message: ({ text }) => /^> /m.test(text) },
  { name: 'forwards', where: 'in the text' },
  { name: 'reactions', where: 'metadata, with who', message: ({ reactions }) => has(reactions) },
  { name: 'edits', where: 'mark in metadata', message: ({ edited }) => edited !== undefined },
  {
    name: 'deletions',
    where: 'mark in metadata, with `messages.deleted: keep`',
    message: ({ isDeleted }) => isDeleted === true,
  },
  { name: 'pins', where: 'mark in metadata', message: ({ isPinned }) => isPinned === true },
  { name: 'files', where: 'attachments', message: ({ attachments }) => has(attachments) },
  { name: 'voice', where: 'attachments', message: ({ attachments }) => has(attachments), isLikeOthers: true },
  { name: 'stickers', where: 'attachments', message: ({ attachments }) => has(attachments), isLikeOthers: true },
  { name: 'polls', where: 'in the text' },
  { name: 'locations', where: 'in the text' },
  { name: 'contacts', where: 'in the text' },
  { name: 'calls', where: 'messages, with `messages.calls: keep`', message: ({ call }) => call !== undefined },
  {
    name: 'system lines',
    where: 'messages, with `messages.system: keep`',
    message: ({ systemEvent }) => systemEvent !== undefined,
  },
  {
    name: 'internal notes',
    where: 'messages, with `messages.internal: keep`',
    message: ({ internal }) => internal !== undefined && internal !== 'restricted',
  },
  {
    name: 'topics',
    where: 'the group, its metadata',
    conversation: ({ topic, description }) => topic !== undefined || description !== undefined,
  },
  {
    name: 'roles',
    where: 'people, while they are read',
    person: ({ role }) => role !== undefined && role !== 'member',
  },
  { name: 'members', where: 'members of groups', conversation: ({ members }) => members.length > 0 },
  { name: 'bots', where: 'people, metadata', person: ({ isBot }) => isBot === true },
  { name: 'read state', where: 'people' },
  { name: 'encrypted', where: 'messages' },
] as const satisfies readonly Feature[];

export type FeatureName = (typeof features)[number]['name'];

const names = features.map(({ name }) => name) as [FeatureName, ...FeatureName[]];

export const featureNamed = (name: FeatureName): Feature => features.find((feature) => feature.name === name)!;

function saysEmoji({ text, reactions = [] }: MessageRecord): boolean {
  return /(?:^|\s):[a-z_+-][\w+-]*:/i.test(text) || reactions.some(({ emoji }) => /^:.+:$/.test(emoji));
}

/** Record that a claim is about. */
const record = {
  text: z.string().min(1).optional().describe('The message whose text begins so.'),
  id: z.string().min(1).optional().describe('The message with that id, for one without a text.'),
  person: z.string().min(1).optional().describe('The person with that id.'),
  conversation: z.string().min(1).optional().describe('The conversation with that id.'),
};

const claimSchema = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('kept'), ...record }),
  z.strictObject({ is: z.literal('metadata'), key: z.string().describe('In `custom` of the message.'), ...record }),
  z.strictObject({ is: z.literal('action'), name: z.enum(actionKinds), ...record }),
  z.strictObject({
    is: z.literal('loss'),
    name: z
      .string()
      .describe(
        'A loss of the report (docs/understand/losses.md), or the code of a check (docs/reference/checks/index.md).',
      ),
  }),
  z.strictObject({ is: z.literal('not in the export'), why: z.string().optional() }),
]);
export type Claim = z.output<typeof claimSchema>;

/** The key `fidelity` of `facts.json`: what the sample shows of each feature, several things where several hold. */
export const fidelitySchema = z.partialRecord(
  z.enum(names),
  z.union([claimSchema.transform((claim) => [claim]), claimSchema.array().min(1)]),
);

/** Returns the text of a cell. */
export function cellOf(feature: FeatureName, claim: Claim): string {
  if (claim.is === 'kept') return `**kept**: ${featureNamed(feature).where}`;
  if (claim.is === 'metadata') return `metadata: \`${claim.key}\``;
  if (claim.is === 'action') return `action: \`--actions ${claim.name}\``;
  if (claim.is === 'loss') return `loss: ${claim.name}`;
  return claim.why === undefined ? '–' : `–, ${claim.why}`;
}

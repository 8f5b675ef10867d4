import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Sample } from '../samples.ts';
import { fidelitySchema } from './fidelity.ts';

/**
 * Facts that a person counted in a sample's export by eye: `facts.json` next to it. No program writes it. So a mistake
 * of the source does not become the expectation, as it does when `expected.ndjson` is written again.
 */

const count = z.int().nonnegative();

/** Not `z.record()`, which would lose a conversation that is called `__proto__`. */
function isTally(value: unknown): boolean {
  return typeof value === 'object' && value !== null && count.array().safeParse(Object.values(value)).success;
}

const message = z.strictObject({
  at: z.iso.datetime({ offset: true }).describe('When it was sent: 2026-03-02T17:02:10.004Z.'),
  by: z.string().optional().describe('Id of its author; left out where the export does not say who.'),
  text: z.string().describe('How its text begins; empty where it has none.'),
});

export const factsSchema = z
  .strictObject({
    about: z.string().optional().describe('How it was counted, or what is easily counted otherwise.'),
    origin: z
      .strictObject({ source: z.string(), workspace: z.string() })
      .describe(
        'What every message says it is from. The source is the one that reads it, unless the format carries others.',
      ),
    rows: z
      .strictObject({
        messages: count.describe('What people and bots said.'),
        internal: count.default(0).describe('Private notes and the like, whatever else they are.'),
        system: count.default(0).describe('What the platform wrote: somebody joined.'),
        calls: count.default(0),
        deleted: count.default(0).describe('What is left of deleted messages.'),
        rejected: count.default(0).describe('Rows that cannot be read; the lost rest of a file is one.'),
      })
      .describe('Timeline rows of the export, each once.'),
    conversations: z
      .custom<Readonly<Record<string, number>>>(isTally, 'expected ids with counts: { "general": 12 }')
      .describe('Rows that are read of each conversation, by its id.'),
    undescribedConversations: count.default(0).describe('How many of them nothing in the export describes.'),
    people: count.describe('People whom the export describes.'),
    undescribedAuthors: count.default(0).describe('People who wrote something, and nothing describes them.'),
    describedAgain: count.default(0).describe('Descriptions of people and conversations beyond the first of each.'),
    repeated: count.default(0).describe('Rows that stand in the export a second time: same conversation, same id.'),
    first: message.describe('The earliest row that is read.'),
    last: message.describe('The latest row that is read.'),
    sameTime: z
      .array(z.array(z.string()).min(2))
      .default([])
      .describe('Rows of one conversation and millisecond in their order, each by how its text begins.'),
    replies: count.default(0).describe('Rows that answer in a thread.'),
    orphanReplies: count.default(0).describe('Those whose thread begins outside of the export.'),
    quotes: count.default(0).describe('Rows that quote another.'),
    orphanQuotes: count.default(0).describe('Those that quote what the export does not have.'),
    reactions: count.default(0).describe('Reactions as the platform counted them: five hearts are five.'),
    files: count.default(0).describe('Files of messages.'),
    edits: count.default(0).describe('Rows that say that they were edited.'),
    pins: count.default(0).describe('Rows that are pinned.'),
    relations: count.default(0).describe('Friendships and blocks.'),
    fidelity: fidelitySchema
      .default({})
      .describe('What becomes of features of chats that it shows: docs/understand/fidelity/.'),
  })
  .refine(addsUp, { error: 'rows (without the rejected) and conversations do not add up to the same number' });

export type Facts = z.output<typeof factsSchema>;
/** Those that can be counted in what a source yields. */
export type CountedFacts = Omit<Facts, 'about' | 'fidelity'>;

function addsUp({ rows, conversations }: { rows: Record<string, number>; conversations: Record<string, number> }) {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return sum(Object.values(rows)) - rows.rejected! === sum(Object.values(conversations));
}

/** @throws Error that says what is wrong, and where; no sample is without its facts. */
export function factsOf(sample: Sample): Facts {
  const path = join(sample.folder, 'facts.json');
  if (!existsSync(path)) {
    throw new Error(`${path} is missing: count in the export by hand what it holds, as CONTRIBUTING.md says`);
  }
  return parseFacts(readFileSync(path, 'utf8'), path);
}

export function parseFacts(text: string, path: string): Facts {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  const parsed = factsSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path: keys, message }) => `${keys.map(String).join('.') || 'all'}: ${message}`,
  );
  throw new Error(`${path} does not say what facts say: ${faults.join('; ')}`);
}

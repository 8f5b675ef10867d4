import { z } from 'zod';
import type { DeskRun } from '../shapes.ts';

const count = z.int().nonnegative();
const sum = z.object({ calls: count, messages: count });
const sums = z.object({ group: sum, conversation: sum, person: sum });

/** JSON output of `undo`: `UndoResult`, and whether it was a dry run. */
const undoResult = z.object({
  command: z.literal('undo'),
  dryRun: z.boolean(),
  todo: sums,
  done: sums,
  requests: z.array(z.object({ request: z.string(), name: z.string(), messages: count })),
  left: z.array(sum.extend({ explanation: z.string() })),
});

/** Returns the deletions that `undo` made or would make; null for the result of another command. */
export function undoIn(result: unknown): DeskRun['undo'] {
  const { data } = undoResult.safeParse(result);
  if (data === undefined) return null;
  const { dryRun: isDry, requests, left } = data;
  const { group, conversation, person } = isDry ? data.todo : data.done;
  return {
    isDry,
    requests,
    people: person.calls,
    conversations: group.calls + conversation.calls,
    messages: group.messages + conversation.messages,
    left: left.map(({ calls, explanation }) => ({ count: calls, explanation })),
  };
}

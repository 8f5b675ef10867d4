import type { BlockingCheck } from '../check.ts';

const dayMs = 86_400_000;

export const tooOld: BlockingCheck = {
  code: 'too-old',
  severity: 'blocks',
  title: 'Messages older than the destination keeps them',
  explanation: 'The message is older than the destination keeps messages, and it refuses such an import.',
  remedy:
    'If the service keeps your messages longer, say so with --retention-days; else ask it for a longer retention, or leave old messages out with messages.olderThan.',
  find({ sentAtMs, nowMs, limits: { retentionDays } }) {
    if (retentionDays === undefined) return undefined;
    const ageDays = (nowMs - sentAtMs) / dayMs;
    return ageDays > retentionDays ? `${Math.ceil(ageDays)} days old, ${retentionDays} allowed` : undefined;
  },
};

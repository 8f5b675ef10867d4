import type { Check } from './check.ts';

const dayMs = 86_400_000;

export const tooOld: Check = {
  code: 'too-old',
  explanation:
    'The message is older than the destination keeps messages, and it refuses such an import. Ask the service for a longer retention, then plan again.',
  find({ sentAtMs, nowMs, limits: { retentionDays } }) {
    if (retentionDays === undefined) return undefined;
    const ageDays = (nowMs - sentAtMs) / dayMs;
    return ageDays > retentionDays ? `${Math.ceil(ageDays)} days old, ${retentionDays} allowed` : undefined;
  },
};

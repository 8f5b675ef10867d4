import { sourceCodes } from '../sources/registry.ts';
import { mediaCodes } from './attachment-checks.ts';
import { blockingChecks } from './blocking-checks.ts';
import type { Check } from './check.ts';
import { conversationChecks } from './checks/conversations.ts';
import { messageChecks } from './checks/messages.ts';
import { personChecks } from './checks/people.ts';
import { archivesCodes, stagingCodes } from './checks/reading.ts';
import { wholeChecks } from './whole-checks.ts';

/** Findings of reading and staging themselves, without a check of their own: the codes of invalid rows and problems. */
export const readingCodes: readonly Check[] = [...sourceCodes, ...archivesCodes, ...stagingCodes];

/** Every code that a plan may report, and what to do about each. */
export const catalogue: readonly Check[] = [
  ...blockingChecks,
  ...messageChecks,
  ...personChecks,
  ...conversationChecks,
  ...wholeChecks,
  ...readingCodes,
  ...mediaCodes,
];

const byCode: ReadonlyMap<string, Check> = new Map(catalogue.map((check) => [check.code, check]));

export const checkOf = (code: string): Check | undefined => byCode.get(code);

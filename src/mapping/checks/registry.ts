import { sourceCodes } from '../../sources/registry.ts';
import { mediaCodes } from './attachments.ts';
import { blockingChecks } from './blocking.ts';
import type { Check } from './check.ts';
import { conversationChecks } from './conversations.ts';
import { messageChecks } from './messages.ts';
import { personChecks } from './people.ts';
import { archivesCodes, stagingCodes } from './reading.ts';
import { wholeChecks } from './whole.ts';

/** What reading and staging find by themselves, without a question of its own: the codes of rejects and problems. */
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

import { kitCodes, sourceCodes, sources } from '../sources/registry.ts';
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

/** Checks that a reader looks up together: a page each in docs/reference/checks. */
interface CheckTopic {
  /** File name of the page. */
  readonly name: string;
  /** As in "a code about messages". */
  readonly title: string;
  readonly checks: readonly Check[];
}

/** Codes of sources that share some, such as those of tables, are on the page of each. */
export const checkTopics: readonly CheckTopic[] = [
  { name: 'messages', title: 'messages', checks: [...blockingChecks, ...messageChecks, ...mediaCodes] },
  { name: 'people', title: 'people and conversations', checks: [...personChecks, ...conversationChecks] },
  { name: 'export', title: 'the export as a whole', checks: wholeChecks },
  { name: 'files', title: 'files and rows', checks: [...kitCodes, ...archivesCodes, ...stagingCodes] },
  ...sources.flatMap(({ name, codes = [] }) =>
    codes.length === 0 ? [] : [{ name, title: `the source ${name}`, checks: codes }],
  ),
];

/** Every code that a plan may report, once, and what to do about each. */
export const catalogue: readonly Check[] = [...new Set(checkTopics.flatMap(({ checks }) => checks))];

const byCode: ReadonlyMap<string, Check> = new Map(catalogue.map((check) => [check.code, check]));

export const checkOf = (code: string): Check | undefined => byCode.get(code);

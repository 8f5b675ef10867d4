import { dotted, keyPath } from '../../lib/settings.ts';
import type { ReportData } from '../../report/report-data.ts';
import type { About } from '../../decisions/decision.ts';
import type { Card } from '../shapes.ts';
import { isRole, countRowsInRole, type Schema } from './schema.ts';

export interface Counted {
  /** Also those that cannot be read. */
  readonly messages: number;
  readonly people: number;
  readonly conversations: number;
}

/** All that is known of how much an export holds. */
export interface KnownCounts {
  readonly schema: Schema;
  /** Null until it was counted. */
  readonly counted: Counted | null;
  /** Null without a plan. */
  readonly plan: Pick<ReportData, 'totals' | 'contents'> | null;
}

export interface Affected extends Pick<Card, 'isAll' | 'found'> {
  readonly about: About;
}

/** Nouns for the rows of tables; those of others are rows. */
const nouns: Readonly<Record<string, keyof Counted>> = {
  messages: 'messages',
  users: 'people',
  conversations: 'conversations',
};

/** Contents of messages that a key decides, as reports call them. */
const contents: Readonly<Record<string, string>> = {
  'messages.reply': 'thread replies',
  'messages.quote': 'quotes',
  'messages.kind': 'system messages',
  'messages.edited': 'edited messages',
  'messages.deleted': 'deleted messages',
};

/**
 * Returns how much a question is about: all rows of the table that its key belongs to, and of the messages if it belongs to none. A number
 * that was counted goes before an estimate.
 *
 * @param key Dotted key inside the `source:` section.
 */
export function affectedBy(key: string, { schema, counted, plan }: KnownCounts): Affected {
  const role = roleOf(key);
  const noun = nouns[role];
  const table = countRowsInRole(role, schema);
  const all = { isAll: true, found: foundIn(plan, key) };
  // The counts are of the mapping as it was: with a question open, another table may be read now.
  if (noun !== undefined && counted !== null && schema.proposed.open.length === 0)
    return { ...all, about: { count: counted[noun], of: noun, isExact: true } };
  if (table?.isExact) return { ...all, about: { count: table.rows, of: 'rows', isExact: true } };
  // So may those of the plan.
  if (role === 'messages' && plan !== null)
    return { ...all, about: { count: plan.totals.read, of: role, isExact: false } };
  if (table !== undefined) return { ...all, about: { count: table.rows, of: 'rows', isExact: false } };
  return { ...all, about: { count: null, of: noun ?? 'rows', isExact: false } };
}

function roleOf(key: string): string {
  const [section = '', name = ''] = keyPath(key);
  const role = section === 'tables' ? name : section;
  return isRole(role) ? role : 'messages';
}

function foundIn(plan: KnownCounts['plan'], key: string): Affected['found'] {
  const name = contents[dotted(keyPath(key).slice(0, 2))];
  if (plan === null || name === undefined) return null;
  return { name, count: plan.contents.find((content) => content.name === name)?.read ?? 0 };
}

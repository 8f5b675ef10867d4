import type { Finding, Proposal } from '../source.ts';
import { aliases, columnsNamed } from '../tables/aliases.ts';
import type { TableSample } from '../tables/row.ts';
import { isObject } from './wrapping.ts';

const key = 'messages.conversation';

/**
 * Where no field of a message names its conversation, what stands around the list often does: `$outer.id` of
 * `{"rooms": [{"id": …, "messages": […]}]}`, `$parentKey` of `{"lobby": {…}, "quay": {…}}`.
 */
export function withOuterConversation(proposal: Proposal, samples: readonly TableSample[]): Proposal {
  const { options, findings } = proposal;
  const isOpen = findings.some((finding) => finding.key === key && finding.value === undefined);
  const value = isOpen ? outerName(samples.find(isMessages(options))) : undefined;
  if (value === undefined) return proposal;
  const because = `no field of a message names it; "${value}" stands around the list`;
  const found: Finding = { key, value, because, alternatives: [], isRequired: true };
  const messages = isObject(options.messages) ? options.messages : {};
  return {
    options: { ...options, messages: { ...messages, conversation: value } },
    findings: findings.map((finding) => (finding.key === key ? found : finding)),
  };
}

const isMessages =
  ({ tables }: Proposal['options']) =>
  ({ table }: TableSample) =>
    isObject(tables) && isObject(tables.messages) && table.list === tables.messages.list;

function outerName(sample: TableSample | undefined): string | undefined {
  const row = sample?.rows[0];
  const names = row?.names() ?? [];
  const outer = names.filter((name) => name.startsWith('$outer.')).map((name) => name.slice('$outer.'.length));
  const [id] = columnsNamed(outer, aliases.conversation.id);
  if (id !== undefined) return `$outer.${id}`;
  // An index says where a list stood, not which conversation it is.
  const isKey = names.includes('$parentKey') && !/^\d{1,6}$/.test(String(row?.get('$parentKey')));
  return isKey ? '$parentKey' : undefined;
}

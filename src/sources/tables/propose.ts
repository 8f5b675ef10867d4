import type { Proposal } from '../source.ts';
import { Draft } from './draft.ts';
import { proposeMessages } from './propose-messages.ts';
import { proposeConversations, proposeUsers } from './propose-people.ts';
import { proposeTables } from './propose-tables.ts';
import type { TableSample } from './row.ts';

/**
 * How these tables would be bound, with the evidence for it: names that usually mean this, values that look like that.
 * What the user has decided is kept and taken into account. `options` holds what is decided or has one reading; where
 * there are more, the finding has alternatives and the option is missing.
 *
 * @param options The `source:` section so far, unparsed.
 */
export function proposeBindings(samples: readonly TableSample[], options: Readonly<Record<string, unknown>>): Proposal {
  const draft = new Draft(options);
  const nulls = Array.isArray(options.nulls) ? options.nulls.map(String) : ['\\N', 'NULL'];
  const { messages, users, conversations } = proposeTables(samples, draft);
  proposeMessages(messages.flatMap(({ rows }) => rows).slice(0, rowsMax), draft, nulls);
  if (users[0]) proposeUsers({ rows: users[0].rows, nulls }, draft);
  if (conversations[0]) proposeConversations({ rows: conversations[0].rows, nulls }, draft);
  return { options: draft.options, findings: draft.findings };
}

/** Rows that are looked at, of all files of messages together. */
const rowsMax = 1000;

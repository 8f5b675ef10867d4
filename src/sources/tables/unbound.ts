import { formatCount } from '../../lib/text/count.ts';
import { SourceError } from '../../lib/errors.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import type { Finding, Proposal } from '../table-source.ts';
import { childRoles, sharedRoles, type Tables } from './roles.ts';
import type { Bindings } from './schema/bindings.ts';
import { docsLink } from '../../lib/docs-link.ts';

/**
 * @throws SourceError if a table has no section, a section has no table, or messages have no id by which other tables
 *   refer to them.
 */
export function assertBound(tables: Tables<object> | undefined, bindings: Bindings): void {
  for (const role of sharedRoles) {
    if (!tables?.[role] || bindings[role]) continue;
    throw new SourceError(`Cannot read the table of ${role}: the mapping gives its location, but not its columns`, {
      hint: `Run "chatferry init" with the export again: it adds the columns. Or write source.${role} in the mapping`,
    });
  }
  for (const role of ['members', ...childRoles] as const) {
    if (!bindings[role] || tables?.[role]) continue;
    throw new SourceError(`Cannot read the table of ${role}: the mapping gives its columns, but not its location`, {
      hint: `Write source.tables.${role}: { file: PATH } in the mapping, or leave out source.${role}`,
    });
  }
  const child = childRoles.find((role) => tables?.[role]);
  if (child === undefined || !bindings.messages || bindings.messages.id !== undefined) return;
  throw new SourceError(`Cannot join the table of ${child} to messages: the mapping does not say what their ids are`, {
    hint: 'Write source.messages.id in the mapping',
  });
}

/**
 * @throws SourceError if a file has the name under which the rows of a query are read.
 */
export function assertFree(paths: readonly string[], queryPaths: readonly string[]): void {
  const taken = queryPaths.find((path) => paths.includes(path));
  if (taken === undefined) return;
  throw new SourceError(
    `Cannot run the ${taken}: the export has a file of that name, under which its rows are listed`,
    {
      hint: 'Rename the file',
    },
  );
}

/** Findings that an error shows; `chatferry init` shows them all. */
const shownMax = 12;

/** Returns the error for an export whose mapping does not bind the columns: how the columns look, and how to fix it. */
export function unboundMessages(source: string, { findings }: Proposal): SourceError {
  const shown = findings.slice(0, shownMax).map(describeLine);
  const more = findings.length - shown.length;
  const lines = [...shown, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].map((line) => `\n  ${line}`);
  return new SourceError(
    `Cannot read this export without a mapping that gives the meaning of each column; it looks like this:${lines.join('')}`,
    {
      hint: `Run "chatferry init" with the export, or write "source:" in a mapping: ${docsLink(`reference/sources/${source}`)}`,
    },
  );
}

function describeLine({ key, value, because, alternatives }: Finding): string {
  const chosen = value === undefined ? 'not found' : typeof value === 'string' ? value : JSON.stringify(value);
  const others = alternatives.map((other) => JSON.stringify(other.value)).join(', ');
  return truncate(oneLine(`${key}: ${chosen} (${because}${others === '' ? '' : `; could also be ${others}`})`), 160);
}

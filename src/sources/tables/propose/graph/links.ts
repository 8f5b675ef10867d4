import { globMatcher } from '../../../../lib/text/glob.ts';
import type { Draft } from '../columns.ts';
import { type ColumnFacts, isNameOf, letters } from './facts.ts';
import type { Graph } from './graph.ts';
import { typedReferences } from './parties.ts';
import type { TableGroup } from './groups.ts';

/** How a row of another table names a message. */
export interface Link {
  readonly table: TableGroup;
  readonly message: ColumnFacts;
  /** For a type and an id: the words that stand for messages. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

/** Tables with a column that names messages. */
export function linksTo(
  messages: TableGroup,
  graph: Graph,
  groups: readonly TableGroup[],
  draft: Draft,
): readonly Link[] {
  return groups.flatMap((table): Link[] => {
    if (table === messages || isUsed(table, draft)) return [];
    const edge = graph
      .best(table)
      .find(
        ({ to, column, isNamed, isProven }) =>
          to === messages && (isNamed || isProven) && !/last|first|latest/i.test(column.name),
      );
    if (edge) return [{ table, message: edge.column }];
    const numbered = numberedLink(table, messages, graph);
    if (numbered) return [numbered];
    const typed = typedReferences(table).map(({ type, id }) => {
      const words = [...new Set(type.profile.texts)].filter((word) => isNameOf(word, messages));
      return words.length > 0 ? { table, message: id, only: { [type.name]: words } } : undefined;
    });
    return typed.filter((link) => link !== undefined).slice(0, 1);
  });
}

/** `content_type_id` and `object_id` of Django, where another table says which number stands for which model. */
function numberedLink(table: TableGroup, messages: TableGroup, graph: Graph): Link | undefined {
  const message = table.columns.find(({ name }) => letters(name) === 'objectid');
  for (const { to, column } of message ? graph.best(table) : []) {
    const model = to.columns.find(({ name }) => /^model$/i.test(name));
    const rows = model ? to.sample.rows.filter((row) => isNameOf(String(row.get(model.name)), messages)) : [];
    if (rows.length > 0) {
      return { table, message: message!, only: { [column.name]: rows.map((row) => String(row.get(to.key!.name))) } };
    }
  }
  return undefined;
}

/** Whether some key of `tables` names the file, `ignored` a pattern of it, or a query its table. */
export function isUsed(table: TableGroup, draft: Draft): boolean {
  const ignored = draft.at('tables.ignored');
  const globs = Array.isArray(ignored) ? ignored.map((glob) => globMatcher(String(glob))) : [];
  return isRead(table, draft) || globs.some((fits) => table.paths.some(fits));
}

/** Whether the rows of a table are read. */
export function isRead({ paths, name }: TableGroup, draft: Draft): boolean {
  return Object.values(Object(draft.at('tables'))).some((table) => {
    const { file, query } = Object(table) as { file?: unknown; query?: unknown };
    return paths.includes(String(file)) || (typeof query === 'string' && query.includes(name));
  });
}

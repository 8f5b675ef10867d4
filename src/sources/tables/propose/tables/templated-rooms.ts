import { valueText } from '../../bind/value.ts';
import { bindCondition } from '../../bind/row-filter.ts';
import { BindingScope } from '../../bind/value.ts';
import type { Draft } from '../columns.ts';
import type { TableFacts } from '../graph/facts.ts';
import type { Graph } from '../graph/graph.ts';
import { isNameOf } from '../graph/facts.ts';
import { isTable } from '../../../../lib/settings.ts';
import type { FilterBinding } from '../../schema/messages.ts';

/** A template by which messages name their conversation, and the table whose rows it names: `group:{group_id}`. */
interface TemplatedRoom {
  readonly template: string;
  /** The only column in it. */
  readonly name: string;
  readonly to: TableFacts;
}

/** By what messages say of their conversation: names of columns lead to a table, and so do values that one alone has. */
export function templatedRooms(messages: TableFacts, draft: Draft, graph: Graph): readonly TemplatedRoom[] {
  const said = draft.at('messages.conversation');
  const parts: readonly unknown[] = isTable(said) && Array.isArray(said.first) ? said.first : [said];
  return parts.flatMap((part): TemplatedRoom[] => {
    const [take, when] = isTable(part) && isTable(part.when) ? [part.take, part.when] : [part, {}];
    const template = isTable(take) ? take.template : undefined;
    const [name, ...others] =
      typeof template === 'string' ? [...template.matchAll(/\{([^{}]+)\}/g)].map(([, one]) => one!) : [];
    if (typeof template !== 'string' || name === undefined || others.length > 0) return [];
    const edge = graph.from(messages).find(({ column, to }) => column.name === name && !graph.isPeople(to));
    const to = edge?.to ?? tableOf(idsWhen(messages, name, when as FilterBinding['only']), template, messages, graph);
    return to ? [{ template, name, to }] : [];
  });
}

function idsWhen({ sample }: TableFacts, name: string, when: FilterBinding['only']): readonly string[] {
  const holds = bindCondition(when, new BindingScope([]));
  return [...new Set(sample.rows.filter(holds).flatMap((row) => valueText(row.get(name)) ?? []))];
}

function tableOf(ids: readonly string[], template: string, messages: TableFacts, graph: Graph): TableFacts | undefined {
  const found = graph.tablesWith(ids).filter((table) => table !== messages && !graph.isPeople(table));
  const [word = ''] = template.split(':');
  return found.find((table) => isNameOf(word, table)) ?? (found.length === 1 ? found[0] : undefined);
}

import { aliases } from '../aliases.ts';
import { valueText } from '../../bind/value.ts';
import { namesIn } from '../bound-columns.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, profileColumn } from '../columns.ts';
import type { Relations } from '../graph/relations.ts';
import { isRole, splitRoles } from '../model-roles.ts';

/** Proposes that the person of the row or its conversation wrote as the one, and the model as the other. Keeps back rows that neither has written. */
export function proposeAssistants(columns: ColumnChoice, relations: Relations): void {
  const { draft } = columns;
  // Rows without a text are no words of either, whatever their role is called.
  const [text] = namesIn('messages', 'text', draft.at('messages.text'));
  const said = text === undefined ? columns.rows : columns.rows.filter((row) => valueText(row.get(text)) !== undefined);
  const role = columns.names.map((name) => profileColumn(said, name, columns.nulls)).find(isRole);
  if (!role || relations.typedSender()) return;
  const { model, person } = splitRoles(role)!;
  const all = columns.profile(role.name);
  const neither = distinct(all).filter((word) => ![...model, ...person].includes(word));
  const only = `messages.only.${role.name}`;
  if (draft.at('messages.only') === undefined) {
    const rows = all.texts.filter((text) => neither.includes(text)).length;
    const because = `"${role.name}" is ${distinct(all).join(', ')}: ${count(rows)} rows are words of neither`;
    draft.choose(only, { value: [...person, ...model], because });
  }
  const them = columns.names.find((name) => {
    const edge = relations.edgeOf(name);
    return edge && relations.isPeople(edge.to) && !columns.isUsed(name);
  });
  const own = them ?? columns.candidates(aliases.message.author).find(({ name }) => name !== role.name)?.name;
  if (own === undefined || draft.at('messages.author') !== undefined || namesModel(columns, role, own)) return;
  columns.use(role.name);
  // A person whom nothing else names may be the conversation as well.
  if (them !== undefined) columns.use(own);
  draft.choose('messages.author', {
    value: { direction: role.name, ours: [...model, ...neither], theirs: person, us: role.name, them: own },
    because: `"${role.name}" says which of the two wrote: ${person.join(', ')} is who "${own}" names, ${model.join(', ')} is the model`,
    isRequired: true,
  });
  const names = Object.fromEntries(model.map((word) => [word, capital(word)]));
  draft.choose('messages.authorName', {
    value: { from: role.name, values: names, otherwise: '' },
    because: 'no table has the model',
  });
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Whether the model has rows of its own among those whom the column names. */
function namesModel({ rows }: ColumnChoice, role: ColumnProfile, own: string): boolean {
  const { model } = splitRoles(role)!;
  const [ours, theirs] = [new Set<unknown>(), new Set<unknown>()];
  for (const row of rows) {
    const id = row.get(own) ?? '';
    if (id !== '') (model.includes(String(row.get(role.name))) ? ours : theirs).add(id);
  }
  return ours.size > 0 && [...ours].every((id) => !theirs.has(id));
}

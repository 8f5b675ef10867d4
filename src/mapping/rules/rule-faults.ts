import type { Rules } from './rules.ts';
import { templateFields } from './template.ts';

/** Something of a mapping that its schema cannot see. */
export interface Fault {
  /** Path of the key, or of the element of a list. */
  readonly at: readonly PropertyKey[];
  readonly what: string;
}

export function ruleFaults({ people, conversations, messages }: Rules): Fault[] {
  return [
    ...templateFault(['people', 'uid'], people.uid, ['id', 'handle', 'name', 'email']),
    ...templateFault(['conversations', 'guid'], conversations.guid, ['id', 'name', 'type']),
    ...messages.tags.flatMap((tag, index) => tagFault(['messages', 'tags', String(index)], tag)),
    ...mergeFaults(['people', 'merge'], people.merge),
    ...mergeFaults(['conversations', 'merge'], conversations.merge),
  ];
}

function tagFault(at: readonly string[], tag: string): Fault[] {
  const unknown = templateFields(tag).find((field) => !/^custom\../.test(field));
  return unknown === undefined
    ? []
    : [{ at, what: `the field {${unknown}} does not exist; fields here: {custom.NAME}` }];
}

function templateFault(at: readonly string[], template: string, known: readonly string[]): Fault[] {
  const fields = templateFields(template);
  const list = known.map((field) => `{${field}}`).join(', ');
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) return [{ at, what: `the field {${unknown}} does not exist; fields here: ${list}` }];
  if (fields.length > 0) return [];
  return [{ at, what: `"${template}" would be the same for all; use at least one of ${list}` }];
}

/** An id that is named twice would be two things at once. */
function mergeFaults(at: readonly string[], merges: readonly (readonly string[])[]): Fault[] {
  const met = new Set<string>();
  return merges.flatMap((list, index) =>
    list.flatMap((id) => {
      if (met.has(id)) return [{ at: [...at, String(index)], what: `"${id}" is named twice` }];
      met.add(id);
      return [];
    }),
  );
}

/** A node of a document of an editor, or a style of a text in one, as untrusted JSON. */
export interface EditorNode {
  readonly type?: unknown;
  readonly text?: string;
  readonly content?: unknown;
  readonly children?: unknown;
  readonly marks?: unknown;
  readonly attrs?: unknown;
  readonly data?: unknown;
  readonly format?: unknown;
}

export const asList = (value: unknown): readonly EditorNode[] => (Array.isArray(value) ? value : []);

/** `bullet_list`, `bulletList` and `bulleted-list` in letters and digits. */
export const letters = (type: unknown): string =>
  typeof type === 'string' ? type.toLowerCase().replace(/[^a-z\d]/g, '') : '';

/** The properties of a node: of ProseMirror in `attrs`, of others in `data` or next to its type. */
export const fieldsIn = (node: EditorNode): Readonly<Record<string, unknown>> => ({
  ...node,
  ...Object(node.data),
  ...Object(node.attrs),
});

/** The first of some fields that has a word or a number. */
export function word(node: EditorNode, keys: readonly string[]): string | undefined {
  const fields = fieldsIn(node);
  const found = keys
    .map((key) => fields[key])
    .find((one) => (typeof one === 'string' ? one !== '' : typeof one === 'number'));
  return found === undefined ? undefined : String(found);
}

import type { JsonSchema } from '../src/service/operations.ts';

/** JSON Schema as Markdown tables: one row per field, nested objects with dotted names, named schemas as links. */

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

/** The table of an object's fields; of alternatives one table each. */
export function schemaTables(given: JsonSchema): string {
  const schema = given as Schema;
  const variants = schema.oneOf ?? [];
  if (variants.length > 0 && variants.every(({ $ref }) => $ref)) return `One of: ${variants.map(typeOf).join(', ')}.`;
  if (variants.length > 0) return variants.map(variantTable).join('\n\n');
  if (schema.$ref) return `${typeOf(schema)}.`;
  const rows = rowsOf(schema, '');
  return rows.length === 0 ? `${typeOf(schema)}.` : table(rows);
}

function variantTable(variant: Schema): string {
  const kind = Object.values(variant.properties ?? {}).find((field) => field.const !== undefined)?.const;
  const title = variant.$ref ? typeOf(variant) : `**${String(kind ?? variant.title)}**`;
  return `${title}${variant.description ? `: ${variant.description}` : ''}\n\n${table(rowsOf(variant, ''))}`;
}

const table = (rows: readonly string[]) => ['| field | type | what it is |', '|---|---|---|', ...rows].join('\n');

function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const words = [field.description, required.includes(name) ? 'Required' : undefined].filter(Boolean).join('. ');
    return [`| \`${path}\` | ${cell(typeOf(field))} | ${cell(words)} |`, ...nestedRows(field, path)];
  });
}

function nestedRows(field: Schema, path: string): string[] {
  const { items, additionalProperties: values } = field;
  if (field.properties) return rowsOf(field, `${path}.`);
  if (items) return nestedRows(items, `${path}[]`);
  if (typeof values === 'object' && (values.properties || values.items)) return nestedRows(values, `${path}.*`);
  return (field.oneOf ?? []).flatMap((variant) => rowsOf(variant, `${path}.`));
}

/** `string`, `Message[]`, `"user" or "group"`. */
export function typeOf(given: JsonSchema): string {
  const {
    $ref,
    const: only,
    enum: values,
    anyOf,
    oneOf,
    items,
    type,
    additionalProperties,
    properties,
  } = given as Schema;
  if ($ref) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (type === 'array') return `${items ? typeOf(items) : 'any'}[]`;
  const hasTypedValues = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
  if (type === 'object' && !properties && hasTypedValues)
    return `object of ${typeOf(additionalProperties as JsonSchema)}`;
  return typeof type === 'object' ? type.join(' or ') : (type ?? 'any');
}

/** Escapes text for one cell of a table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (2020-12) of what goes over the wire. Schemas with a name are referred to as `#/components/schemas/Name`
 * and put into `components`.
 *
 * @param io `input`: bodies, which are described as they are written. `output`: parameters, whose text stands for a value.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Map<string, JsonSchema>,
): JsonSchema {
  // Around it, because the outermost schema would not be referred to by its name.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), { io, override: removeOurs }) as unknown as {
    readonly properties: { readonly schema: JsonSchema };
    readonly $defs?: Readonly<Record<string, JsonSchema>>;
  };
  for (const [name, definition] of Object.entries($defs)) components.set(name, referringToComponents(definition));
  return referringToComponents(properties.schema);
}

/** What we note about schemas and JSON Schema does not know. */
function removeOurs({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  delete jsonSchema.id;
  delete jsonSchema.isSecret;
}

function referringToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

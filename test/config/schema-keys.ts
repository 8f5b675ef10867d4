import type { z } from 'zod';
import { configFileSchema } from '../../src/sync/config/job-schema.ts';

/** The parts of a schema that lead to others. */
interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
}

/** Every key that `chatferry.yaml` may hold: dotted, `[]` for the elements of a list of tables: `jobs[].export.command`. */
export const schemaKeys = (): readonly string[] => [...new Set(keysIn(configFileSchema, ''))];

function* keysIn(schema: z.ZodType, key: string): Generator<string> {
  const { shape, element, options, innerType, in: input } = schema.def as unknown as Def;
  if (shape)
    for (const [name, inner] of Object.entries(shape)) yield* keysIn(inner, key === '' ? name : `${key}.${name}`);
  else if (element && hasTables(element)) yield* keysIn(element, `${key}[]`);
  else if (options) for (const one of options) yield* keysIn(one, key);
  else if (innerType) yield* keysIn(innerType, key);
  else if (input) yield* keysIn(input, key);
  else yield key;
}

const hasTables = (schema: z.ZodType): boolean => [...keysIn(schema, '')].some((key) => key !== '');

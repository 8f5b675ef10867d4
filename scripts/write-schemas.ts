import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { progressLineSchema } from '../src/model/progress-line.ts';
import { configFileSchema } from '../src/sync/config/job-schema.ts';
import { recipeSchema } from '../src/fetch/recipe/recipe.ts';
import { metadataSchema } from '../src/mapping/message/metadata.ts';
import { mappingFileSchema } from '../src/mapping/rules/mapping-file.ts';
import { reportJsonSchema } from '../src/report/report-files.ts';
import { lineSchema } from '../src/sources/chatferry/format.ts';

/** The published schemas, by path: what a mapping may say, and what reports and messages promise. */
export function renderSchemas(): Readonly<Record<string, string>> {
  return {
    'mappings/mapping.schema.json': print({ title: 'Chatferry mapping', ...mappingSchema() }),
    'mappings/fetch.schema.json': print({
      title: 'Recipe of chatferry fetch',
      ...z.toJSONSchema(recipeSchema, { io: 'input' }),
    }),
    'docs/reference/schemas/metadata.schema.json': print({
      title: 'data.metadata.chatferry',
      ...z.toJSONSchema(metadataSchema),
    }),
    'docs/reference/schemas/report.schema.json': print(reportJsonSchema()),
    'docs/reference/schemas/config.schema.json': print({ title: 'chatferry.yaml', ...configSchema() }),
    'docs/reference/schemas/progress-line.schema.json': print({
      title: 'A line of --progress json',
      ...z.toJSONSchema(progressLineSchema),
    }),
    'docs/reference/schemas/chatferry-line.schema.json': print({
      title: 'A line of Chatferry records',
      ...z.toJSONSchema(lineSchema),
    }),
  };
}

/** `input`: of a mapping as it is written, where every key may be missing. */
const mappingSchema = () => z.toJSONSchema(mappingFileSchema, { io: 'input' });

/** Every scalar of the configuration is read as text: `rate: 60` and `rate: "60"` are the same. */
const configSchema = () =>
  z.toJSONSchema(configFileSchema, {
    io: 'input',
    override({ jsonSchema }) {
      const { type, enum: names, pattern } = jsonSchema;
      // For help texts alone.
      delete jsonSchema.traits;
      if (type === 'string' && !names && !pattern) jsonSchema.type = ['string', 'number', 'boolean'] as never;
    },
  });

/** `$schema` comes first, as readers expect it. */
function print({ $schema, ...schema }: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ $schema, ...schema }, null, 2)}\n`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(renderSchemas())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}

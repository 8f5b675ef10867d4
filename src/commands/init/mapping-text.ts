import { rulesSchema } from '../../mapping/rules/rules.ts';
import { type Settings, valueAt } from './settings.ts';
import { indented } from './source-section.ts';
import { commentText, yamlEntry } from './yaml.ts';

/** Everything that a new mapping file says. */
interface MappingText {
  /** Name of the source. */
  readonly source: string;
  /** Path from the file to the JSON Schema of mappings, for editors. */
  readonly schemaPath: string;
  /** The mapping as far as somebody decided it; everything else has its default. */
  readonly settings: Settings;
  /** The lines below `source:`. */
  readonly sourceLines: readonly string[];
}

/** A new mapping file: every key with its value and what it decides. */
export function renderMapping({ source, schemaPath, settings, sourceLines }: MappingText): string {
  const { version, source: sourceSchema, people, conversations, messages } = rulesSchema.shape;
  const lines = [
    `# yaml-language-server: $schema=${commentText(schemaPath)}`,
    '',
    `# How this ${source} export becomes messages of the service. Every key is here; docs/mapping.md says more about each.`,
    '# Change what you like: "chatferry plan" applies it, and "chatferry init" keeps it and adds what is new.',
    '',
    `# ${version.description}`,
    'version: 1',
    '',
    `# ${sourceSchema.description}`,
    ...(sourceLines.length === 0 ? ['source: {}'] : ['source:', ...indented(sourceLines)]),
    ...section('people', people, settings),
    ...section('conversations', conversations, settings),
    ...section('messages', messages, settings),
  ];
  return `${lines.join('\n')}\n`;
}

/** A table of described keys with defaults, itself with a default. */
interface SectionSchema {
  unwrap(): {
    readonly description?: string | undefined;
    readonly shape: Readonly<Record<string, { readonly description?: string | undefined }>>;
  };
}

function section(name: string, schema: SectionSchema, settings: Settings): string[] {
  const { description, shape } = schema.unwrap();
  const defaults: unknown = rulesSchema.parse({});
  const keys = Object.entries(shape).flatMap(([key, option]) => [
    `# ${option.description}`,
    ...yamlEntry(key, valueAt(settings, [name, key]) ?? valueAt(defaults, [name, key])),
  ]);
  return ['', `# ${description}`, `${name}:`, ...indented(keys)];
}

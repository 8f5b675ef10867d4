import { keysAt } from '../../src/lib/text/schema-words.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { blockingChecks } from '../../src/mapping/checks/blocking.ts';
import { dropOrder, metadataSchema } from '../../src/mapping/message/metadata.ts';
import { mappingFileSchema } from '../../src/mapping/rules/mapping-file.ts';
import { defaultRules } from '../../src/mapping/rules.ts';
import { serviceId } from '../../src/mapping/service-id.ts';
import { testMapping } from '../../src/commands/prepare.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { readTracked } from './tracked-files.ts';

const home = temporaryFolder();
const page = readTracked('docs/reference/mapping.md') + readTracked('docs/reference/results.md');

interface Property {
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Property>>;
}

const { properties: sections } = z.toJSONSchema(mappingFileSchema, { io: 'input' }) as Required<Property>;

/** Every key of the mapping, such as `people.uid`, with its policy's values; those of `media` have a page of their own. */
const keys: [key: string, values: readonly string[]][] = Object.entries(sections).flatMap(([section, { properties }]) =>
  Object.entries((section === 'media' ? undefined : properties) ?? { '': {} }).map(
    ([key, property]): [string, readonly string[]] => [key === '' ? section : `${section}.${key}`, property.enum ?? []],
  ),
);

describe('docs/reference/mapping.md', () => {
  it.each(keys)('explains %s, with its default first', (key, values) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${key}\` |`));
    expect(row).toBeDefined();
    const [section, name] = key.split('.') as [keyof ReturnType<typeof defaultRules>, string];
    const chosen = (defaultRules()[section] as Record<string, unknown> | undefined)?.[name];
    const policies = [...values].sort((a, b) => Number(b === chosen) - Number(a === chosen));
    if (policies.length > 0) expect(row).toContain(`| ${policies.map((value) => `\`${value}\``).join(', ')} |`);
  });

  it.each(keys)('shows an example of %s that is no default', (key) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${key}\` |`));
    const [section, name] = key.split('.') as [string, string | undefined];
    const example = parse(/\| `([^|]+)` \|$/.exec(row!)![1]!) as Record<string, unknown>;
    expect(Object.keys(example)).toEqual([name ?? section]);
    const rules = mappingFileSchema.parse(name === undefined ? example : { [section]: example });
    if (key !== 'version') expect(rules).not.toEqual(mappingFileSchema.parse({}));
  });

  it('shows examples that work as described', async () => {
    const yaml = /```yaml\nexamples:\n[^`]*```/.exec(page)![0].replaceAll(/^```(?:yaml)?$/gm, '');
    const path = join(home.make(), 'mapping.yaml');
    writeFileSync(path, yaml);
    const results = await testMapping(path, { limits: {} });
    expect(results.map(({ name, differences }) => [name, differences])).toEqual([
      ['joins are left out', []],
      ['a reply keeps its thread', []],
    ]);
  });

  it.each(keysAt(metadataSchema, []))('explains "%s" of data.metadata.chatferry', (field) => {
    expect(page).toMatch(new RegExp(`^\\| .*\`${field}\`.* \\|`, 'm'));
  });

  it('names the parts that give way, in their order', () => {
    expect(page.match(/`reactedBy`[^.]*/)?.[0].match(/`(\w+)`/g)).toEqual(dropOrder.map((part) => `\`${part}\``));
  });

  it.each(blockingChecks.map(({ code }) => code))('names the check %s', (code) => {
    expect(page).toContain(`\`${code}\``);
  });

  it('shows ids as they are made', () => {
    const section = page.slice(page.indexOf('| from | becomes |'), page.indexOf('**Collisions.**'));
    const examples = [...section.matchAll(/^\| `(.*)` \| `(.*)` \|$/gm)].map(([, from, becomes]) => [from, becomes]);
    expect(examples).toHaveLength(5);
    expect(examples).toEqual(examples.map(([from]) => [from, serviceId(from!)]));
  });
});

import { writeFileSync } from 'node:fs';
import { sources } from '../src/sources/registry.ts';
import { samplesOf } from '../test/contracts/samples.ts';
import { factsOf } from '../test/contracts/source/facts.ts';
import { cellOf, type Claim, type FeatureName, features } from '../test/contracts/source/fidelity.ts';
import { hasColumn } from '../test/contracts/source/has-column.ts';

/** The page of what each source keeps, from what the samples claim and the contract of sources proves. */

export const fidelityPath = 'docs/understand/fidelity.md';

const head = `# What each source keeps

Read this if you want to know what of your platform survives: each column is a source, each row a feature of its chats.

Made by \`npm run fidelity\` from what the samples of each source claim (\`facts.json\`, key \`fidelity\`); the contract of sources proves every
claim on the sample, so that this page cannot say what the program does not do.

- **kept**: where the service has it afterwards, under the default mapping or with what the cell says.
- *metadata*: the field of \`data.metadata.chatferry.custom\` that has it (\`messages.custom\` of the mapping).
- *action*: done after the messages where it is asked for ([actions](../guides/actions.md)).
- *loss*: a row of the report ([losses](losses.md)), or the code of a check ([checks](../reference/checks/index.md)).
- –: the export has nothing of it.

What a table (\`csv\`, \`json\`) keeps is what its mapping binds; \`chatferry\` keeps all that our model has.
`;

export function renderFidelity(): string {
  const columns = sources.filter(hasColumn);
  const claims = new Map(columns.map((adapter) => [adapter.name, claimsOf(adapter.name)]));
  const rows = features.map(({ name }) => {
    const cells = columns.map((adapter) => cellsOf(name, claims.get(adapter.name)!.get(name) ?? []));
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  const titles = columns.map(({ name }) => `[${name}](../reference/sources/${name}.md)`);
  const table = [`| | ${titles.join(' | ')} |`, `|---|${columns.map(() => '---|').join('')}`, ...rows];
  return `${head}\n${table.join('\n')}\n`;
}

/** Returns the claims of all samples of a source, by feature. */
function claimsOf(source: string): ReadonlyMap<FeatureName, readonly Claim[]> {
  const all = samplesOf(source).flatMap((sample) => Object.entries(factsOf(sample).fidelity));
  const grouped = Map.groupBy(all, ([name]) => name as FeatureName);
  return new Map([...grouped].map(([name, found]) => [name, found.flatMap(([, claims]) => claims)]));
}

const cellsOf = (feature: FeatureName, claims: readonly Claim[]): string =>
  [...new Set(claims.map((claim) => cellOf(feature, claim)))].join('; ') || '?';

if (import.meta.main) writeFileSync(fidelityPath, renderFidelity());

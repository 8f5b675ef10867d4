import { writeFileSync } from 'node:fs';
import { sources } from '../src/sources/registry.ts';
import { samplesOf } from '../test/contracts/samples.ts';
import { factsOf } from '../test/contracts/source/facts.ts';
import { cellOf, type Claim, type FeatureName, features } from '../test/contracts/source/fidelity.ts';
import { hasColumn } from '../test/contracts/source/has-column.ts';

/** The page of what each source keeps, from what the samples claim and the contract of sources proves. */

/** Sources by the kind of platform, a page each: one table of all would be too wide to read. */
const groups = [
  {
    page: 'workplaces',
    title: 'Workplaces and communities',
    reader: 'your chat is in Slack, Discord, Microsoft Teams or a server of your own',
    sources: ['slack', 'discord', 'teams', 'googlechat', 'irc', 'mattermost', 'rocketchat', 'matrix', 'zulip', 'xmpp'],
  },
  {
    page: 'messengers',
    title: 'Messengers and phones',
    reader: 'your chat is in a messenger or on a phone',
    sources: [
      'telegram',
      'whatsapp',
      'signal',
      'imessage',
      'viber',
      'smsbackup',
      'googlevoice',
      'kakaotalk',
      'line',
      'messenger',
      'instagram',
    ],
  },
  {
    page: 'providers',
    title: 'Chat providers and help desks',
    reader: 'your app uses another chat provider, or your support a help desk',
    sources: [
      'stream',
      'sendbird',
      'twilio',
      'pubnub',
      'talkjs',
      'quickblox',
      'intercom',
      'zendesk',
      'chatwoot',
      'crisp',
      'freshchat',
      'livechat',
      'hubspot',
      'helpscout',
      'front',
      'gorgias',
      'chat-service',
    ],
  },
] as const;

const folder = 'docs/understand/fidelity';

const isSource = (wanted: string): boolean => sources.some(({ name }) => name === wanted);

const head = `# What each source keeps

Read this if you want to know what of your platform survives.

${groups.map(({ page, title, sources: names }) => `- [${title}](${page}.md): ${names.filter(isSource).join(', ')}`).join('\n')}

Each page is a table: a column for each source, a row for each feature of its chats.

Made by \`npm run fidelity\` from what the samples of each source claim (\`facts.json\`, key \`fidelity\`); the contract of sources proves every
claim on the sample, so that this page cannot say what the program does not do.

- **kept**: where the service has it afterwards, under the default mapping or with what the cell says.
- *metadata*: the field of \`data.metadata.chatferry.custom\` that has it (\`messages.custom\` of the mapping).
- *action*: done after the messages where it is asked for ([actions](../../guides/actions.md)).
- *loss*: a row of the report ([losses](../losses.md)), or the code of a check ([checks](../../reference/checks/index.md)).
- –: the export has nothing of it.

What a table (\`csv\`, \`json\`) keeps is what its mapping binds; \`chatferry\` keeps all that our model has.
`;

/** Returns the pages by their paths: the overview, and a table for each kind of platform. @throws Error if a source is in no table. */
export function renderFidelity(): ReadonlyMap<string, string> {
  const columns = sources.filter(hasColumn);
  const grouped = new Set<string>(groups.flatMap((group) => group.sources));
  const missing = columns.filter(({ name }) => !grouped.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`No group of scripts/write-fidelity.ts has ${missing.join(', ')}`);
  return new Map([
    [`${folder}/index.md`, head],
    ...groups.map((group): [string, string] => [`${folder}/${group.page}.md`, renderGroup(group)]),
  ]);
}

function renderGroup({ title, reader, sources: names }: (typeof groups)[number]): string {
  const columns = sources.filter((source) => hasColumn(source) && (names as readonly string[]).includes(source.name));
  const claims = new Map(columns.map((adapter) => [adapter.name, claimsOf(adapter.name)]));
  const rows = features.map(({ name }) => {
    const cells = columns.map((adapter) => cellsOf(name, claims.get(adapter.name)!.get(name) ?? []));
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  const titles = columns.map(({ name }) => `[${name}](../../reference/sources/${name}.md)`);
  const table = [`| | ${titles.join(' | ')} |`, `|---|${columns.map(() => '---|').join('')}`, ...rows];
  const intro = `Read this if ${reader}, and you want to know what of it survives. [The overview](index.md) explains the words.`;
  return `# ${title}: what each source keeps\n\n${intro}\n\n${table.join('\n')}\n`;
}

/** Returns the claims of all samples of a source, by feature. */
function claimsOf(source: string): ReadonlyMap<FeatureName, readonly Claim[]> {
  const all = samplesOf(source).flatMap((sample) => Object.entries(factsOf(sample).fidelity));
  const grouped = Map.groupBy(all, ([name]) => name as FeatureName);
  return new Map([...grouped].map(([name, found]) => [name, found.flatMap(([, claims]) => claims)]));
}

const cellsOf = (feature: FeatureName, claims: readonly Claim[]): string =>
  [...new Set(claims.map((claim) => cellOf(feature, claim)))].join('; ') || '?';

if (import.meta.main) for (const [path, page] of renderFidelity()) writeFileSync(path, page);

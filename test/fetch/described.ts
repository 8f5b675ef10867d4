import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Described {
  readonly provider: string;
  /** Path in `../shared/openapi`. */
  readonly description: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Steps for which the description's own example of an answer has no rows. */
  readonly empty?: readonly string[];
  /** Steps whose example is the same for every page, or names itself as the next one: a gap that is named. */
  readonly endless?: readonly string[];
  /** Steps that the description is too old or too short for. */
  readonly undescribed?: readonly string[];
  /** Paths that it lacks, and those of the same kind of answer that it has. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Whether only requests are checked: answers of the mock are those of another version. */
  readonly hasOtherAnswers?: true;
  /** The prefix that the paths of the description leave out. */
  readonly base?: string;
  /** Whether its examples break its own rules, and name another page on every page: only requests are checked, and lists end with a gap. */
  readonly hasLooseExamples?: true;
  /** Whether nothing can be made of the description that fits it: the mock answers, and is checked too. */
  readonly isMocked?: true;
  /** Changes in a description that contradicts itself or the provider's pages. */
  readonly mend?: (description: Description) => Description;
}

type Description = { readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: Parameter[] } }>> };

interface Parameter {
  readonly name: string;
  required: boolean;
  readonly schema: { enum?: string[] };
}

/** Without its examples of empty lists, which come first. */
const withFullLists = (description: Description): Description =>
  JSON.parse(
    JSON.stringify(description, (key, value: unknown) => (key === 'readEmpty' ? undefined : value)),
  ) as Description;

/**
 * Made by a program: examples of `metadata` are texts and not objects, and two parameters that exclude each other are both required. Its words
 * name a third value of a filter. And Prism takes no `int64` above 2^53, which ids are.
 */
function mendSendbird(description: Description): Description {
  const mended = JSON.parse(
    JSON.stringify(description, (key, value: unknown) =>
      key === 'example' || (key === 'format' && value === 'int64') ? undefined : value,
    ),
  );
  const parameterOf = (path: string, name: string) =>
    (mended as Description).paths[path]!.get.parameters.find((one) => one.name === name)!;
  parameterOf('/v3/{channel_type}/{channel_url}/messages', 'message_id').required = false;
  parameterOf('/v3/group_channels/{channel_url}/members', 'member_active_mode_filter').schema.enum!.push('all');
  return mended as Description;
}

const textOrNumber = /"oneOf"(?=:\s*\[\s*\{\s*"type":\s*"string"\s*\},\s*\{\s*"type":\s*"integer")/g;

/** A number of a query may be an integer and a text: it is both, and `oneOf` wants one of them. */
const withTextOrNumber = (description: Description): Description =>
  JSON.parse(JSON.stringify(description).replaceAll(textOrNumber, '"anyOf"')) as Description;

/** Without the address of a next page, which an answer that is made up of the description has, and which is none. */
const withoutMadeUpLinks = (description: Description): Description =>
  JSON.parse(
    JSON.stringify(description, (key, value: unknown) => (key === '@odata.nextLink' ? undefined : value)),
  ) as Description;

/** @returns Path of the description, or of its mended copy in `folder`. */
export function descriptionOf({ description, mend }: Described, shared: string, folder: string): string {
  const path = join(shared, description);
  if (!mend) return path;
  const copy = join(folder, 'description.json');
  writeFileSync(copy, JSON.stringify(mend(JSON.parse(readFileSync(path, 'utf8')) as Description)));
  return copy;
}

/** Descriptions of the providers' own in `../shared/openapi`, and the settings with which a recipe asks them. */
export const described: readonly Described[] = [
  {
    provider: 'zulip',
    description: 'zulip/zulip-2020.json',
    settings: { server: 'https://chat.example.com', email: 'ines@example.com' },
    base: '/api/v1',
    undescribed: ['subscribers'],
    hasOtherAnswers: true,
    mend: withTextOrNumber,
  },
  {
    provider: 'teams',
    description: 'msgraph/teams-chat-v1.0.json',
    settings: {},
    base: '/v1.0',
    instead: { '/me/joinedTeams': '/teams' },
    hasOtherAnswers: true,
    mend: withoutMadeUpLinks,
  },
  { provider: 'discord', description: 'discord/discord-v10.json', settings: {}, base: '/api/v10', isMocked: true },
  { provider: 'slack', description: 'slack/web-api-2021.json', settings: {}, base: '/api', hasLooseExamples: true },
  { provider: 'twilio', description: 'twilio/conversations-v1.json', settings: { account: `AC${'a'.repeat(32)}` } },
  { provider: 'intercom', description: 'intercom/intercom-2.15.json', settings: {}, empty: ['contacts'] },
  {
    provider: 'chatwoot',
    description: 'chatwoot/chatwoot-v1.json',
    settings: { address: 'https://desk.example.com', account: '1' },
    endless: ['contacts', 'conversations'],
  },
  {
    provider: 'sendbird',
    description: 'sendbird/platform-v3.json',
    settings: { app: 'ABCD1234-0000-4000-8000-ABCD12345678' },
    endless: ['people', 'groups', 'members', 'open'],
    mend: mendSendbird,
  },
  {
    provider: 'twilio-chat',
    description: 'twilio/chat-v2.json',
    settings: { account: `AC${'a'.repeat(32)}` },
    mend: withFullLists,
  },
];

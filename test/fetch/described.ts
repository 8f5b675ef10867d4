/** A description of the provider's own in `../shared/openapi`, and the settings with which a recipe asks. */
export interface Described {
  readonly provider: string;
  readonly description: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Steps that the description is too old or too short for. */
  readonly undescribed?: readonly string[];
  /** Paths that it lacks, and those of the same kind of answer that it has. */
  readonly instead?: Readonly<Record<string, string>>;
}

export const described: readonly Described[] = [
  { provider: 'twilio', description: 'twilio/conversations-v1.json', settings: { account: `AC${'a'.repeat(32)}` } },
  {
    provider: 'zulip',
    description: 'zulip/zulip-2020.json',
    settings: { server: 'https://chat.example.com', email: 'ines@example.com' },
    undescribed: ['subscribers'],
  },
  {
    provider: 'teams',
    description: 'msgraph/teams-chat-v1.0.json',
    settings: {},
    instead: { '/me/joinedTeams': '/teams' },
  },
];

interface Described {
  readonly provider: string;
  /** The provider's own, in `../shared/openapi`. */
  readonly description: string;
  /** With which the recipe asks. */
  readonly settings: Readonly<Record<string, string>>;
  /** What the paths of the description leave out. */
  readonly base?: string;
  /** Whether its examples break its own rules, and name another page on every page: only requests are checked, and lists end with a gap. */
  readonly hasLooseExamples?: true;
  /** Whether nothing can be made of the description that fits it: the mock answers, and is checked too. */
  readonly isMocked?: true;
}

/** Descriptions of the providers' own. */
export const described: readonly Described[] = [
  { provider: 'discord', description: 'discord/discord-v10.json', settings: {}, base: '/api/v10', isMocked: true },
  { provider: 'slack', description: 'slack/web-api-2021.json', settings: {}, base: '/api', hasLooseExamples: true },
  { provider: 'twilio', description: 'twilio/conversations-v1.json', settings: { account: `AC${'a'.repeat(32)}` } },
];

interface Described {
  readonly provider: string;
  /** Path in `../shared/openapi`. */
  readonly description: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Steps for which the description's own example of an answer has no rows. */
  readonly empty?: readonly string[];
  /** Steps whose pages have numbers: an example has one page for all of them, which is named as a gap. */
  readonly numbered?: readonly string[];
}

/** Descriptions of the providers' own in `../shared/openapi`, and the settings with which a recipe asks them. */
export const described: readonly Described[] = [
  { provider: 'twilio', description: 'twilio/conversations-v1.json', settings: { account: `AC${'a'.repeat(32)}` } },
  { provider: 'intercom', description: 'intercom/intercom-2.15.json', settings: {}, empty: ['contacts'] },
  {
    provider: 'chatwoot',
    description: 'chatwoot/chatwoot-v1.json',
    settings: { address: 'https://desk.example.com', account: '1' },
    numbered: ['contacts', 'conversations'],
  },
];

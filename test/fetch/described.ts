/** Descriptions of the providers' own in `../shared/openapi`, and the settings with which a recipe asks them. */
export const described = [
  { provider: 'twilio', description: 'twilio/conversations-v1.json', settings: { account: `AC${'a'.repeat(32)}` } },
] as const;

import { discordDialect } from './discord.ts';
import type { Dialect } from './mock-provider.ts';
import { slackDialect } from './slack.ts';
import { twilioDialect } from './twilio.ts';

/** Providers that are played here. */
export const dialects: readonly Dialect[] = [discordDialect, slackDialect, twilioDialect];

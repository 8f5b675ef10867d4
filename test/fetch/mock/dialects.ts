import type { Dialect } from './mock-provider.ts';
import { teamsDialect } from './teams.ts';
import { twilioDialect } from './twilio.ts';
import { zulipDialect } from './zulip.ts';

/** Providers that are played here. */
export const dialects: readonly Dialect[] = [twilioDialect, zulipDialect, teamsDialect];

import { frontDialect } from './front.ts';
import { helpscoutDialect } from './helpscout.ts';
import { hubspotDialect } from './hubspot.ts';
import type { Dialect } from './mock-provider.ts';
import { twilioDialect } from './twilio.ts';
import { zendeskDialect } from './zendesk.ts';

/** Providers that are played here. */
export const dialects: readonly Dialect[] = [
  twilioDialect,
  zendeskDialect,
  hubspotDialect,
  helpscoutDialect,
  frontDialect,
];

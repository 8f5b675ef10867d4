import type { Dialect } from './mock-provider.ts';
import { chatwootDialect } from './chatwoot.ts';
import { intercomDialect } from './intercom.ts';
import { sendbirdDialect } from './sendbird.ts';
import { twilioChatDialect } from './twilio-chat.ts';
import { twilioDialect } from './twilio.ts';

/** Providers that are played here. */
export const dialects: readonly Dialect[] = [
  twilioDialect,
  twilioChatDialect,
  intercomDialect,
  chatwootDialect,
  sendbirdDialect,
];

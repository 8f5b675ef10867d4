import { crispDialect } from './crisp.ts';
import { discordDialect } from './discord.ts';
import { freshchatDialect } from './freshchat.ts';
import { livechatDialect } from './livechat.ts';
import { frontDialect } from './front.ts';
import { gorgiasDialect } from './gorgias.ts';
import { helpscoutDialect } from './helpscout.ts';
import { hubspotDialect } from './hubspot.ts';
import type { Dialect } from './mock-provider.ts';
import { chatServiceDialect } from './chat-service.ts';
import { chatwootDialect } from './chatwoot.ts';
import { intercomDialect } from './intercom.ts';
import { sendbirdDialect } from './sendbird.ts';
import { twilioChatDialect } from './twilio-chat.ts';
import { pubnubDialect } from './pubnub.ts';
import { quickbloxDialect } from './quickblox.ts';
import { rocketchatDialect } from './rocketchat.ts';
import { slackDialect } from './slack.ts';
import { talkjsDialect } from './talkjs.ts';
import { teamsDialect } from './teams.ts';
import { twilioDialect } from './twilio.ts';
import { zendeskDialect } from './zendesk.ts';
import { zulipDialect } from './zulip.ts';

/** Providers that are played here. */
export const dialects: readonly Dialect[] = [
  twilioDialect,
  slackDialect,
  discordDialect,
  twilioChatDialect,
  intercomDialect,
  chatwootDialect,
  sendbirdDialect,
  talkjsDialect,
  pubnubDialect,
  rocketchatDialect,
  crispDialect,
  livechatDialect,
  quickbloxDialect,
  freshchatDialect,
  zulipDialect,
  teamsDialect,
  zendeskDialect,
  hubspotDialect,
  helpscoutDialect,
  frontDialect,
  gorgiasDialect,
  chatServiceDialect,
];

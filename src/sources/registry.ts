import { chatService } from './chat-service/index.ts';
import { chatferry } from './chatferry/index.ts';
import { chatwoot } from './chatwoot/index.ts';
import { crisp } from './crisp/index.ts';
import { csv } from './csv/index.ts';
import { database } from './database/index.ts';
import { discord } from './discord/index.ts';
import { helpscout } from './helpscout/index.ts';
import { intercom } from './intercom/index.ts';
import { irc } from './irc/index.ts';
import { json } from './json/index.ts';
import { freshchat } from './freshchat/index.ts';
import { front } from './front/index.ts';
import { gorgias } from './gorgias/index.ts';
import { googlechat } from './googlechat/index.ts';
import { googlevoice } from './googlevoice/index.ts';
import { imessage } from './imessage/index.ts';
import { hubspot } from './hubspot/index.ts';
import { instagram, messenger } from './meta/index.ts';
import { kakaotalk } from './kakaotalk/index.ts';
import { line } from './line/index.ts';
import { livechat } from './livechat/index.ts';
import { matrix } from './matrix/index.ts';
import { mattermost } from './mattermost/index.ts';
import { pubnub } from './pubnub/index.ts';
import { quickblox } from './quickblox/index.ts';
import { rocketchat } from './rocketchat/index.ts';
import { smsbackup } from './smsbackup/index.ts';
import { signal } from './signal/index.ts';
import { sendbird } from './sendbird/index.ts';
import { slack } from './slack/index.ts';
import { stream } from './stream/index.ts';
import { talkjs } from './talkjs/index.ts';
import { teams } from './teams/index.ts';
import { telegram } from './telegram/index.ts';
import { twilio } from './twilio/index.ts';
import { viber } from './viber/index.ts';
import { whatsapp } from './whatsapp/index.ts';
import { xmpp } from './xmpp/index.ts';
import { zendesk } from './zendesk/index.ts';
import { zulip } from './zulip/index.ts';
import { kitCodes, type SourceCode } from './kit/codes.ts';
import type { SourceAdapter } from './source.ts';

/** Every source, one line each. The order is that of help texts; detection does not depend on it. */
export const sources: readonly SourceAdapter[] = [
  slack,
  discord,
  telegram,
  teams,
  whatsapp,
  signal,
  imessage,
  viber,
  smsbackup,
  kakaotalk,
  line,
  googlechat,
  googlevoice,
  messenger,
  instagram,
  irc,
  mattermost,
  rocketchat,
  matrix,
  xmpp,
  stream,
  sendbird,
  twilio,
  pubnub,
  talkjs,
  quickblox,
  zulip,
  intercom,
  zendesk,
  chatwoot,
  crisp,
  freshchat,
  livechat,
  hubspot,
  helpscout,
  front,
  gorgias,
  chatferry,
  chatService,
  csv,
  json,
  database,
];

export { kitCodes };

/** Every code that reading may yield, once: of the kit, then of each source. */
export const sourceCodes: readonly SourceCode[] = [
  ...new Set([...kitCodes, ...sources.flatMap(({ codes = [] }) => codes)]),
];

import type { Kind } from './kind.ts';
import type { Files } from './sample-edits.ts';

const rows = [
  { author: 'mia', text: 'Is the pier open?', time: '2026-03-02T09:15:00Z' },
  { author: 'ole', text: 'From six on', time: '2026-03-02T09:16:00Z' },
];
const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** A log of IRC. */
const log = '[09:15] <mia> Is the pier open?\n[09:16] <ole> From six on\n[09:17] <mia> Thank you\n';

/** A chat of WhatsApp. */
const phone = '3/2/26, 9:15 AM - Mia: Is the pier open?\n3/2/26, 9:16 AM - Ole: From six on\n';

const both: { readonly files: Files } = { files: { 'zz-pier/talk.log': log, 'zz-pier/rows.ndjson': lines } };

/** Files of other chats that are put into every sample. */
export const foreignFiles: Kind<{ readonly files: Files }> = {
  name: 'files of other chats',
  cases: {
    ...{ slack: [both], discord: [both], telegram: [both], teams: [both], whatsapp: [both], signal: [both] },
    ...{ googlechat: [both], messenger: [both], instagram: [both], mattermost: [both], rocketchat: [both] },
    ...{
      matrix: [both],
      stream: [both],
      sendbird: [both],
      zulip: [both],
      chatferry: [both],
      'chat-service': [both],
      csv: [both],
      json: [both],
      imessage: [both],
      viber: [both],
      googlevoice: [both],
      smsbackup: [both],
      kakaotalk: [both],
      line: [both],
      xmpp: [both],
      twilio: [both],
      pubnub: [both],
      talkjs: [both],
      quickblox: [both],
      intercom: [both],
      zendesk: [both],
      chatwoot: [both],
      crisp: [both],
      freshchat: [both],
      livechat: [both],
      hubspot: [both],
      helpscout: [both],
      front: [both],
    },
    ...{ pubnub: [both], talkjs: [both], quickblox: [both], csv: [both], json: [both] },
    irc: [{ files: { 'zz-pier/talk.txt': phone, 'zz-pier/rows.ndjson': lines } }],
  },
  without: {
    database: 'It reads one database or dump: another file beside it is another input',
  },
};

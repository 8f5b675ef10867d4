import type { Signature } from './signature.ts';

/** Help desks. http://developers.livechatinc.com/rest-api/ (2026-11) */
export const desks: readonly Signature[] = [
  {
    platform: 'LiveChat',
    layout: 'chats of the REST API of version 2',
    marks: [{ objects: [{ at: '/chats/*', keys: ['id', 'visitor_name', 'visitor_id', 'agents', 'rate'] }] }],
    advice:
      'Fetch the same chats with "list_archives" of the Agent Chat API: the source "livechat" reads them, and they say which messages were for agents alone',
  },
];

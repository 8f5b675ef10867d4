import type { SourceCode } from '../kit/codes.ts';

export const livechatCodes: readonly SourceCode[] = [
  {
    code: 'livechat-no-chat',
    severity: 'blocks',
    title: 'Threads of no chat',
    explanation: 'Answers of list_threads do not say to which chat their threads belong, and nothing around them does.',
    remedy:
      'Put answers of list_chats next to them, and the id of the chat into the name of the file, such as threads/PJ0MRSHTDG-1.json. Or add "chat_id" to each thread.',
  },
  {
    code: 'livechat-bad-time',
    severity: 'blocks',
    title: 'Events without a time',
    explanation: '"created_at" is no time of ISO 8601.',
    remedy: 'Correct the event, or fetch the thread again.',
  },
  {
    code: 'livechat-unclear-visibility',
    severity: 'blocks',
    title: 'Events of which it is not known who saw them',
    explanation: 'The event does not say whether it was shown to all or to agents alone: it may be a note for agents.',
    remedy: 'Fetch the thread again.',
  },
  {
    code: 'livechat-unknown-event',
    severity: 'blocks',
    title: 'Events of a type that is not known',
    explanation: 'The type of the event is none of those that LiveChat documents: what it says is not known.',
    remedy: 'Look at the event in LiveChat, and report its type to us.',
  },
  {
    code: 'livechat-not-migrated',
    severity: 'information',
    title: 'Data that agents and apps keep about chats',
    explanation:
      'Tags, properties, visits, and details of customers are for agents: they are not sent, because customers would see them.',
    remedy: 'Nothing.',
  },
];

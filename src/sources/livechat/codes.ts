import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const livechatCodes: readonly SourceCode[] = [
  badRow(
    'livechat-no-chat',
    'Threads of no chat',
    'Answers of list_threads do not say to which chat their threads belong, and nothing around them does.',
    'Put answers of list_chats next to them, and the id of the chat into the name of the file, such as threads/PJ0MRSHTDG-1.json. Or add "chat_id" to each thread.',
  ),
  badRow(
    'livechat-bad-time',
    'Events without a time',
    '"created_at" is no time of ISO 8601.',
    'Correct the event, or fetch the thread again.',
  ),
  badRow(
    'livechat-unclear-visibility',
    'Events of which it is not known who saw them',
    'The event does not say whether it was shown to all or to agents alone: it may be a note for agents.',
    'Fetch the thread again.',
  ),
  badRow(
    'livechat-unknown-event',
    'Events of a type that is not known',
    'The type of the event is none of those that LiveChat documents: what it says is not known.',
    'Look at the event in LiveChat, and report its type to us.',
  ),
  note(
    'livechat-not-migrated',
    'Data that agents and apps keep about chats',
    'Tags, properties, visits, and details of customers are for agents: they are not sent, because customers would see them.',
  ),
];

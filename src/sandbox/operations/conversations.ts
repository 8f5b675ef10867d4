import { answerWith, done, refuse } from '../http/answers.ts';
import type { Handler } from '../http/handler.ts';
import { visibleTo } from '../data/visibility.ts';

export const deleteConversation: Handler<'deleteConversation'> = (service, { params, onBehalfOf }) => {
  const { messages } = service;
  const { conversationId } = params;
  const conversation = messages.conversations.find(conversationId);
  if (conversation === undefined) {
    return refuse('ERR_CONVERSATION_NOT_FOUND', `The conversation "${conversationId}" does not exist`);
  }
  const ofUser = [{ sql: 'conversation = ?', values: [conversation] }, visibleTo(onBehalfOf)];
  if (messages.find(ofUser, 'id ASC', 1).length === 0) {
    const message = `The user "${onBehalfOf}" takes no part in the conversation "${conversationId}"`;
    return refuse('ERR_CONVERSATION_NOT_ACCESSIBLE', message);
  }
  messages.deleteConversation(conversationId);
  return answerWith(done('The conversation was deleted for all users'));
};

import { refuse, success } from '../http/answers.ts';
import type { Handler } from '../http/handler.ts';
import { showMessages } from '../data/show-messages.ts';
import { visibleTo } from '../data/visibility.ts';

/** The same reaction of the same user again changes nothing. */
export const addReaction: Handler<'addReaction'> = (service, { params, onBehalfOf }) => {
  const { messages, reactions } = service;
  const row = messages.get(params.id);
  if (!row || row.deletedAt !== null) {
    return refuse('ERR_MESSAGE_ID_NOT_FOUND', `The message "${params.id}" does not exist`);
  }
  if (messages.count([{ sql: 'id = ?', values: [row.id] }, visibleTo(onBehalfOf)]) === 0) {
    const message = `The user "${onBehalfOf}" takes no part in the conversation of the message "${params.id}"`;
    return refuse('ERR_MESSAGE_NO_ACCESS', message);
  }
  reactions.add(row.id, params.reaction, onBehalfOf);
  return success(`{"data":${showMessages(service, [row], { onBehalfOf })[0]}}`);
};

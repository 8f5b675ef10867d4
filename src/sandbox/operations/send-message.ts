import type { TransportAnswer } from '../../service/transport.ts';
import { refuse, refuseWith, success } from '../http/answers.ts';
import type { Handler, Service } from '../http/handler.ts';
import { type MessageBody, type Sender, send } from '../data/outbox.ts';
import { systemUid } from '../data/people.ts';
import { showMessages } from '../data/show-messages.ts';

/** On behalf of nobody the app itself sends. */
export const sendMessage: Handler<'sendMessage'> = (service, { body, onBehalfOf }) => {
  if (onBehalfOf !== undefined) return answer(service, { uid: onBehalfOf, isUser: true }, body);
  service.people.addSystem(service.nowSeconds());
  return answer(service, { uid: systemUid, isUser: false }, body);
};

export const sendBotMessage: Handler<'sendBotMessage'> = (service, { params: { uid }, body }) => {
  const { people } = service;
  if (!people.isBot(uid) || !people.isActive(uid)) {
    return refuse('ERR_BOT_NOT_FOUND', `The bot "${uid}" does not exist`);
  }
  return answer(service, { uid, isUser: false }, body);
};

function answer(service: Service, sender: Sender, body: MessageBody): TransportAnswer {
  const sent = send(service, sender, body);
  if ('code' in sent) return refuseWith(sent);
  return success(`{"data":${showMessages(service, [sent], {})[0]}}`);
}

import type { TransportAnswer } from '../../service/transport.ts';
import { answerWith, done, noSuchGroup, noSuchUser, refuse, success } from '../answers.ts';
import { type Scope, scopes } from '../data/groups.ts';
import { visibleTo } from '../data/message-filters.ts';
import { systemUid } from '../data/people.ts';
import type { Handler, Service } from './service.ts';

/** With `onBehalfOf` it also says what that user is in the group. */
export const getGroup: Handler<'getGroup'> = ({ groups }, { params: { guid }, onBehalfOf }) => {
  const group = groups.find(guid);
  if (group === undefined) return noSuchGroup(guid);
  if (onBehalfOf === undefined) return success(`{"data":${group}}`);
  const membership = groups.membership(guid, onBehalfOf);
  const fields = JSON.parse(group);
  if (fields.type === 'private' && !membership) return notJoined(guid, onBehalfOf);
  return answerWith({ ...fields, hasJoined: membership !== undefined, ...membership });
};

export const deleteGroup: Handler<'deleteGroup'> = ({ groups, messages }, { params: { guid }, onBehalfOf }) => {
  if (groups.find(guid) === undefined) return noSuchGroup(guid);
  if (onBehalfOf !== undefined && groups.membership(guid, onBehalfOf)?.scope !== 'admin') {
    return refuse('ERR_GROUP_NO_ADMIN_SCOPE', `The user "${onBehalfOf}" is no admin of the group "${guid}"`);
  }
  const conversation = messages.conversations.between({ sender: '', receiver: guid, receiverType: 'group' });
  if (conversation) messages.deleteConversation(conversation.number);
  groups.delete(guid);
  return answerWith(done(`The group "${guid}" was deleted`));
};

export const kickMember: Handler<'kickMember'> = (service, { params: { guid, uid }, onBehalfOf }) => {
  const { groups, people } = service;
  if (groups.find(guid) === undefined) return noSuchGroup(guid);
  if (!people.isActive(uid)) return noSuchUser(uid);
  const member = groups.membership(guid, uid);
  if (!member) return refuse('ERR_NOT_A_MEMBER', `The user "${uid}" is no member of the group "${guid}"`);
  const refusal = onBehalfOf === undefined ? undefined : checkClearance(service, guid, onBehalfOf, uid);
  if (refusal) return refusal;
  groups.kick(guid, uid);
  postKick(service, guid, uid, onBehalfOf);
  return answerWith(done(`The member "${uid}" was removed from the group "${guid}"`));
};

/** Checks that the acting user has a higher rank than the member. The owner ranks above every admin. */
function checkClearance({ groups }: Service, guid: string, actor: string, member: string): TransportAnswer | undefined {
  if (actor === member) return refuse('ERR_GROUP_NO_SELF_ACTION', 'A member cannot remove itself');
  const scopeOf = (uid: string): Scope | undefined => groups.membership(guid, uid)?.scope;
  const rankOf = (uid: string) => (groups.owner(guid) === uid ? scopes.length : scopes.indexOf(scopeOf(uid)!));
  const scope = scopeOf(actor);
  if (!scope) return notJoined(guid, actor);
  if (rankOf(actor) > rankOf(member)) return undefined;
  return scope === 'participant' && scopeOf(member) === 'participant'
    ? refuse('ERR_GROUP_NO_MODERATOR_SCOPE', `The user "${actor}" is no moderator of the group "${guid}"`)
    : refuse(
        'ERR_GROUP_NO_CLEARANCE',
        `The user "${actor}" does not have a higher scope than "${member}" in the group "${guid}"`,
      );
}

/** The group sees a message of category `action`. */
function postKick(service: Service, guid: string, uid: string, actor = systemUid): void {
  const { people, groups, messages, statistics } = service;
  const now = service.nowSeconds();
  if (actor === systemUid) people.addSystem(now);
  const entity = (json: string | undefined, type: string) => `{"entity":${json ?? '{}'},"entityType":"${type}"}`;
  messages.add({
    sender: actor,
    receiver: guid,
    receiverType: 'group',
    category: 'action',
    type: 'groupMember',
    data: '{"action":"kicked"}',
    entities:
      `{"by":${entity(people.find(actor), 'user')},"on":${entity(people.find(uid), 'user')},` +
      `"for":${entity(groups.find(guid), 'group')}}`,
    sentAt: now,
  });
  statistics.count(now, { sent: 1 });
}

const notJoined = (guid: string, uid: string): TransportAnswer =>
  refuse('ERR_GROUP_NOT_JOINED', `The user "${uid}" is no member of the group "${guid}"`);

export const deleteConversation: Handler<'deleteConversation'> = (service, { params, onBehalfOf }) => {
  const { messages } = service;
  const { conversationId } = params;
  const conversation = messages.conversations.named(conversationId);
  if (conversation === undefined) {
    return refuse('ERR_CONVERSATION_NOT_FOUND', `The conversation "${conversationId}" does not exist`);
  }
  const ofUser = [{ sql: 'conversation = ?', values: [conversation.number] }, visibleTo(onBehalfOf)];
  if (messages.find(ofUser, 'id ASC', 1).length === 0) {
    const message = `The user "${onBehalfOf}" takes no part in the conversation "${conversationId}"`;
    return refuse('ERR_CONVERSATION_NOT_ACCESSIBLE', message);
  }
  messages.deleteConversation(conversation.number);
  return answerWith(done('The conversation was deleted for all users'));
};

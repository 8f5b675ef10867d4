import { answerWith, done, noSuchUser, notDone, refuse, type Result, resultByUid, unknownUser } from '../answers.ts';
import type { Handler, Service } from './service.ts';

/** Friends of one user. 1,000: properties and constraints page of the hosted service, 2026-11. */
const friendsMax = 1_000;

export const addFriends: Handler<'addFriends'> = (service, { params: { uid }, body }) => {
  if (!service.people.isActive(uid)) return noSuchUser(uid);
  return answerWith({ accepted: resultByUid(body.accepted, (friend) => befriend(service, uid, friend)) });
};

function befriend({ people, relations, nowSeconds }: Service, uid: string, friend: string): Result {
  if (friend === uid) return notDone('ERR_CANNOT_FORM_SELF_RELATION', `The user "${uid}" cannot befriend itself`);
  if (!people.isActive(friend)) return { success: false, ...unknownUser(friend) };
  if (relations.areFriends(uid, friend)) {
    return notDone('ERR_ALREADY_FRIEND', `The users "${uid}" and "${friend}" are friends already`);
  }
  const full = [uid, friend].find((one) => relations.friendCount(one) >= friendsMax);
  if (full !== undefined) return { success: false, message: `The user "${full}" has ${friendsMax} friends already` };
  relations.befriend(uid, friend, nowSeconds());
  return done(`The relation between ${uid} and ${friend} with status accepted was created`);
}

/** All of them or none: the answer has no room for more than one result. */
export const removeFriends: Handler<'removeFriends'> = ({ people, relations }, { params: { uid }, body }) => {
  if (!people.isActive(uid)) return noSuchUser(uid);
  const friends = body.friends.map((friend) => friend.toLowerCase());
  const stranger = friends.find((friend) => !relations.areFriends(uid, friend));
  if (stranger !== undefined) {
    return refuse('ERR_NOT_A_FRIEND', `The users "${uid}" and "${stranger}" are not friends`);
  }
  for (const friend of friends) relations.unfriend(uid, friend);
  return answerWith(done('The friends were removed'));
};

export const blockUsers: Handler<'blockUsers'> = (service, { params: { uid }, body }) => {
  if (!service.people.isActive(uid)) return noSuchUser(uid);
  return answerWith(resultByUid(body.blockedUids, (other) => block(service, uid, other)));
};

function block({ people, relations, nowSeconds }: Service, uid: string, other: string): Result {
  if (other === uid) return notDone('ERR_CANNOT_BLOCK_SELF', `The user "${uid}" cannot block itself`);
  if (!people.isActive(other)) return { success: false, ...unknownUser(other) };
  relations.block(uid, other, nowSeconds());
  return done(`The user "${other}" is blocked`);
}

export const unblockUsers: Handler<'unblockUsers'> = (service, { params: { uid }, body }) => {
  if (!service.people.isActive(uid)) return noSuchUser(uid);
  return answerWith(resultByUid(body.blockedUids, (other) => unblock(service, uid, other)));
};

function unblock({ people, relations }: Service, uid: string, other: string): Result {
  if (!people.isActive(other)) return { success: false, ...unknownUser(other) };
  if (relations.unblock(uid, other)) return done(`The user "${other}" is unblocked`);
  return { success: false, message: `The user "${other}" is not blocked` };
}

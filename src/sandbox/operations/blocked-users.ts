import { answerWith, done, notDone, type Result } from '../http/answers.ts';
import type { Handler, Service } from '../http/handler.ts';
import { noSuchUser } from '../http/no-such.ts';
import { resultByUid } from '../http/result-by-uid.ts';

export const blockUsers: Handler<'blockUsers'> = (service, { params: { uid }, body }) => {
  if (!service.people.isActive(uid)) return noSuchUser(uid);
  return answerWith(resultByUid(body.blockedUids, (other) => block(service, uid, other)));
};

function block({ people, relations, nowSeconds }: Service, uid: string, other: string): Result {
  if (other === uid) return notDone('ERR_CANNOT_BLOCK_SELF', `The user "${uid}" cannot block itself`);
  if (!people.isActive(other)) return notDone('ERR_UID_NOT_FOUND', `The user "${other}" does not exist`);
  relations.block(uid, other, nowSeconds());
  return done(`The user "${other}" is blocked`);
}

export const unblockUsers: Handler<'unblockUsers'> = (service, { params: { uid }, body }) => {
  if (!service.people.isActive(uid)) return noSuchUser(uid);
  return answerWith(resultByUid(body.blockedUids, (other) => unblock(service, uid, other)));
};

function unblock({ people, relations }: Service, uid: string, other: string): Result {
  if (!people.isActive(other)) return notDone('ERR_UID_NOT_FOUND', `The user "${other}" does not exist`);
  if (relations.unblock(uid, other)) return done(`The user "${other}" is unblocked`);
  return { success: false, message: `The user "${other}" is not blocked` };
}

import { answerWith, noSuchUser, refuse } from '../answers.ts';
import type { Handler } from './service.ts';

export const updateAuthToken: Handler<'updateAuthToken'> = ({ people, authTokens }, { params, body }) => {
  const { uid, authToken } = params;
  if (!people.isActive(uid)) return noSuchUser(uid);
  const known = authTokens.find(authToken);
  if (!known) return refuse('ERR_AUTH_TOKEN_NOT_FOUND', 'The auth token does not exist');
  if (known.uid !== uid) return refuse('ERR_AUTHTOKEN_NOT_ACCESSIBLE', 'The auth token belongs to another user');
  authTokens.update(authToken, body);
  return answerWith({ uid, authToken, createdAt: known.createdAt });
};

/** Users who are deactivated already are named all the same: they are what the request asked for. */
export const deactivateUsers: Handler<'deactivateUsers'> = ({ people, nowSeconds }, { body }) => {
  const uids = lowered(body.uidsToDeactivate).filter((uid) => people.find(uid) !== undefined);
  const now = nowSeconds();
  for (const uid of uids) people.deactivate(uid, now);
  return answerWith({ deactivatedUids: uids });
};

export const activateUsers: Handler<'activateUsers'> = ({ people }, { body }) => {
  const uids = lowered(body.uidsToActivate).filter((uid) => people.find(uid) !== undefined);
  for (const uid of uids) people.activate(uid);
  return answerWith({ nonDeactivatedUids: uids });
};

/** Each once. */
const lowered = (uids: readonly string[]): string[] => [...new Set(uids.map((uid) => uid.toLowerCase()))];

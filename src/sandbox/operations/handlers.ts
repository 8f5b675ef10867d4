import * as conversations from './conversations.ts';
import * as importDirectory from './import-directory.ts';
import * as importMessages from './import-messages.ts';
import * as messages from './messages.ts';
import * as relations from './relations.ts';
import * as sendMessage from './send-message.ts';
import type { Handlers, Handler } from './service.ts';
import { digestOf, type KeyScope } from '../data/credentials.ts';
import { answerWith, badRequest, refuse, done, buildPagination, success, noSuchUser } from '../answers.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { perPageDefault } from '../../service/profiles.ts';
import { defaultRole } from '../data/roles.ts';
import { intervalSeconds, intervalStart } from '../data/statistics.ts';

/** The words of requests and, as they are no less clear, those of answers. */
const scopes: ReadonlyMap<string, KeyScope> = new Map([
  ['userauth', 'authOnly'],
  ['authOnly', 'authOnly'],
  ['admin', 'fullAccess'],
  ['fullAccess', 'fullAccess'],
]);

const updateApiKey: Handler<'updateApiKey'> = ({ apiKeys, rules }, { params, body, keyDigest }) => {
  const { apiKey } = params;
  const digest = digestOf(apiKey);
  if (digest === keyDigest) return refuse('ERR_APIKEY_NO_SELF_ACTION', 'An API key cannot update itself');
  const known = apiKeys.find(digest);
  if (!known) return refuse('ERR_APIKEY_NOT_FOUND', 'The API key to update does not exist');
  const scope = body.scope === undefined ? known.scope : scopes.get(body.scope);
  if (scope === undefined) return badRequest({ scope: ['expected "userauth" or "admin"'] });
  const { name = known.name } = body;
  const { nameLengthMax = Infinity } = rules;
  if (name.length > nameLengthMax) return badRequest({ name: [`expected ${nameLengthMax} characters at most`] });
  const updated = { name, scope, createdAt: known.createdAt };
  apiKeys.save(digest, updated);
  return answerWith({ apiKey, ...updated });
};

/** Returns the known details; others are absent. */
const getContactDetails: Handler<'getContactDetails'> = ({ contacts }, { onBehalfOf }) => {
  const { email, phno } = contacts.find(onBehalfOf) ?? { email: null, phno: null };
  return answerWith({ ...(email !== null && { email }), ...(phno !== null && { phno }) });
};

const deleteContactDetails: Handler<'deleteContactDetails'> = ({ contacts }, { onBehalfOf }) => {
  contacts.delete(onBehalfOf);
  return answerWith({ success: true });
};

const deleteSmsProvider: Handler<'deleteSmsProvider'> = ({ contacts }) => {
  contacts.deleteSmsProvider();
  return answerWith({ success: true });
};

const listRestrictedFeatures: Handler<'listRestrictedFeatures'> = ({ roles }, { params: { role }, query }) => {
  if (!roles.has(role)) return noSuchRole(role);
  const { page = 1, perPage = perPageDefault } = query;
  // Beyond the end is an empty page, however far: SQLite counts in 64 bits.
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
  const data = roles.restrictedFeatures(role, { offset, count: perPage });
  const total = roles.restrictedFeatureCount(role);
  const pagination = buildPagination({ total, count: data.length, perPage, page });
  return success(JSON.stringify({ data, meta: { pagination } }));
};

/** A feature that is not restricted is allowed already. */
const allowFeatures: Handler<'allowFeatures'> = ({ roles }, { params: { role }, body }) => {
  if (!roles.has(role)) return noSuchRole(role);
  for (const key of body.featuresToAllow ?? []) roles.allow(role, key);
  if (body.allowAll) roles.allowAll(role);
  return answerWith(done(`The features are allowed for the role "${role}"`));
};

const deleteRole: Handler<'deleteRole'> = ({ roles, people }, { params: { role } }) => {
  if (role === defaultRole) return refuse('ERR_ROLE_DELETE_DENIED', 'The default role cannot be deleted');
  if (!roles.has(role)) return noSuchRole(role);
  roles.delete(role);
  people.dropRole(role);
  return answerWith(done(`The role "${role}" was deleted`));
};

const noSuchRole = (role: string): TransportAnswer => refuse('ERR_ROLE_NOT_FOUND', `The role "${role}" does not exist`);

/** A day. The specification does not say how far back the points go. */
const intervalCount = 288;

/** The last 24 hours, the interval of this moment included. */
const getMessageStats: Handler<'getMessageStats'> = ({ id, statistics, nowSeconds }) => {
  const last = intervalStart(nowSeconds());
  const first = last - (intervalCount - 1) * intervalSeconds;
  const activities = statistics.between(first, last);
  const dataPoints = Array.from({ length: intervalCount }, (_, index) => {
    const startedAt = first + index * intervalSeconds;
    const activity = activities.get(startedAt);
    return {
      messagesSent: activity?.sent ?? 0,
      readReceipts: activity?.read ?? 0,
      deliveryReceipts: activity?.delivered ?? 0,
      startTime: milliseconds(startedAt),
      endTime: milliseconds(startedAt + intervalSeconds),
    };
  });
  const span = { startTime: milliseconds(first), endTime: milliseconds(last + intervalSeconds) };
  return answerWith({ ...span, appId: id, dataPoints });
};

const milliseconds = (seconds: number): string => String(seconds * 1000);

const updateAuthToken: Handler<'updateAuthToken'> = ({ people, authTokens }, { params, body }) => {
  const { uid, authToken } = params;
  if (!people.isActive(uid)) return noSuchUser(uid);
  const known = authTokens.find(authToken);
  if (!known) return refuse('ERR_AUTH_TOKEN_NOT_FOUND', 'The auth token does not exist');
  if (known.uid !== uid) return refuse('ERR_AUTHTOKEN_NOT_ACCESSIBLE', 'The auth token belongs to another user');
  authTokens.update(authToken, body);
  return answerWith({ uid, authToken, createdAt: known.createdAt });
};

/** Users who are deactivated already are named all the same: they are what the request asked for. */
const deactivateUsers: Handler<'deactivateUsers'> = ({ people, nowSeconds }, { body }) => {
  const uids = lowered(body.uidsToDeactivate).filter((uid) => people.find(uid) !== undefined);
  const now = nowSeconds();
  for (const uid of uids) people.deactivate(uid, now);
  return answerWith({ deactivatedUids: uids });
};

const activateUsers: Handler<'activateUsers'> = ({ people }, { body }) => {
  const uids = lowered(body.uidsToActivate).filter((uid) => people.find(uid) !== undefined);
  for (const uid of uids) people.activate(uid);
  return answerWith({ nonDeactivatedUids: uids });
};

/** Each once. */
const lowered = (uids: readonly string[]): string[] => [...new Set(uids.map((uid) => uid.toLowerCase()))];

/** Who answers which operation: the modules export handlers under the names of their operations, and nothing else. */
export const handlers: Handlers = {
  ...conversations,
  ...importDirectory,
  ...importMessages,
  ...messages,
  ...relations,
  ...sendMessage,
  updateApiKey,
  getContactDetails,
  deleteContactDetails,
  deleteSmsProvider,
  listRestrictedFeatures,
  allowFeatures,
  deleteRole,
  getMessageStats,
  updateAuthToken,
  deactivateUsers,
  activateUsers,
};

import type { TransportAnswer } from '../../service/transport.ts';
import { perPageDefault } from '../../service/profiles.ts';
import { answerWith, done, paginationOf, refuse, success } from '../answers.ts';
import type { Handler } from './service.ts';
import { defaultRole } from '../data/roles.ts';

export const listRestrictedFeatures: Handler<'listRestrictedFeatures'> = ({ roles }, { params: { role }, query }) => {
  if (!roles.has(role)) return noSuchRole(role);
  const { page = 1, perPage = perPageDefault } = query;
  // Beyond the end is an empty page, however far: SQLite counts in 64 bits.
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
  const data = roles.restrictedFeatures(role, { offset, count: perPage });
  const total = roles.restrictedFeatureCount(role);
  const pagination = paginationOf({ total, count: data.length, perPage, page });
  return success(JSON.stringify({ data, meta: { pagination } }));
};

/** A feature that is not restricted is allowed already. */
export const allowFeatures: Handler<'allowFeatures'> = ({ roles }, { params: { role }, body }) => {
  if (!roles.has(role)) return noSuchRole(role);
  for (const key of body.featuresToAllow ?? []) roles.allow(role, key);
  if (body.allowAll) roles.allowAll(role);
  return answerWith(done(`The features are allowed for the role "${role}"`));
};

export const deleteRole: Handler<'deleteRole'> = ({ roles, people }, { params: { role } }) => {
  if (role === defaultRole) return refuse('ERR_ROLE_DELETE_DENIED', 'The default role cannot be deleted');
  if (!roles.has(role)) return noSuchRole(role);
  roles.delete(role);
  people.dropRole(role);
  return answerWith(done(`The role "${role}" was deleted`));
};

const noSuchRole = (role: string): TransportAnswer => refuse('ERR_ROLE_NOT_FOUND', `The role "${role}" does not exist`);

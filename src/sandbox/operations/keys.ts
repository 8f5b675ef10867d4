import { digestOf, type KeyScope } from '../data/credentials.ts';
import { answerWith, badRequest, refuse } from '../answers.ts';
import type { Handler } from './service.ts';

/** The words of requests and, as they are no less clear, those of answers. */
const scopes: ReadonlyMap<string, KeyScope> = new Map([
  ['userauth', 'authOnly'],
  ['authOnly', 'authOnly'],
  ['admin', 'fullAccess'],
  ['fullAccess', 'fullAccess'],
]);

export const updateApiKey: Handler<'updateApiKey'> = ({ apiKeys, rules }, { params, body, keyDigest }) => {
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

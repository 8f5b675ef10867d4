import type { UserRecord } from '../../model/records.ts';
import { compact } from '../kit/compact.ts';
import { idByName } from '../kit/message-names.ts';
import { asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { CrispAuthor, CrispMessage, CrispOperator, CrispVisitor } from './format.ts';

const operatorId = (id: string): string => `operator:${id}`;
const visitorId = (id: string): string => `user:${id}`;

/** An operator of a list; undefined without an id. */
export function readOperator(value: unknown): UserRecord | undefined {
  const { details } = asObject<{ details: CrispOperator }>(value) ?? {};
  const operator = asObject<CrispOperator>(details);
  const id = asId(operator?.user_id);
  if (operator === undefined || id === undefined) return undefined;
  const name = [asString(operator.first_name), asString(operator.last_name)].filter(Boolean).join(' ');
  const email = asString(operator.email);
  return compact<UserRecord>({
    kind: 'user',
    id: operatorId(id),
    name: name || email || operatorId(id),
    email,
    avatarUrl: asString(operator.avatar),
    role: operator.role === 'owner' || operator.role === 'admin' ? operator.role : 'member',
  });
}

/** The visitor of a conversation of a list. */
export function readVisitor(session: string, meta: Untrusted<CrispVisitor>): UserRecord {
  const email = asString(meta.email);
  return compact<UserRecord>({
    kind: 'user',
    id: visitorId(session),
    name: asString(meta.nickname) ?? email ?? session,
    email,
    avatarUrl: asString(meta.avatar),
  });
}

/** Ids of operators whom a text mentions or a conversation is assigned to. */
export const operatorIds = (ids: readonly string[]): string[] => ids.map(operatorId);

/** The author of a message. A bot has no id, and is known by its name. */
export function readAuthor(row: Untrusted<CrispMessage>): UserRecord | undefined {
  const user = asObject<CrispAuthor>(row.user);
  const given = asId(user?.user_id);
  // A person who takes part by mail is not the visitor.
  const visitor = given ?? (user?.type === 'participant' ? undefined : asId(row.session_id));
  const ids = { operator: given && operatorId(given), user: visitor && visitorId(visitor) };
  if (row.from !== 'operator' && row.from !== 'user') return undefined;
  const isBot = given === undefined && row.automated === true;
  const name = asString(user?.nickname);
  const own = ids[row.from] ?? idByName(isBot ? 'bot' : row.from, name);
  if (own === undefined) return undefined;
  return compact<UserRecord>({
    kind: 'user',
    id: own,
    name: name ?? own,
    avatarUrl: asString(user?.avatar),
    ...(isBot && { role: 'bot', isBot }),
  });
}

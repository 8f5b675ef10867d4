import { z } from 'zod';
import { idPattern } from '../service/limits.ts';
import { type Complaint, unknownUser } from './answers.ts';
import { digestOf } from './data/credentials.ts';
import type { Service } from './operations/service.ts';

const id = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.string().regex(idPattern, 'expected 1 to 100 characters of a-z, 0-9, - and _'));

/** Visible ASCII: no header or path could carry anything else. */
const credential = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'expected 1 to 200 visible ASCII characters');

const user = z.strictObject({
  uid: id.describe('Forced to lower case'),
  name: z.string().min(1),
  avatar: z.string().optional(),
  link: z.string().optional(),
  role: id.optional(),
  metadata: z.looseObject({}).optional(),
  tags: z.array(z.string()).optional(),
});

const feature = z.strictObject({
  key: z.string().min(1),
  title: z.string().default(''),
  description: z.string().default(''),
  path: z.string().default(''),
});

/** Content for a sandbox that no operation of the service can make. Everything may be left out. */
export const seedPlan = z.strictObject({
  roles: z.array(z.strictObject({ role: id, restrictedFeatures: z.array(feature).default([]) })).default([]),
  users: z.array(user).default([]),
  /** Users who may send as bots. */
  bots: z.array(user).default([]),
  apiKeys: z
    .array(
      z.strictObject({
        apiKey: credential,
        name: z.string().default(''),
        scope: z.enum(['fullAccess', 'authOnly']).default('fullAccess'),
      }),
    )
    .default([]),
  /** Their users are there already, or among `users` and `bots`. */
  authTokens: z.array(z.strictObject({ uid: id, authToken: credential })).default([]),
  contactDetails: z
    .array(
      z.strictObject({
        uid: id,
        email: z.string().nullable().default(null),
        phno: z.string().nullable().default(null),
      }),
    )
    .default([]),
  smsProvider: z.string().min(1).optional(),
});

export type SeedPlan = z.output<typeof seedPlan>;
export type SeedPlanInput = z.input<typeof seedPlan>;

/** Makes it, or changes what is there already. @returns why nothing was made. */
export function applySeedPlan(service: Service, plan: SeedPlan): Complaint | undefined {
  const { people, contacts, apiKeys, authTokens } = service;
  const now = service.nowSeconds();
  const made = new Set([...plan.users, ...plan.bots].map(({ uid }) => uid));
  const missing = [...plan.authTokens, ...plan.contactDetails].find(
    ({ uid }) => !made.has(uid) && people.find(uid) === undefined,
  );
  if (missing) return unknownUser(missing.uid);
  makeRoles(service, plan, now);
  for (const person of [...plan.users, ...plan.bots]) people.save(person.uid, person, now);
  for (const { uid } of plan.bots) people.addBot(uid);
  for (const { apiKey, name, scope } of plan.apiKeys) apiKeys.add(apiKey, { name, scope, createdAt: now });
  for (const { authToken, uid } of plan.authTokens) authTokens.add(authToken, { uid, createdAt: now });
  for (const { uid, email, phno } of plan.contactDetails) contacts.save(uid, { email, phno });
  if (plan.smsProvider !== undefined) contacts.setSmsProvider(plan.smsProvider);
  return undefined;
}

function makeRoles({ roles }: Service, plan: SeedPlan, now: number): void {
  for (const { role, restrictedFeatures } of plan.roles) {
    roles.add(role);
    for (const restricted of restrictedFeatures) roles.restrict(role, { ...restricted, createdAt: now });
  }
}

/** Returns a name that distinguishes one plan from another. */
export const nameOfPlan = (plan: SeedPlan): string => digestOf(JSON.stringify(plan));

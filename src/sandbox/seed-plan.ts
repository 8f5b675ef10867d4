import { z } from 'zod';
import { idPattern } from '../service/profiles.ts';
import { type Complaint, unknownUser } from './answers.ts';
import { digestOf } from './data/credentials.ts';
import type { Service } from './operations/service.ts';
import { UsageError } from '../lib/errors.ts';
import { seedDemoMessages } from './seeds/demo-messages.ts';

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
const planName = (plan: SeedPlan): string => digestOf(JSON.stringify(plan));

/** Names that a request can use once the demo is there. The people in it do not exist, and it opens nothing but a sandbox. */
export const demo = {
  /** Keys of the app besides the one that the sandbox was started with. */
  authOnlyKey: 'de30000000000000000000000000000000000a01',
  secondFullAccessKey: 'de30000000000000000000000000000000000f02',
  authToken: 'ann_de300000000000000001',
  otherAuthToken: 'bob_de300000000000000002',
  bot: 'helper',
  role: 'guest',
} as const;

/**
 * People, relations, roles and groups, then messages of every kind. All times count back from now; everything else is the same
 * every time.
 */
function seedDemo(service: Service): void {
  const now = service.nowSeconds();
  seedPeople(service, now);
  seedCredentials(service, now);
  seedRole(service, now);
  seedGroups(service, now);
  seedDemoMessages(service, now);
}

const day = 86_400;

const people = [
  { uid: 'ann', name: 'Ann Arbor', avatar: 'https://example.com/ann.png', metadata: { city: 'Ypsilanti' } },
  { uid: 'bob', name: 'Bob Bay', avatar: 'https://example.com/bob.png' },
  { uid: 'cleo', name: 'Cleo Creek', metadata: { pronouns: 'she' } },
  { uid: 'dan', name: 'Dan Dale' },
  { uid: 'eve', name: 'Eve Elm' },
  { uid: demo.bot, name: 'Helper' },
] as const;

function seedPeople({ people: users, relations, contacts }: Service, now: number): void {
  users.addSystem(now - 90 * day);
  for (const person of people) users.save(person.uid, { ...person, createdAt: now - 90 * day }, now);
  users.extend('ann', { tags: ['founder'] }, now);
  users.extend('eve', { role: demo.role }, now);
  users.addBot(demo.bot);
  // Dan left.
  users.deactivate('dan', now - 7 * day);
  relations.befriend('ann', 'bob', now - 80 * day);
  relations.befriend('ann', 'cleo', now - 79 * day);
  relations.block('cleo', 'eve', now - 2 * day);
  contacts.save('ann', { email: 'ann@example.com', phno: '+15550100' });
  contacts.save('bob', { email: 'bob@example.com', phno: null });
  contacts.setSmsProvider('https://example.com/sms');
}

function seedCredentials({ apiKeys, authTokens }: Service, now: number): void {
  const createdAt = now - 60 * day;
  apiKeys.add(demo.authOnlyKey, { name: 'Mobile apps', scope: 'authOnly', createdAt });
  apiKeys.add(demo.secondFullAccessKey, { name: 'Back office', scope: 'fullAccess', createdAt });
  authTokens.add(demo.authToken, { uid: 'ann', createdAt });
  authTokens.add(demo.otherAuthToken, { uid: 'bob', createdAt });
}

const features = [
  ['u.deleteGroup', 'Delete a group', 'Whether users of this role may delete groups', '/v3/groups/{{guid}}'],
  ['u.blockUsers', 'Block users', 'Whether users of this role may block others', '/v3/users/{{uid}}/blockedusers'],
  ['u.addFriends', 'Add friends', 'Whether users of this role may befriend others', '/v3/users/{{uid}}/friends'],
] as const;

function seedRole({ roles }: Service, now: number): void {
  roles.add(demo.role);
  for (const [key, title, description, path] of features) {
    roles.restrict(demo.role, { key, title, description, path, createdAt: now - 50 * day });
  }
}

function seedGroups({ groups }: Service, now: number): void {
  const createdAt = now - 40 * day;
  groups.save('team', { name: 'The team', type: 'public', description: 'Everybody', owner: 'ann', createdAt }, now);
  groups.save('board', { name: 'The board', type: 'private', owner: 'bob', createdAt }, now);
  groups.save('club', { name: 'Chess club', type: 'password', icon: 'https://example.com/club.png', createdAt }, now);
  groups.join('team', 'ann', createdAt);
  groups.join('team', 'bob', createdAt + 60, 'moderator');
  for (const uid of ['cleo', 'dan', 'eve']) groups.join('team', uid, createdAt + 120);
  groups.join('board', 'bob', createdAt);
  groups.join('board', 'ann', createdAt + 60);
  groups.join('club', 'eve', createdAt, 'admin');
  groups.join('club', 'bob', createdAt + 60);
}

const seeds = { demo: seedDemo } as const;

/** `demo`: a handful of made-up people, groups and messages of every kind. */
export type Seed = keyof typeof seeds;

/**
 * Fills the service, unless it was filled with this seed before.
 *
 * @throws ZodError if it is no plan; UsageError if the plan has a token or contact of an unknown user.
 */
export function addSeed(service: Service, seed: Seed | SeedPlanInput): void {
  const plan = typeof seed === 'string' ? seed : seedPlan.parse(seed);
  service.transaction(() => {
    if (!service.markSeeded(typeof plan === 'string' ? plan : planName(plan))) return;
    if (typeof plan === 'string') return seeds[plan](service);
    const complaint = applySeedPlan(service, plan);
    if (!complaint) return;
    throw new UsageError(`Cannot seed the sandbox: ${complaint.message}`, { hint: 'Describe the user under "users"' });
  });
}

import { z } from 'zod';
import { type OperationName, operations } from '../service/operations.ts';

/** 10 minutes: longer than any client waits. */
const waitMsMax = 600_000;

/** 30 days: permanently, as far as any client waits. */
const hiddenMsMax = 30 * 86_400_000;

const operationName = z.enum(operations.map(({ name }) => name) as [OperationName, ...OperationName[]]);

const share = z.number().min(0).max(1);

/** Which requests a rule breaks. Every rule has these fields. */
const aim = {
  operations: z.array(operationName).min(1).optional().describe('Operations that it breaks; every one if not given'),
  muids: z
    .array(z.string().min(1))
    .min(1)
    .max(100_000)
    .optional()
    .describe('Only imports that hold one of these messages'),
  probability: share.default(1).describe('Share of their requests'),
  skip: z.int().min(0).default(0).describe('So many of them pass first'),
  times: z.int().min(1).optional().describe('So many are broken at most; no end if not given'),
  delayMs: z.int().min(0).max(waitMsMax).default(0).describe('The answer waits so long, in ms'),
};

const lateMs = z.int().min(0).max(waitMsMax).default(5_000).describe('With `applied: late`: the delay, in ms');

/** For answers that say nothing of what was done. */
const appliedUnseen = z
  .enum(['nothing', 'whole', 'first-part', 'last-part', 'half', 'others', 'twice', 'late'])
  .describe(
    'How much of the request is applied. Parts are those of an import: some of its messages, one at least; half: each message or not, by chance; others: all but `muids`',
  );

/** For answers that say what was done. */
const appliedSeen = z
  .enum(['whole', 'first-part', 'last-part', 'others', 'twice'])
  .default('whole')
  .describe('How much of the request is applied; if an import is applied twice, the second answer is returned');

const unseen = (usual: z.infer<typeof appliedUnseen>) => ({ ...aim, applied: appliedUnseen.default(usual), lateMs });
const seen = { ...aim, applied: appliedSeen };

const part = share.optional().describe('How much of the body is sent; any share if not given');

const retryAfter = z
  .union([
    z.number().describe('Seconds, as they are: 0, negative, or far too many'),
    z.strictObject({ date: z.number() }).describe('An HTTP date, so many seconds from now'),
    z.strictObject({ sentence: z.number() }).describe('Seconds in the message alone, without a header'),
    z.strictObject({ text: z.string().regex(/^[\x20-\x7e]*$/, 'expected visible ASCII') }).describe('Any text'),
  ])
  .optional()
  .describe('The header `Retry-After`; none if not given');

const ruleFor = <const Answer extends string, Fields extends z.ZodRawShape>(
  answer: Answer,
  fields: Fields,
  says: string,
) => z.strictObject({ answer: z.literal(answer), ...fields }).describe(says);

const code = z.string().min(1);
const status = (min: number, max: number, usual: number) => z.int().min(min).max(max).default(usual);

const framing = z
  .enum(['length', 'chunked', 'none'])
  .default('length')
  .describe('How the end would be known; with `none` the client cannot see that something is missing');

const pace = {
  bytesPerSecond: z.int().min(1).default(100),
  from: z.enum(['head', 'body']).default('body').describe('Whether the headers are slow too'),
};

const rule = z.discriminatedUnion('answer', [
  ruleFor('normal', seen, 'As it should be: for delays and parts'),
  ruleFor('rate-limited', { ...unseen('nothing'), retryAfter }, 'Status 429'),
  ruleFor(
    'error',
    { ...unseen('nothing'), retryAfter, status: status(400, 599, 500), code: code.default('ERR_EXCEPTION') },
    "The service's own error body",
  ),
  ruleFor('page', { ...unseen('nothing'), status: status(200, 599, 502) }, 'An HTML page, as gateways show it'),
  ruleFor(
    'redirect',
    { ...unseen('nothing'), status: status(300, 399, 307), location: z.url().default('https://elsewhere.example/') },
    'Sends the client to another address',
  ),
  ruleFor('closed', unseen('whole'), 'No answer: the connection is closed'),
  ruleFor('reset', unseen('whole'), 'No answer: the connection is reset'),
  ruleFor('silent', unseen('whole'), 'No answer: the connection stays open'),
  ruleFor('garbage', unseen('whole'), 'Bytes that are no HTTP'),
  ruleFor('endless', unseen('whole'), 'A body that does not end'),
  ruleFor('cut', { ...seen, share: part, framing }, 'The connection is closed in the middle of the body'),
  ruleFor('stalled', { ...seen, share: part }, 'The rest of the body does not come; the connection stays open'),
  ruleFor('slow', { ...seen, ...pace }, 'The answer trickles in'),
  ruleFor('hung-up', seen, 'Whole; then the connection is closed unannounced'),
  ruleFor('gzip', seen, 'Compressed, although the client did not ask for it'),
  ruleFor('invalid-json', seen, 'A whole body that is no JSON'),
  ruleFor('no-data', seen, 'JSON without `data`'),
  ruleFor(
    'keys-missing',
    { ...seen, share: share.default(0.5) },
    'Leaves out this share of the keys of `data`, or of its rows',
  ),
  ruleFor('keys-renamed', seen, 'The keys of `data` are 1, 2, 3 …'),
  ruleFor('keys-added', seen, 'A key in `data` that was never sent'),
  ruleFor('texts-changed', seen, 'Every `text` reads otherwise'),
  ruleFor(
    'items-refused',
    { ...aim, share: share.default(0.5), code: code.default('ERR_OPERATION_FAILED') },
    'Refuses this share of the messages of an import, or those of `muids`; they are not stored',
  ),
]);

const aimedRule = rule.refine((one) => !('applied' in one) || one.applied !== 'others' || one.muids !== undefined, {
  path: ['applied'],
  error: '"others" needs "muids": those that are not applied',
});

/** Faults of a sandbox, and its behaviour when nothing is documented. */
export const faultPlan = z.strictObject({
  seed: z.int().min(0).max(0xffff_ffff).default(1).describe('The same seed breaks the same requests'),
  rules: z.array(aimedRule).max(100).default([]).describe('If several match a request, the first one applies'),
  inARowMax: z
    .int()
    .min(1)
    .optional()
    .describe('So many imports in a row are broken for one of their items at most; no end if not given'),
  duplicates: z.enum(['refused', 'stored']).optional().describe('Result for a muid that already exists'),
  badRows: z
    .enum(['answered', 'abort'])
    .optional()
    .describe('Effect of a blank or overdue message: it gets an answer, or ends the request with status 500'),
  outsiders: z
    .enum(['join', 'stored', 'refused'])
    .optional()
    .describe(
      'Result for an imported message of a user who is no member of its group: the user joins, only the message is stored, or `ERR_GROUP_NOT_JOINED`',
    ),
  deactivated: z
    .enum(['at-once', 'ignored'])
    .optional()
    .describe('Effect of `deactivatedAt` in an import of users: messages may not name the user, or none'),
  listing: z
    .strictObject({
      order: z.enum(['id', 'time']).default('id').describe('Order of listed messages'),
      cursors: z.enum(['exclusive', 'inclusive']).default('exclusive').describe('Whether pages repeat their edge'),
      muids: z.enum(['shown', 'hidden']).default('shown').describe('Whether listed messages have their muid'),
      visibleAfterMs: z.int().min(0).max(hiddenMsMax).default(0).describe('A message is listed so long after it came'),
    })
    .optional(),
  clockSkewSeconds: z.int().optional().describe('How far the header `Date` is ahead'),
});

export type FaultPlan = z.output<typeof faultPlan>;
/** As it is written: every field has a default. */
export type FaultPlanInput = z.input<typeof faultPlan>;
export type FaultRule = FaultPlan['rules'][number];

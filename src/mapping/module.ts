import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { UsageError } from '../lib/errors.ts';
import type { Same } from '../lib/same.ts';
import { sha256Hex } from '../lib/hash.ts';
import { truncate } from '../lib/text/plain-text.ts';
import { listFaults, type SchemaFault, schemaWords } from '../lib/text/schema-words.ts';
import type { ConversationRecord, Json, MessageRecord, UserRecord } from '../model/records.ts';
import { idPattern } from '../service/profiles.ts';
import type { Draft } from './message/draft-message.ts';
import { metadataSchema } from './message/metadata.ts';
import { docsLink } from '../lib/docs-link.ts';

/**
 * Steps that a JavaScript or TypeScript module next to a mapping may replace, each by itself. A step gets a record and
 * a context whose `next(record)` returns the result of the mapping file: change the record before, change the result
 * after, or return something else altogether. Steps are pure and synchronous: the same record must always give the same
 * result.
 */
export interface MappingModule {
  readonly mapPerson?: (user: UserRecord, context: StepContext<UserRecord, PersonResult>) => PersonResult;
  readonly mapConversation?: (
    conversation: ConversationRecord,
    context: StepContext<ConversationRecord, ConversationResult>,
  ) => ConversationResult;
  readonly mapMessage?: (
    message: MessageRecord,
    context: StepContext<MessageRecord, MessageResult> & MessageStepContext,
  ) => MessageResult;
}

export interface StepContext<R, Result> {
  /** The keys of the mapping file. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Returns the mapping file's result for the record. Its identity (ids and origin) must be that of the record given. */
  next(record: R): Result;
}

export interface MessageStepContext {
  /** Returns the uid of a person whom the export knows by this id. */
  uidOf(userId: string): string;
}

const id = z.string().regex(idPattern, { error: 'expected 1 to 100 characters of a-z, 0-9, - and _' });
const seconds = z.int().nonnegative();
const url = z.url({ protocol: /^https?$/ }).max(3000);

/** A user, in the service's shape. Times are Unix seconds. */
export interface PersonResult {
  uid: string;
  /** 1 to 100 characters. */
  name: string;
  avatar?: string | undefined;
  link?: string | undefined;
  createdAt?: number | undefined;
  metadata?: Record<string, Json> | undefined;
}

/** A group, in the service's shape, and whether its messages are left out. The rest of a one-to-one chat is not sent. */
export interface ConversationResult {
  guid: string;
  /** 1 to 100 characters. */
  name: string;
  type: 'public' | 'private';
  /** 255 characters at most. */
  description?: string | undefined;
  icon?: string | undefined;
  owner?: string | undefined;
  createdAt?: number | undefined;
  metadata?: Record<string, Json> | undefined;
  isExcluded?: boolean | undefined;
}

/** A message's payload in the service's shape, or the words of a rule by which it is left out or rejected. */
export type MessageResult = { skip: string } | { reject: string; code?: string | undefined } | MessagePayload;

export interface MessagePayload {
  category: 'message' | 'custom';
  type: string;
  data: {
    text?: string | undefined;
    attachments?:
      | {
          name: string;
          extension: string;
          mimeType: string;
          size?: string | undefined;
          url: string;
          [more: string]: unknown;
        }[]
      | undefined;
    metadata?: Record<string, Json> | undefined;
    [more: string]: unknown;
  };
  tags?: string[] | undefined;
}

export const personResultSchema = z.lazy(() =>
  z.strictObject({
    uid: id,
    name: z.string().min(1).max(100),
    avatar: url.optional(),
    link: url.optional(),
    createdAt: seconds.optional(),
    metadata: z.record(z.string(), z.json()).optional(),
  }),
);
true satisfies Same<z.output<typeof personResultSchema>, PersonResult>;

export const conversationResultSchema = z.lazy(() =>
  z.strictObject({
    guid: id,
    name: z.string().min(1).max(100),
    type: z.enum(['public', 'private']),
    description: z.string().max(255).optional(),
    icon: url.optional(),
    owner: id.optional(),
    createdAt: seconds.optional(),
    metadata: z.record(z.string(), z.json()).optional(),
    isExcluded: z.boolean().optional(),
  }),
);
true satisfies Same<z.output<typeof conversationResultSchema>, ConversationResult>;

const payloadSchema = z.lazy(() =>
  z.strictObject({
    category: z.enum(['message', 'custom']),
    type: z.string().min(1),
    data: z.looseObject({
      text: z.string().optional(),
      attachments: z
        .array(
          z.looseObject({
            name: z.string(),
            extension: z.string(),
            mimeType: z.string(),
            size: z.string().optional(),
            url,
          }),
        )
        .optional(),
      metadata: z.record(z.string(), z.json()).optional(),
    }),
    tags: z.array(z.string()).optional(),
  }),
);

export const messageResultSchema = z.lazy(() =>
  z.union([
    z.strictObject({ skip: z.string().min(1) }),
    z.strictObject({ reject: z.string().min(1), code: z.string().optional() }),
    payloadSchema,
  ]),
);
true satisfies Same<z.output<typeof messageResultSchema>, MessageResult>;

/** Gives a module its types: `export default defineMapping({ mapMessage(message, { next }) { … } })`. */
export const defineMapping = (module: MappingModule): MappingModule => module;

/** Outcome of a module's step: its checked result, or why there is none. */
export type StepOutcome<Result> =
  | { readonly result: Result; readonly fault?: never }
  | { readonly fault: string; readonly result?: never };

/** Columns of a module's own words that are kept. */
const wordsMax = 300;

/** Calls a step of a module and checks what it answers. A module's mistake costs one record, never the run. */
export function runStep<Result>(name: string, call: () => unknown, schema: z.ZodType<Result>): StepOutcome<Result> {
  let answer: unknown;
  try {
    answer = call();
  } catch (error) {
    return { fault: truncate(`${name} failed: ${error instanceof Error ? error.message : String(error)}`, wordsMax) };
  }
  const parsed = schema.safeParse(answer, schemaWords);
  if (parsed.success) return { result: parsed.data };
  const wasLate = answer instanceof Promise ? ' (a step must not be asynchronous)' : '';
  return {
    fault: truncate(
      `${name} answered something else than a result${wasLate}: ${firstFault(schema, parsed.error)}`,
      wordsMax,
    ),
  };
}

/** The first of the faults: `data.text: expected text, found a list`. */
function firstFault(schema: z.ZodType, { issues }: z.ZodError): string {
  const [{ at, what }] = listFaults(schema, issues) as [SchemaFault];
  return at.length === 0 ? what : `${at.join('.')}: ${what}`;
}

/** A record that a module hands to `next`. @throws Error in words for the module's author. */
export function checkedRecord<R>(
  given: unknown,
  schema: z.ZodType<R>,
  identify: (record: R) => string,
  wanted: string,
): R {
  const parsed = schema.safeParse(given, schemaWords);
  if (!parsed.success)
    throw new Error(`next() was given something else than a record: ${firstFault(schema, parsed.error)}`);
  if (identify(parsed.data) === wanted) return parsed.data;
  throw new Error(`next() was given another record: expected ${wanted}, found ${identify(parsed.data)}`);
}

/** A draft as a module sees it: in the service's own shape. */
export const draftToPayload = ({
  category,
  type,
  text,
  attachments,
  metadata,
  constants,
  more,
  tags,
}: Draft): MessagePayload => ({
  category,
  type,
  data: {
    text,
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...more,
    metadata: { chatferry: metadata, ...constants } as NonNullable<MessagePayload['data']['metadata']>,
  },
  tags: [...tags],
});

/** The payload of a module as a draft; words where its `chatferry` is not ours. */
export function payloadToDraft({ category, type, data, tags = [] }: MessagePayload, muid: string): Draft | string {
  const { text = '', attachments = [], metadata = {}, ...more } = data;
  const { chatferry = { v: 1, key: muid }, ...constants } = metadata;
  const ours = metadataSchema.safeParse(chatferry);
  if (!ours.success) return 'mapMessage answered a data.metadata.chatferry that its schema does not allow';
  if (ours.data.key !== muid) return `mapMessage answered another key in data.metadata.chatferry: expected ${muid}`;
  return { category, type, text, attachments, metadata: ours.data, constants, more, tags };
}

export interface LoadedModule {
  readonly steps: MappingModule;
  /** Changes when the file does. Modules that it imports are not part of it. */
  readonly hash: string;
}

const stepNames = ['mapPerson', 'mapConversation', 'mapMessage'] as const;

/**
 * Runs the module: it is code with the rights of this process. Steps are its named exports, or those of the object that
 * it exports as default.
 *
 * @param mappingPath The module's path counts from its folder.
 * @throws UsageError
 */
export async function loadModule(file: string, mappingPath: string): Promise<LoadedModule> {
  const path = resolve(dirname(mappingPath), file);
  try {
    const hash = sha256Hex(await readFile(path, 'utf8'));
    // A module that has changed is another module to the loader, which keeps what it once loaded.
    const url = `${pathToFileURL(path).href}?${hash.slice(0, 16)}`;
    const exported = (await import(url)) as Readonly<Record<string, unknown>>;
    return { steps: checkSteps((exported.default ?? exported) as Readonly<Record<string, unknown>>), hash };
  } catch (cause) {
    throw new UsageError(`Cannot use the module "${file}": ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: `Its path counts from the folder of the mapping file; ${docsLink('reference/mapping')} shows a module`,
      cause,
    });
  }
}

function checkSteps(exported: Readonly<Record<string, unknown>>): MappingModule {
  const unusable = stepNames.find((name) => exported[name] !== undefined && typeof exported[name] !== 'function');
  if (unusable) throw new TypeError(`expected a function as ${unusable}, found ${typeof exported[unusable]}`);
  const steps = Object.fromEntries(
    stepNames.flatMap((name) => (exported[name] === undefined ? [] : [[name, exported[name]]])),
  );
  if (Object.keys(steps).length > 0) return steps;
  throw new TypeError(`expected at least one of ${stepNames.join(', ')}, found none`);
}

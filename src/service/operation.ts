import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import examples from './contract/examples.json' with { type: 'json' };

/**
 * One operation of the service, declared once. The client, the sandbox, `chatferry call`, the OpenAPI document and the
 * reference page all read it; each of them brings its own logic.
 *
 * Requests are as strict as the specification; answers are described loosely: a field that we do not know never breaks a client.
 * No name occurs twice among the fields of `params`, `headers` and `query`: together they are the arguments of a call.
 */
export interface Operation {
  /** Unique, never changes: `listMessages`. */
  readonly name: string;
  /** One line for tables, without a full stop. */
  readonly summary: string;
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters are in braces: `/v3/groups/{guid}`. */
  readonly path: `/v3/${string}`;
  /** One field per brace. */
  readonly params?: z.ZodObject;
  /** Besides `apikey`, which every operation needs. Names as the service spells them. */
  readonly headers?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Body of a successful answer, which always has status 200. */
  readonly answer: z.ZodType;
  /** Why the request as a whole may be refused, besides `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** Why one item of it may be refused inside an answer that is a success. */
  readonly itemErrors?: readonly ErrorCode[];
  /** Class in which the hosted service counts it; see `publicRatesPerMinute`. The specification shows no rates. */
  readonly rateClass: RateClass;
  /** Facts beyond the shapes, each with its source. */
  readonly notes?: readonly Note[];
  /** Present if the specification advises against it: what to use instead. */
  readonly deprecated?: string;
  /** From `examples.json`. The people in them do not exist. */
  readonly example: Example;
}

export type Area =
  | 'API keys'
  | 'Users'
  | 'Friends'
  | 'Blocked users'
  | 'Roles'
  | 'Groups'
  | 'Messages'
  | 'Import'
  | 'Conversations'
  | 'Statistics'
  | 'Notifications';

/** The specification; what the hosted service documents or was seen to do (2026-11); or neither, so that we had to choose. */
export interface Note {
  readonly from: 'specification' | 'public' | 'assumed';
  readonly says: string;
}

export const specified = (says: string): Note => ({ from: 'specification', says });
export const documented = (says: string): Note => ({ from: 'public', says });
export const assumed = (says: string): Note => ({ from: 'assumed', says });

/** A call that fits the schemas, and its answer. */
export interface Example {
  /** Parameters of path, headers and query by name. */
  readonly parameters: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: unknown;
  readonly answer: unknown;
}

export type RateClass = 'import' | 'core' | 'standard' | 'send';

/**
 * Requests per minute that the hosted service allows, by class (rate limit page, 2026-11): all operations of a class together,
 * of `send` those of one sender. The specification shows no rates.
 */
export const publicRatesPerMinute: Readonly<Record<RateClass, number>> = {
  import: 60,
  core: 10_000,
  standard: 20_000,
  send: 30,
};

/** By the name of the operation. */
const exampleOf: Readonly<Record<string, Example>> = examples;

type Declaration = Omit<Operation, 'example'>;

/** Adds the example of that name. Keeps the types of the schemas. */
export const defineOperation = <const Declared extends Declaration>(
  declared: Declared,
): Declared & { readonly example: Example } => ({ ...declared, example: exampleOf[declared.name]! });

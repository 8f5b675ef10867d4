import type { z } from 'zod';

/**
 * One operation of the service, declared once. The client, the sandbox, `chatferry call` and the OpenAPI text all read it;
 * each of them brings its own logic.
 *
 * Answers are described loosely: a field that we do not know never breaks a client.
 */
export interface Operation {
  /** Unique, never changes: `listMessages`. */
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters stand in braces: `/v3/groups/{guid}`. */
  readonly path: `/v3/${string}`;
  /** One field per brace. */
  readonly params?: z.ZodObject;
  /** Besides `apikey`, which every operation needs. Names as the service spells them. */
  readonly headers?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Body of a successful answer, which always has status 200. */
  readonly answer: z.ZodType;
}

/** Keeps the types of the schemas. */
export const defineOperation = <const Declared extends Operation>(operation: Declared): Declared => operation;

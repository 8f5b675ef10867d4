import { z } from 'zod';
import { secondsMax } from '../limits.ts';

/** An id that the service made: a string by its documentation, tolerated as a number. */
export const serverId = z.union([z.string(), z.number()]).transform(String);

/** Unix seconds as they are sent: the specification shows strings, the public service's schema integers. Both are accepted. */
export const sentSeconds = z.union([
  z.int().min(0).max(secondsMax),
  z.string().regex(/^\d{1,10}$/, 'expected Unix seconds, ten digits at most'),
]);

/** Unix seconds as they are answered. */
export const seconds = z.number();

/** An integer of a query string. */
export const integerParameter = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/, 'expected an integer')
    .transform(Number),
]);

/** A flag of a query string. */
export const booleanParameter = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1'),
]);

/** A list of a query string: the parameter repeated. */
export const listParameter = z.array(z.string());

/** Whom a request acts for. */
export const onBehalfOf = z.object({ onBehalfOf: z.string().optional() });

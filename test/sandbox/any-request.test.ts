import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorBody } from '../../src/service/operation.ts';
import { operations } from '../../src/service/operations.ts';
import { anyText } from '../arbitrary-text.ts';
import { apiKey, sandboxOf } from './fixture.ts';
import { isNightly } from '../tier.ts';

const known = fc.constantFrom('ann', 'bob', 'team', 'guest', '1', 'group_team', 'ann_user_bob', '__proto__');
const value = fc.oneof(known, anyText);

/** The example of an operation, with one of its fields replaced, or something else altogether. */
const bodyOf = (example: unknown) =>
  fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...Object.keys((example as object | undefined) ?? { none: 0 })), fc.jsonValue())
      .map(([field, other]) => ({ ...(example as object), [field]: other })),
  );

const request = fc.constantFrom(...operations).chain((operation) => {
  const query = 'query' in operation ? Object.keys(operation.query.shape) : ['page'];
  return fc.record({
    operation: fc.constant(operation),
    segments: fc.array(value, { minLength: 3, maxLength: 3 }),
    search: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...query), anyText), value), { maxLength: 3 }),
    onBehalfOf: fc.option(value),
    body: bodyOf('body' in operation.example ? operation.example.body : undefined),
  });
});

describe('any request', () => {
  it('is answered with JSON: a success, or an error that explains the fault', () => {
    const sandbox = sandboxOf({ seed: 'demo' });
    fc.assert(
      fc.property(request, ({ operation, segments, search, onBehalfOf, body }) => {
        let index = 0;
        const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(segments[index++]!.toWellFormed()));
        const query = new URLSearchParams(search).toString();
        const answer = sandbox.handle({
          method: operation.method,
          path: query === '' ? path : `${path}?${query}`,
          headers: { apikey: apiKey, ...(onBehalfOf !== null && { onBehalfOf }) },
          body: JSON.stringify(body),
        });
        const json = JSON.parse(answer.body);
        if (answer.status === 200) expect(operation.answer.safeParse(json).error).toBeUndefined();
        else expect(errorBody.safeParse(json).error).toBeUndefined();
        expect([200, 400, 403, 404, 409]).toContain(answer.status);
      }),
      { numRuns: isNightly ? 3_000 : 600 },
    );
  });
});

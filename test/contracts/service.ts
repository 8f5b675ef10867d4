import { beforeEach, describe, expect, it } from 'vitest';
import { commonErrors, type ErrorCode, type Operation } from '../../src/service/operation.ts';
import { type OperationName, operations } from '../../src/service/operations.ts';
import { type DirectoryOperation, directoryRefusals, importable } from './service-directory.ts';
import { itemRefusals, refusals, unreachable } from './service-refusals.ts';
import { type RawCall, Scene, type ServiceUnderTest } from './service-scene.ts';
import { demoOnly, successes } from './service-successes.ts';

/** Operations of the specification, and those that only a hosted service documents. */
const { specified = [], documented = [] } = Object.groupBy(
  operations as readonly (Operation & { readonly name: OperationName })[],
  ({ isSpecified }) => (isSpecified === false ? 'documented' : 'specified'),
);

/**
 * Tests what every chat service must do, over HTTP through the client: each operation for success and for every error
 * that it documents. Checks every answer against the contract.
 *
 * @param open called for each test; people and groups of a test are its own.
 */
export function describeService(
  name: string,
  options: {
    readonly hasDemo: boolean;
    readonly part: 'specified' | 'documented';
    readonly open: () => Promise<ServiceUnderTest>;
  },
): void {
  const { hasDemo, part, open } = options;
  const tested = part === 'specified' ? specified : documented;
  const withDemo = it.skipIf(!hasDemo);

  describe(name, () => {
    let scene: Scene;

    beforeEach(async () => {
      scene = new Scene(await open());
      await scene.prepare();
    });

    for (const operation of tested) {
      const ordinary = demoOnly.has(operation.name) ? withDemo : it;

      describe(operation.name, () => {
        ordinary('does what it says', () => successes[operation.name]!(scene));

        ordinary.each(Object.keys(refusals[operation.name] ?? {}) as ErrorCode[])('may answer %s', async (code) => {
          await scene.expectRefusal(operation.name, await refusals[operation.name]![code]!(scene), code);
        });

        it('wants a key that exists', async () => {
          const call = callOf(operation);
          const withKey = (apikey: string): RawCall => ({ ...call, headers: { ...call.headers, apikey } });
          await scene.expectRefusal(operation.name, withKey(''), 'AUTH_ERR_EMPTY_APIKEY');
          await scene.expectRefusal(operation.name, withKey('0'.repeat(40)), 'AUTH_ERR_APIKEY_NOT_FOUND');
        });

        withDemo('wants a key with full access', async () => {
          const call = callOf(operation);
          const headers = { ...call.headers, apikey: scene.service.demo!.authOnlyKey };
          await scene.expectRefusal(operation.name, { ...call, headers }, 'AUTH_ERR_NO_ACCESS');
        });

        it.runIf(operation.body)('wants JSON', () =>
          scene.expectRefusal(operation.name, { ...callOf(operation), body: '{' }, 'ERR_BAD_REQUEST'),
        );

        withDemo('passes over a parameter that it does not know', async () => {
          const call = callOf(operation);
          const query = { ...call.query, 'no-such-parameter': 'x' };
          const answer = await scene.send(operation.name, { ...call, query });
          expect(JSON.parse(answer.body).error?.code).not.toBe('ERR_BAD_REQUEST');
        });
      });
    }

    withDemo.each([
      ['ERR_TOO_MANY_REQUESTS', { answer: 'rate-limited', retryAfter: 3 }],
      ['ERR_EXCEPTION', { answer: 'error' }],
    ] as const)('may answer %s to every operation', async (code, rule) => {
      const { transport, apiKey } = scene.service;
      const body = JSON.stringify({ rules: [rule] });
      const plan = { method: 'PUT', path: '/sandbox/faults', headers: { apikey: apiKey }, body } as const;
      expect((await transport.send(plan, new AbortController().signal)).status).toBe(200);
      for (const operation of tested) await scene.expectRefusal(operation.name, callOf(operation), code);
    });

    if (part === 'documented') return describeDirectory(() => scene);

    it.each(Object.keys(itemRefusals) as ErrorCode[])('refuses one message of an import with %s', async (code) => {
      const item = scene.importItem({ ...(await itemRefusals[code]!(scene)) });
      const good = scene.importItem();
      const body = { messages: { [item.muid]: item, [good.muid]: good } };
      const answer = await scene.send('importMessages', { body });
      expect(answer.status, answer.body).toBe(200);
      const { data } = JSON.parse(answer.body);
      expect(data[item.muid], answer.body).toMatchObject({
        success: false,
        error: { code, message: expect.any(String) },
      });
      expect(data[good.muid]).toMatchObject({ success: true });
    });

    it.each([
      ["the vendor's SDK", 'types=image,custom&categories=message,custom&mentionsWithTagInfo=1&myMentionsOnly=false'],
      ['the public PHP client', 'types[0]=image&types[1]=custom&categories[0]=message'],
      ['the public PHP client, encoded', 'types%5B0%5D=image&types%5B1%5D=custom'],
      ['a client made of the OpenAPI document', 'types=image&types=custom&categories=message'],
    ])('reads lists in a query as %s spells them', async (_, query) => {
      const { transport, apiKey } = scene.service;
      const listed = async (lists: string) => {
        const path = `/v3/messages?conversationId=group_${scene.group}&${lists}`;
        const { status, body } = await transport.send({ method: 'GET', path, headers: { apikey: apiKey } }, never);
        expect(status, body).toBe(200);
        return JSON.parse(body).data as readonly unknown[];
      };
      expect(await listed(query)).toHaveLength(0);
      expect(await listed(query.replace('custom', 'text'))).toHaveLength(3);
    });
  });

  describe(`${name}, as the contract documents it`, () => {
    it.each(tested.map(({ name: operation, errors }) => [operation, errors as readonly ErrorCode[]] as const))(
      '%s has a case for every error',
      (operation, errors) => {
        const cases = [...Object.keys(refusals[operation] ?? {}), ...Object.keys(unreachable[operation] ?? {})];
        const common: readonly string[] = commonErrors;
        expect(cases.toSorted()).toEqual(errors.filter((code) => !common.includes(code)).toSorted());
      },
    );
  });
}

/** Single items of imports of users, groups and members. */
function describeDirectory(scene: () => Scene): void {
  const cases = Object.entries(directoryRefusals).flatMap(([operation, codes]) =>
    Object.keys(codes).map((code) => [operation as DirectoryOperation, code as ErrorCode] as const),
  );

  it.each(cases)('%s refuses one item of an import with %s', async (operation, code) => {
    const [badKey, bad] = await directoryRefusals[operation][code]!(scene());
    const [goodKey, good] = importable[operation](scene());
    const { field } = importable;
    const body = { [field(operation)]: { [badKey]: bad, [goodKey]: good } };
    const answer = await scene().send(operation, { body });
    expect(answer.status, answer.body).toBe(200);
    const { data } = JSON.parse(answer.body);
    expect(data[badKey], answer.body).toMatchObject({ success: false, error: { code, message: expect.any(String) } });
    expect(data[goodKey], answer.body).toMatchObject({ success: true });
  });

  it.each(documented)('$name has a case for every error of an item', ({ name, itemErrors = [] }) => {
    expect(cases.flatMap(([operation, code]) => (operation === name ? [code] : [])).toSorted()).toEqual(
      itemErrors.toSorted(),
    );
  });

  it.each(documented)('$name takes 1 to 50 items', async ({ name }) => {
    const operation = name as DirectoryOperation;
    const [key, item] = importable[operation](scene());
    const bodyOf = (count: number) => ({
      [importable.field(operation)]: Object.fromEntries(
        Array.from({ length: count }, (_, number) => [number === 0 ? key : `no-${number}`, item]),
      ),
    });
    for (const count of [0, 51]) await scene().expectRefusal(name, { body: bodyOf(count) }, 'ERR_BAD_REQUEST');
    const answer = await scene().send(name, { body: bodyOf(50) });
    expect(JSON.parse(answer.body).data[key], answer.body).toMatchObject({ success: true });
  });
}

const never = new AbortController().signal;

/** The call that the contract gives as an example, taken apart. */
function callOf(operation: Operation): RawCall {
  const { parameters, body } = operation.example;
  const part = (schema: Operation['params']) =>
    Object.fromEntries(
      Object.entries(parameters)
        .filter(([name]) => schema && Object.hasOwn(schema.shape, name))
        .map(([name, value]) => [name, String(value)]),
    );
  return {
    params: part(operation.params),
    query: part(operation.query),
    headers: part(operation.headers),
    ...(body !== undefined && { body }),
  };
}

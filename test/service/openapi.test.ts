import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { operations, openApiDocument } from '../../src/service/operations.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
const document = openApiDocument() as any;

/** A validator that knows the document's schemas by their place in it. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(document, 'document');
const errorsOf = (pointer: string, value: unknown) => {
  ajv.validate({ $ref: `document#${pointer}` }, value);
  return ajv.errors ?? [];
};

const inPointer = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

describe('the OpenAPI document', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('declares the contents of a form in an answered message', () => {
    const { interactiveData, interactionGoal } = document.components.schemas.Message.properties.data.properties;
    expect(Object.keys(interactiveData.properties)).toEqual(['title', 'formFields', 'submitElement']);
    expect(Object.keys(interactionGoal.properties)).toEqual(['type', 'elementIds']);
  });

  it('is the same JSON wherever it is built', () => {
    expect(JSON.parse(JSON.stringify(openApiDocument()))).toEqual(document);
  });

  it('has every operation', () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const names = Object.values(document.paths).flatMap((methods: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      Object.values(methods).map(({ operationId }: any) => operationId),
    );
    expect(names.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  });

  it('describes every parameter', () => {
    for (const { path, method } of operations) {
      for (const parameter of document.paths[path][method.toLowerCase()].parameters) {
        expect(parameter, `${method} ${path}`).toMatchObject({
          name: expect.any(String),
          description: expect.stringMatching(/./),
        });
      }
    }
  });

  it('says that every operation needs the key', () => {
    expect(document.security).toEqual([{ apikey: [] }]);
    expect(document.components.securitySchemes.apikey).toMatchObject({ in: 'header', name: 'apikey' });
  });

  it('names the three variants of a message, every form element and both actions', () => {
    const { schemas } = document.components;
    const text = JSON.stringify(schemas);
    for (const word of ['PlainMessageBody', 'CustomMessageBody', 'InteractiveMessageBody', 'FormElement']) {
      expect(schemas).toHaveProperty(word);
    }
    for (const word of ['textInput', 'dropdown', 'singleSelect', 'checkbox', 'button', 'dateTime']) {
      expect(text).toContain(`"const":"${word}"`);
    }
    for (const word of ['urlNavigation', 'apiAction']) expect(text).toContain(`"const":"${word}"`);
  });

  describe.each(operations.map((operation) => [operation.name, operation] as const))('of %s', (_, operation) => {
    const place = `/paths/${inPointer(operation.path)}/${operation.method.toLowerCase()}`;
    const declared = document.paths[operation.path][operation.method.toLowerCase()];

    it('has examples that fit their schemas', () => {
      const { requestBody, responses, parameters } = declared;
      const inJson = 'content/application~1json';
      if (requestBody) {
        const { example } = requestBody.content['application/json'];
        expect(errorsOf(`${place}/requestBody/${inJson}/schema`, example)).toEqual([]);
      }
      const { example } = responses[200].content['application/json'];
      expect(errorsOf(`${place}/responses/200/${inJson}/schema`, example)).toEqual([]);
      for (const [index, parameter] of parameters.entries()) {
        if ('example' in parameter) {
          expect(errorsOf(`${place}/parameters/${index}/schema`, parameter.example)).toEqual([]);
        }
      }
    });

    it('has an example of every error', () => {
      for (const [status, { content }] of Object.entries<typeof declared>(declared.responses)) {
        for (const [code, { value }] of Object.entries<typeof declared>(content['application/json'].examples ?? {})) {
          expect([status, code, errorsOf('/components/schemas/Error', value)]).toEqual([status, code, []]);
        }
      }
      for (const code of operation.errors) expect(JSON.stringify(declared.responses)).toContain(code);
    });
  });

  it('refuses what does not fit: the schemas are more than words', () => {
    const body = '/paths/~1v3~1messages/post/requestBody/content/application~1json/schema';
    expect(errorsOf(body, { receiver: 'bob', receiverType: 'user', data: { text: 5 } })).not.toEqual([]);
    expect(errorsOf(body, { receiver: 'bob', receiverType: 'planet', data: {} })).not.toEqual([]);
  });
});

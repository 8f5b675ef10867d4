import { describe, expect, it } from 'vitest';
import { optionNames } from '../../src/config/options.ts';
import { errorCodes, type Operation } from '../../src/service/operation.ts';
import { messageBody } from '../../src/service/import-item.ts';
import { operations } from '../../src/service/operations.ts';
import { prepareRequest } from '../../src/service/call-operation.ts';

const declared: readonly Operation[] = operations;

const fieldsOf = ({ params, headers, query }: Operation) =>
  [params, headers, query].flatMap((schema) => Object.entries(schema?.shape ?? {}));

describe('the contract', () => {
  it('declares the 25 operations of the specification', () => {
    const specified = declared.filter(({ isSpecified }) => isSpecified !== false);
    expect(specified.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /v3/conversations/{conversationId}',
      'DELETE /v3/groups/{guid}',
      'DELETE /v3/groups/{guid}/members/{uid}',
      'DELETE /v3/notifications/sms/v1/providers/custom',
      'DELETE /v3/notifications/v1/contact-details',
      'DELETE /v3/roles/{role}',
      'DELETE /v3/roles/{role}/restrictedfeatures',
      'DELETE /v3/users',
      'DELETE /v3/users/{uid}/blockedusers',
      'DELETE /v3/users/{uid}/friends',
      'GET /v3/groups/{guid}',
      'GET /v3/messages',
      'GET /v3/notifications/v1/contact-details',
      'GET /v3/roles/{role}/restrictedfeatures',
      'GET /v3/stats/messages',
      'GET /v3/users/{uid}/messages',
      'POST /v3/bots/{uid}/messages',
      'POST /v3/data_import/messages',
      'POST /v3/messages',
      'POST /v3/messages/{id}/reactions/{reaction}',
      'POST /v3/users/{uid}/blockedusers',
      'POST /v3/users/{uid}/friends',
      'PUT /v3/apikeys/{apiKey}',
      'PUT /v3/users',
      'PUT /v3/users/{uid}/auth_tokens/{authToken}',
    ]);
  });

  it('gives every operation a name of its own', () => {
    expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
  });

  it('requires or allows onBehalfOf where the specification does', () => {
    const of = (isRequired: boolean) =>
      declared
        .filter(({ headers }) => headers && headers.safeParse({}).success !== isRequired)
        .map(({ name }) => name)
        .toSorted();
    expect(of(true)).toEqual(['addReaction', 'deleteContactDetails', 'deleteConversation', 'getContactDetails']);
    expect(of(false)).toEqual([
      'deleteGroup',
      'getGroup',
      'kickMember',
      'listMessages',
      'listUserMessages',
      'sendMessage',
    ]);
  });
});

describe.each(declared.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  it('has a parameter for each brace of its path, and no other', () => {
    const braces = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(braces);
  });

  it('names no parameter twice, and none like an option of the command line', () => {
    const names = fieldsOf(operation).map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => [...optionNames, 'data', 'body', 'config'].includes(name))).toEqual([]);
  });

  it('describes every parameter', () => {
    expect(fieldsOf(operation).filter(([, field]) => !field.description)).toEqual([]);
  });

  it('has an example that it accepts', () => {
    const { parameters, body } = operation.example;
    expect(prepareRequest(operation, { parameters, body }).method).toBe(operation.method);
  });

  it('has an example of an answer that it accepts, and keeps fields that it does not name', () => {
    const answer = { ...(operation.example.answer as object), news: { of: 'the service' } };
    expect(operation.answer.parse(answer)).toHaveProperty('news.of', 'the service');
  });

  it('answers only with errors that are declared', () => {
    const codes = [...operation.errors, ...(operation.itemErrors ?? [])];
    expect(codes.filter((code) => !(code in errorCodes))).toEqual([]);
  });
});

describe('the body of a message', () => {
  const to = { receiver: 'bob', receiverType: 'user' };
  const form = (element: object) => ({
    ...to,
    category: 'interactive',
    type: 'form',
    data: {
      interactiveData: {
        title: 'T',
        formFields: [element],
        submitElement: { elementType: 'button', elementId: 's' },
      },
    },
  });

  it.each<[string, object]>([
    ['of a text, with nothing that has a default', { ...to, data: { text: 'Hello' } }],
    ['of a picture', { ...to, type: 'image', data: { attachments: [{ url: 'https://example.com/a.png' }] } }],
    ['of a custom message', { ...to, category: 'custom', type: 'poll', data: { customData: { options: 2 } } }],
    ['to several receivers', { multipleReceivers: { uids: ['a'], guids: ['g'] }, data: { text: 'Hello' } }],
    ['with keys of its own in data', { ...to, data: { text: 'Hello', mood: 'good' } }],
    ['with a text input', form({ elementType: 'textInput', elementId: 'a', maxLines: 2, placeholder: { text: 'x' } })],
    ['with a date', form({ elementType: 'dateTime', elementId: 'a', mode: 'date', from1: 'x' })],
    [
      'with a button that opens an address',
      form({ elementType: 'button', elementId: 'a', action: { actionType: 'urlNavigation', url: 'https://e.com' } }),
    ],
  ])('may be that %s', (_, body) => {
    expect(messageBody.safeParse(body).error).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['no receiver', { data: { text: 'x' } }, 'receiver'],
    ['no kind of receiver', { receiver: 'bob', data: { text: 'x' } }, 'receiverType'],
    ['another kind of receiver', { ...to, receiverType: 'room', data: {} }, 'receiverType'],
    ['a category that cannot be sent', { ...to, category: 'call', data: {} }, 'category'],
    ['a type that the category has not', { ...to, type: 'form', data: {} }, 'type'],
    ['no data', { ...to }, 'data'],
    ['a field that does not exist', { ...to, data: {}, txt: 'x' }, ''],
    ['no options', form({ elementType: 'dropdown', elementId: 'a' }), 'data.interactiveData.formFields.0.options'],
    ['another element', form({ elementType: 'slider' }), 'data.interactiveData.formFields.0.elementType'],
    [
      'another action',
      form({ elementType: 'button', elementId: 'a', action: { actionType: 'dance' } }),
      'data.interactiveData.formFields.0.action.actionType',
    ],
    [
      'a text for several choices',
      form({ elementType: 'checkbox', elementId: 'a', options: [], defaultValue: 'x' }),
      'data.interactiveData.formFields.0.defaultValue',
    ],
  ])('is refused with %s, and it is said where', (_, body, place) => {
    const issues = messageBody.safeParse(body).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.'))).toContain(place);
  });
});

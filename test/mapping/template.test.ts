import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, templateFields } from '../../src/mapping/rules/template.ts';
import { anyText } from '../arbitrary-text.ts';

describe('fillTemplate()', () => {
  it.each([
    ['{id}', 'u1'],
    ['user-{id}', 'user-u1'],
    ['{id}{id}', 'u1u1'],
    ['{name}-{id}', 'Ann-u1'],
    ['no fields', 'no fields'],
  ])('makes of %j %j', (template, filled) => {
    expect(fillTemplate(template, { id: 'u1', name: 'Ann' })).toBe(filled);
  });

  it.each([[undefined], ['']])('makes nothing where a field is %j, rather than half an id', (email) => {
    expect(fillTemplate('{id}-{email}', { id: 'u1', email })).toBeUndefined();
  });

  it('takes values as they are, whatever they look like', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        fc.pre(value !== '');
        expect(fillTemplate('<{id}>', { id: value, name: 'never' })).toBe(`<${value}>`);
      }),
    );
    expect(fillTemplate('{id}', { id: '{name} $& $1', name: 'never' })).toBe('{name} $& $1');
  });
});

describe('templateFields()', () => {
  it('names what stands in braces, fields or not', () => {
    expect(templateFields('{id}-{e-mail} { name }{}')).toEqual(['id', 'e-mail', ' name ', '']);
  });
});

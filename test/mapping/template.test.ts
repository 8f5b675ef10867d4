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

  it.each([[undefined], ['']])('returns nothing if a field is %j, rather than half an id', (email) => {
    expect(fillTemplate('{id}-{email}', { id: 'u1', email })).toBeUndefined();
  });

  it('inserts values unchanged, whatever they contain', () => {
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
  it('returns all text in braces, even if it is not a field', () => {
    expect(templateFields('{id}-{e-mail} { name }{}')).toEqual(['id', 'e-mail', ' name ', '']);
  });
});

import { describe, expect, test } from 'vitest';
import { renderJson, reportJsonSchema } from '../../src/report/report-files.ts';
import { emptyReport, finishedImport, hugeImport } from './fixture.ts';

describe('renderJson()', () => {
  test('renderJson() writes the whole report and ends with a line feed', () => {
    const text = renderJson(finishedImport());
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual(finishedImport());
  });

  test('renderJson() writes keys in one order, whatever order they come in', () => {
    const data = hugeImport();
    const shuffled = { ...Object.fromEntries(Object.entries(data).reverse()), version: data.version } as typeof data;
    expect(Object.keys(shuffled)[0]).not.toBe('version');
    expect(renderJson(shuffled)).toBe(renderJson(data));
  });

  test('renderJson() refuses data that breaks the contract', () => {
    expect(() => renderJson({ ...emptyReport(), conversationCount: -1 })).toThrow();
  });
});

test('reportJsonSchema() describes every key of the report', () => {
  const schema = reportJsonSchema();
  const always = Object.keys(JSON.parse(renderJson(emptyReport())));
  expect(schema.required).toEqual(always);
  const sometimes = Object.keys(schema.properties as object).filter((key) => !always.includes(key));
  expect(sometimes.sort()).toEqual([
    'actions',
    'anonymous',
    'answers',
    'answersFault',
    'arrivals',
    'days',
    'drift',
    'followUps',
    'media',
    'oldMessages',
    'reading',
    'rowsRead',
    'signedOff',
    'unverified',
  ]);
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
});

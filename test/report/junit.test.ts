import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderJunit } from '../../src/report/render/junit.ts';
import { anyText } from '../arbitrary-text.ts';
import { dryRun, emptyReport, finishedImport, troubledImport } from './fixture.ts';
import { fillStrings } from './hostile.ts';

/** Names of the test cases that ended this way. */
function casesWith(xml: string, tag: 'failure' | 'skipped'): readonly string[] {
  return [...xml.matchAll(/<testcase classname="chatferry\.(\w+)" name="([^"]+)"><(\w+)/g)]
    .filter(([, , , found]) => found === tag)
    .map(([, suite, name]) => `${suite} ${name}`);
}

describe('renderJunit()', () => {
  test('renderJunit() fails for what blocks messages, skips what needs a decision, passes the rest', () => {
    const xml = renderJunit(finishedImport());
    expect(casesWith(xml, 'failure')).toEqual(['rejected no-content']);
    expect(casesWith(xml, 'skipped')).toEqual(['checks attachment-expires']);
    expect(xml).toContain('<testcase classname="chatferry.verify" name="everything is there, once and unchanged"/>');
    expect(xml).toContain('<testsuites name="chatferry import" tests="5" failures="1" errors="0" skipped="1">');
  });

  test('renderJunit() fails for what the service refused and for differences', () => {
    expect(casesWith(renderJunit(troubledImport()), 'failure')).toEqual([
      'refused ERR_UID_NOT_FOUND',
      'rejected no-content',
      'verify everything is there, once and unchanged',
    ]);
  });

  test('renderJunit() says how many, what to do and where', () => {
    expect(renderJunit(dryRun())).toContain(
      '<skipped message="62 × Files whose address expires">The address ends to work at a time that it names.\nCopy the files to a place of your own first. Or: Accept that they are lost.\nIf you do nothing: the addresses stop working.\nengineering/2016-03-01.json#/0: Row of U061A20, “attachment-expires”\n',
    );
  });

  test('renderJunit() has a test where there is nothing to say', () => {
    expect(renderJunit(emptyReport())).toContain('tests="1" failures="0"');
  });

  test('renderJunit() stays XML whatever text it holds', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const xml = renderJunit({ ...fillStrings(troubledImport(), text) });
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
        expect(xml.isWellFormed()).toBe(true);
        const rest = xml.replaceAll(/<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>|<\?xml [^?]*\?>|&(?:amp|lt|gt|quot);/g, '');
        expect(rest).not.toMatch(/[<&]/);
      }),
      { numRuns: 200 },
    );
  });
});

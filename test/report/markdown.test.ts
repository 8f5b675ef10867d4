import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { anyText } from '../arbitrary-text.ts';
import { dryRun, emptyReport, finishedImport, hugeImport, troubledImport } from './fixture.ts';
import { fillStrings } from './hostile.ts';

describe('renderMarkdown()', () => {
  test('renderMarkdown() begins with the verdict and where the messages go', () => {
    expect(renderMarkdown(troubledImport())).toMatch(
      /^# Reading back found differences: 3 missing, 2 different, 1 duplicated\n\n`slack` `T061A2UFL`, 8 conversations → `https:\/\/chat\.example\.org`/,
    );
  });

  test('renderMarkdown() has the totals, the findings, the losses and the forecast', () => {
    const text = renderMarkdown(dryRun());
    expect(text).toContain('| pending | 1,031 | 74.4% | Planned, not yet sent. |');
    expect(text).toContain(
      '| 60 messages | What should become of files whose address will stop working? | `attachment-expires` | Copy the files to permanent storage. Send no files at all. | the addresses stop working |',
    );
    expect(text).toContain('| 512 | Emoji reactions of people | A list in the message’s metadata |');
    expect(text).toContain('1,031 messages in 21 requests, 402 KiB. About 21 s. Begun 2026-11-21 12:00 UTC');
  });

  test('renderMarkdown() has the answers of the first screen', () => {
    const text = renderMarkdown(dryRun());
    expect(text.match(/^- \*\*.*$/gm)).toHaveLength(5);
    expect(text).toContain('- **3** kinds changed or lost: 512 reactions, 187 thread structure and 1 more\n');
  });

  test('renderMarkdown() lists 50 conversations and counts the rest', () => {
    const text = renderMarkdown(hugeImport());
    expect(text).toContain('And 3,160 more.');
    expect(text.match(/`group project-/g)).toHaveLength(50);
  });

  test('renderMarkdown() leaves out what there is nothing to say about', () => {
    expect(renderMarkdown(emptyReport()).match(/^## .*/gm)).toEqual(['## Totals']);
  });

  test('renderMarkdown() keeps its lines and columns whatever text it holds', () => {
    const usual = shape(renderMarkdown(finishedImport()));
    fc.assert(
      fc.property(anyText, (text) => {
        const filled = { ...fillStrings(finishedImport(), `a${text}`), command: 'import' };
        expect(shape(renderMarkdown(filled))).toEqual(usual);
      }),
      { numRuns: 200 },
    );
  });

  test('renderMarkdown() lets no text end its code span', () => {
    const page = renderMarkdown(fillStrings(finishedImport(), 'a ``` `b` <img src=x>'));
    expect(page).toContain('```` a ``` `b` <img src=x> ````');
  });
});

/** Bars at the ends and between the cells of each line. */
const shape = (text: string): readonly number[] => text.split('\n').map((line) => line.match(/\|/g)?.length ?? 0);

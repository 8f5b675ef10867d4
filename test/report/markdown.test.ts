import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { anyText } from '../arbitrary-text.ts';
import { dryRun, emptyReport, finishedImport, hugeImport, troubledImport } from './fixture.ts';
import { fillStrings } from './hostile.ts';

describe('renderMarkdown()', () => {
  test('renderMarkdown() begins with the verdict and where the messages go', () => {
    expect(renderMarkdown(troubledImport())).toMatch(
      /^# Reading back found differences: 3 missing, 2 different, 1 duplicated\n\n`slack` workspace `T061A2UFL`, 8 conversations → `https:\/\/chat\.example\.org`/,
    );
  });

  test('renderMarkdown() has the totals, the findings, the losses and the forecast', () => {
    const text = renderMarkdown(dryRun());
    expect(text).toContain('| pending | 1,031 | 74.4% | Planned, not yet sent. |');
    expect(text).toContain('**60 messages** **What should become of files whose address will stop working?**\n\n');
    expect(text).toContain('- Copy the files to permanent storage\n- Send no files at all\n');
    expect(text).toContain('**If you do nothing** the addresses stop working.');
    expect(text).toContain('| reactions | 512 | Emoji reactions of people | A list in the message’s metadata |');
    expect(text).toContain('About 21 s');
  });

  test('renderMarkdown() has the answers of the first screen', () => {
    const text = renderMarkdown(dryRun());
    expect(text.match(/^- \*\*.*\)$/gm)).toHaveLength(5);
    expect(text).toContain('- **3** kinds changed or lost (512 reactions, 187 thread structure and 1 more)\n');
  });

  test('renderMarkdown() lists 50 conversations and counts the rest', () => {
    const text = renderMarkdown(hugeImport());
    expect(text).toContain('The 500 with most messages; conversations.csv has all 3,210.');
    expect(text).toContain('And 450 more.');
    expect(text.match(/^\| .* `C\w+` \| `group project-/gm)).toHaveLength(50);
  });

  test('renderMarkdown() has the sections of the page, and none of its drawings', () => {
    for (const report of [emptyReport(), troubledImport(), hugeImport()]) {
      const titles = [...renderHtml(report).matchAll(/<h2 id="[a-z-]+">([^<]+)</g)].map(([, title]) => `## ${title}`);
      const text = renderMarkdown(report);
      expect(text.match(/^## .*/gm)).toEqual(titles);
      expect(text).not.toMatch(/<(?:svg|rect|table|div|p|span)\b/);
    }
  });

  test('renderMarkdown() keeps its lines and columns whatever text it holds', () => {
    const filledWith = (text: string) => ({ ...fillStrings(finishedImport(), text), command: 'import' });
    const usual = shape(renderMarkdown(filledWith('a')));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(shape(renderMarkdown(filledWith(`a${text}`)))).toEqual(usual);
      }),
      { numRuns: 200 },
    );
  });

  test('renderMarkdown() shows no row of the export', () => {
    const [group] = troubledImport().invalid;
    const example = { location: 'a.json#/1', detail: 'no text', excerpt: '{"text":"hello"}' };
    const text = renderMarkdown({ ...troubledImport(), invalid: [{ ...group!, examples: [example] }] });
    expect(text).toContain('| `a.json#/1` | `no text` |');
    expect(text).not.toContain('hello');
  });

  test('renderMarkdown() lets no text end its code span', () => {
    const page = renderMarkdown(fillStrings(finishedImport(), 'a ``` `b` <img src=x>'));
    expect(page).toContain('```` a ``` `b` <img src=x> ````');
  });
});

/** Bars at the ends and between the cells of each line. */
const shape = (text: string): readonly number[] => text.split('\n').map((line) => line.match(/\|/g)?.length ?? 0);

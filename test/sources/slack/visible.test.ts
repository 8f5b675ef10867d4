import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asArray, asObject } from '../../../src/sources/kit/narrow.ts';
import { blocksToMarkdown } from '../../../src/sources/slack/blocks.ts';
import { readRow } from '../../../src/sources/slack/message.ts';
import { mrkdwnToMarkdown } from '../../../src/sources/slack/text.ts';
import { sharedFolder } from '../../requirements.ts';
import { lettersOf, type Shown, showMarkdown } from '../../scenes/read-markdown.ts';
import { rowContext, workspaceOf } from './context.ts';
import { rawRows } from './ledger.ts';
import { everyNth, isNightly } from '../../tier.ts';

/** Text as people type it, at its worst. */
const typed = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'Bo',
        '7',
        ' ',
        '  ',
        '.',
        '"',
        '(',
        ')',
        'é',
        '東',
        '🎉',
        "'s",
        '*',
        '_',
        '~',
        '`',
        '#',
        '# ',
        '- ',
        '1. ',
        '+ ',
      ],
      ...[
        '\\',
        '[',
        '](',
        '<',
        '>',
        '<b>',
        '&amp;',
        '&',
        '!',
        '---',
        '===',
        '    ',
        '\t',
        '|',
        ':',
        '**',
        '__',
        '~~',
        '\n',
        '\n\n',
        '\n- ',
      ],
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const style = fc.constantFrom(
  ...[undefined, undefined, { bold: true }, { italic: true }, { strike: true }, { code: true }],
  ...[
    { bold: true, italic: true },
    { bold: true, code: true },
    { italic: true, strike: true },
  ],
);
const element = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text: typed, style }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('link'),
      url: fc.constant('https://e.example/a_b'),
      text: fc.constantFrom(' here', 'the plan ', 'x'),
      style,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'user', user_id: 'U1' }) },
);
const elements = fc.array(element, { minLength: 1, maxLength: 6 });
const section = elements.map((inner) => ({ type: 'rich_text_section', elements: inner }));
const part = fc.oneof(
  { weight: 3, arbitrary: section },
  { weight: 1, arbitrary: elements.map((inner) => ({ type: 'rich_text_quote', elements: inner })) },
  {
    weight: 1,
    arbitrary: fc
      .array(section, { minLength: 1, maxLength: 3 })
      .map((items) => ({ type: 'rich_text_list', style: 'bullet', elements: items })),
  },
);

/** The letters that Slack shows of a block. */
function lettersOfBlock(value: unknown): string {
  const block = asObject<Record<string, unknown>>(value) ?? {};
  if (block.type === 'user') return block.user_id === 'U1' ? '@Ada' : `@${String(block.user_id)}`;
  if (block.type === 'text' || block.type === 'link') return String(block.text ?? block.url);
  return asArray(block.elements).map(lettersOfBlock).join('');
}

const shownLetters = (markdown: string) => lettersOf(showMarkdown(markdown).text.replaceAll('\u00a0', ' '));

describe('Markdown of rich text, with what people typed escaped', () => {
  it('shows the letters that Slack shows, and no others', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
        const block = { type: 'rich_text', elements: parts };
        const markdown = blocksToMarkdown([block], rowContext({}, true));
        expect(shownLetters(markdown)).toBe(lettersOf(lettersOfBlock(block)));
      }),
      { numRuns: isNightly ? 1500 : 100 },
    );
  });
});

/** Marks in the raw text, each of which is seen or has become a style: none is seen that was not typed. */
function expectNoMark(mrkdwn: string, shown: Shown): void {
  const { text, marks } = shown;
  const typedMarks = (mark: string) => mrkdwn.split(mark).length - 1;
  const seen = (mark: string) => text.split(mark).length - 1;
  expect(seen('*'), '*').toBeLessThanOrEqual(typedMarks('*') - 2 * (marks.strong ?? 0));
  expect(seen('_'), '_').toBeLessThanOrEqual(typedMarks('_') - 2 * (marks.em ?? 0));
  expect(seen('~'), '~').toBeLessThanOrEqual(typedMarks('~') - 2 * (marks.s ?? 0));
  expect(seen('`'), '`').toBeLessThanOrEqual(typedMarks('`') - 2 * (marks.code ?? 0) - 6 * (marks.fence ?? 0));
}

describe('Markdown of mrkdwn, with what people typed escaped', () => {
  it('shows no mark but those that people typed', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'B c',
        '7',
        ' ',
        '.',
        '"',
        '(',
        ')',
        'é',
        '🎉',
        '*',
        '*',
        '_',
        '_',
        '~',
        '`',
        '`x`',
        '*b*',
        '_i_',
        '~s~',
        '\n',
        '- ',
        '1. ',
      ],
      ...[
        '&lt;',
        '&gt; ',
        '&amp;',
        '<@U1>',
        '<https://e.example|e>',
        '<https://e.example>',
        '\\',
        '# ',
        '    ',
        ':tada:',
        '```x```',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const mrkdwn = pieces.join('');
        expectNoMark(mrkdwn, showMarkdown(mrkdwnToMarkdown(mrkdwn, rowContext({}, true))));
      }),
      { numRuns: isNightly ? 1500 : 100 },
    );
  });
});

const exports = sharedFolder('exports/slack');

describe.skipIf(exports === null)('Markdown of published Slack exports', () => {
  const folder = join(exports ?? '', 'single-messages');
  const single =
    exports === null
      ? []
      : ['thread_with_broadcast_reply', 'message_with_variety_files_and_rich_text'].flatMap((name) =>
          [JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as unknown].flat(),
        );
  const rows =
    exports === null
      ? []
      : [...rawRows(join(exports, 'workspace-2016')).values(), ...(single as Record<string, unknown>[])];

  it('shows no mark but those that people typed, and every style that it sets', () => {
    const conversation = { id: 'C1', pins: new Set<string>() };
    const styled = { strong: 0, em: 0, s: 0, code: 0 };
    // Rows with marks are few.
    const isMarked = (row: Record<string, unknown>) => row.blocks !== undefined || /[*_~`]/.test(String(row.text));
    for (const row of [
      ...rows.filter(isMarked),
      ...everyNth(
        10,
        rows.filter((row) => !isMarked(row)),
      ),
    ]) {
      const { attachments: _, ...words } = row;
      const [escaped, asTyped] = [true, false].map((escapes) => {
        const read = readRow(words, conversation, workspaceOf(false, escapes));
        return showMarkdown('record' in read ? read.record.text : '');
      });
      const raw = words.blocks === undefined ? wordsOf(words) : JSON.stringify(words);
      expectNoMark(raw, escaped!);
      for (const kind of ['strong', 'em', 's', 'code'] as const) {
        styled[kind] += escaped!.marks[kind] ?? 0;
        expect(asTyped!.marks[kind] ?? 0, kind).toBeGreaterThanOrEqual(escaped!.marks[kind] ?? 0);
      }
    }
    expect(styled.strong + styled.em + styled.code).toBeGreaterThan(10);
  });

  it('shows the letters of blocks', () => {
    const blocks = rows.filter((row) => row.blocks !== undefined && row.files === undefined);
    for (const row of blocks) {
      const markdown = blocksToMarkdown(asArray(row.blocks), rowContext(row, true));
      expect(shownLetters(markdown)).toBe(lettersOf(asArray(row.blocks).map(lettersOfBlock).join('')));
    }
  });
});

/** Returns all that people wrote in a row, in any field. */
const wordsOf = (row: Record<string, unknown>): string => JSON.stringify([row.text, row.comment, row.file]);

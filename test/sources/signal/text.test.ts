import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Gathered, writeMarkdown } from '../../../src/sources/signal/text.ts';

const gathering = (): Gathered => ({
  mentions: [],
  lost: {},
  personOf: (id) => ({ id, name: id.startsWith('2') ? 'Tomasz' : undefined }),
});
const tomasz = Buffer.alloc(16, 0x22).toString('base64');
const stranger = '33333333-3333-3333-3333-333333333333';

describe('writeMarkdown()', () => {
  it('sets styles by names and by numbers, one over another', () => {
    const ranges = [
      { length: 8, style: 'BOLD' },
      { start: 4, length: 4, style: 2 },
    ];
    expect(writeMarkdown('The tide is in', ranges, gathering())).toBe('**The _tide_** is in');
  });

  it('inserts names for placeholders, and counts unknown ones', () => {
    const gathered = gathering();
    const ranges = [
      { start: 0, length: 1, mentionAci: tomasz },
      { start: 2, length: 1, mentionAci: stranger },
    ];
    expect(writeMarkdown('\ufffc \ufffc', ranges, gathered)).toBe(`@Tomasz @${stranger}`);
    expect(gathered).toMatchObject({
      mentions: ['22222222-2222-2222-2222-222222222222', stranger],
      lost: { unnamed: 1 },
    });
  });

  it('counts what Markdown has no mark for, and ranges that lead nowhere', () => {
    const gathered = gathering();
    const ranges = [{ length: 3, style: 'SPOILER' }, { start: 900, length: 1, style: 'BOLD' }, { length: 1 }, 7];
    expect(writeMarkdown('The tide', ranges, gathered)).toBe('The tide');
    expect(gathered.lost).toEqual({ styles: 2 });
  });

  it('loses no word, whatever the ranges', () => {
    const range = fc.record({ start: fc.nat(30), length: fc.nat(30), style: fc.integer({ min: 0, max: 6 }) });
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{0,30}$/), fc.array(range, { maxLength: 6 }), (body, ranges) => {
        const markdown = writeMarkdown(body, ranges, gathering());
        expect(markdown.replace(/[*_~`\\\u00a0 ]/g, '')).toBe(body.replaceAll(' ', ''));
      }),
    );
  });
});

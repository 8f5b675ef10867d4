import { describe, expect, it } from 'vitest';
import { documentToMarkdown, isEditorDocument } from '../../../../src/sources/kit/text/editor-document.ts';

const text = (words: string, ...marks: readonly (string | object)[]) => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 && { marks: marks.map((mark) => (typeof mark === 'string' ? { type: mark } : mark)) }),
});
const node = (type: string, ...content: readonly object[]) => ({ type, content });
const doc = (...content: readonly object[]) => node('doc', ...content);

/** What a document becomes, with the parts that have no place and what is lost. */
function read(document: unknown) {
  const unknown: string[] = [];
  const lost: string[] = [];
  const markdown = documentToMarkdown(
    JSON.stringify(document),
    (part) => lost.push(part),
    (type) => unknown.push(type),
  );
  return { markdown, unknown, lost };
}

describe('documentToMarkdown()', () => {
  it.each([
    [
      'text in styles',
      doc(node('paragraph', text('Tide '), text('is ', 'bold'), text('in', 'bold', 'italic'))),
      'Tide **is *in***',
    ],
    [
      'a link',
      doc(node('paragraph', text('at '), text('x', { type: 'link', attrs: { href: 'https://x.example/?a=1&b=2' } }))),
      'at [x](https://x.example/?a=1&b=2)',
    ],
    ['signs of HTML', doc(node('paragraph', text('a < b & <b>'))), 'a < b & <b>'],
    [
      'lists inside lists',
      doc(
        node(
          'bulletList',
          node('listItem', node('paragraph', text('one'))),
          node('listItem', node('paragraph', text('two')), {
            ...node('orderedList', node('listItem', node('paragraph', text('inner')))),
            attrs: { start: 3 },
          }),
        ),
      ),
      '- one\n- two\n  3. inner',
    ],
    ['code', doc({ ...node('code_block', text('a\n  b < c')), attrs: { language: 'ts' } }), '```ts\na\n  b < c\n```'],
    [
      'things to do',
      doc(node('taskList', { ...node('taskItem', node('paragraph', text('call'))), attrs: { checked: true } })),
      '- [x] call',
    ],
    [
      'quotations, headings and rules',
      doc(
        node('blockquote', node('paragraph', text('said'))),
        { ...node('heading', text('Head')), attrs: { level: 2 } },
        { type: 'horizontalRule' },
      ),
      '> said\n\n**Head**\n\n---',
    ],
  ])('reads %s of ProseMirror', (_, document, markdown) => {
    expect(read(document)).toEqual({ markdown, unknown: [], lost: [] });
  });

  it('reads mentions, emoji, dates, states and cards of ADF', () => {
    const document = doc(
      node(
        'paragraph',
        { type: 'mention', attrs: { id: 'a1', text: '@Ines' } },
        text(' '),
        { type: 'emoji', attrs: { shortName: ':smile:', text: '😄' } },
        text(' '),
        { type: 'date', attrs: { timestamp: '1582152559000' } },
        text(' '),
        { type: 'status', attrs: { text: 'DONE' } },
        text(' '),
        { type: 'inlineCard', attrs: { url: 'https://x.example/j' } },
      ),
    );
    expect(read(document).markdown).toBe('@Ines 😄 2020-02-19 DONE https://x.example/j');
  });

  it('reads Slate, whose styles are keys', () => {
    const document = [
      { type: 'paragraph', children: [{ text: 'A ' }, { text: 'b', bold: true }, { text: '' }] },
      { type: 'numbered-list', children: [{ type: 'list-item', children: [{ text: 'x' }] }] },
      {
        type: 'code_block',
        children: [
          { type: 'code_line', children: [{ text: '1' }] },
          { type: 'code_line', children: [{ text: '2' }] },
        ],
      },
    ];
    expect(read(document)).toEqual({ markdown: 'A **b**\n\n1. x\n\n```\n1\n2\n```', unknown: [], lost: [] });
  });

  it('reads Quill, whose line ends have the styles of their lines', () => {
    const ops = [
      { insert: 'Hi ' },
      { insert: 'all', attributes: { bold: true, color: '#f00' } },
      { insert: '\none' },
      { insert: '\n', attributes: { list: 'bullet' } },
      { insert: 'two' },
      { insert: '\n', attributes: { list: 'bullet' } },
      { insert: { mention: { id: '3', value: 'Bo' } } },
      { insert: ' said\n\nso\n' },
    ];
    expect(read({ ops })).toEqual({
      markdown: 'Hi **all**\n\n- one\n- two\n\n@Bo said\n\nso',
      unknown: [],
      lost: ['styles'],
    });
    expect(read(ops).markdown).toBe(read({ ops }).markdown);
  });

  it('reads Lexical, whose styles are bits', () => {
    const children = [
      {
        type: 'paragraph',
        children: [
          { type: 'text', text: 'in', format: 1 },
          { type: 'text', text: ' time', format: 0 },
        ],
      },
    ];
    expect(read({ root: { type: 'root', children } }).markdown).toBe('**in** time');
  });

  it('names each part of a type that it does not know, and keeps the words in it', () => {
    const document = doc(node('poll', node('paragraph', text('Who comes?'))), { type: 'media', attrs: { id: '7' } });
    expect(read(document)).toEqual({ markdown: 'Who comes?', unknown: ['poll', 'media'], lost: [] });
  });

  it.each([
    'See you at eight',
    '{"type":"doc","content":"text"}',
    '{"type":"doc","content":[',
    '[{"type":"text","text":"hi"}]',
    '{"ops":[]}',
    '[{"a":{"children":[]}}]',
    '{"content":"words"}',
  ])('leaves %j as it is', (words) => {
    expect(isEditorDocument(words)).toBe(false);
    expect(documentToMarkdown(words)).toBe(words);
  });

  it('takes nodes that are none, and a document that is deep or wide, in its stride', () => {
    expect(
      read(doc(...([null, 1, 'x', { type: {}, content: 'z' }, { type: '__proto__' }] as object[]))).unknown,
    ).toEqual(['__proto__']);
    const deep = `{"type":"doc","content":[${'{"type":"blockquote","content":['.repeat(5000)}${']}'.repeat(5000)}]}`;
    expect(documentToMarkdown(deep)).toBe('');
    const wide = doc(...Array.from({ length: 20_000 }, () => node('paragraph', text('w'))));
    expect(read(wide).markdown.length).toBe(20_000 * 3 - 2);
  });
});

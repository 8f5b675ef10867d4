import { describe, expect, it } from 'vitest';
import {
  elementsIn,
  type FoundElement,
  firstOfClass,
  hasClass,
  markdownIn,
  readHtmlElements,
  wordsIn,
} from '../../../../src/sources/kit/text/html-elements.ts';

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readPage(page: string, size = 1 << 16): Promise<FoundElement[]> {
  const found: FoundElement[] = [];
  const isMessage = (_: string, { class: kind = '' }: Readonly<Record<string, string>>) => /\bmessage\b/.test(kind);
  for await (const list of readHtmlElements(inPieces(page, size), isMessage)) found.push(...list);
  return found;
}

const page = `<!DOCTYPE html>
<html><head><title>Export</title></head><body
 onload="x()"><p>Not meant</p>
<div class="default message" id="m1"><div class="text">Ends <b>at&nbsp;6</b> &amp; <a href="https://x.example/?a=1&amp;b=2">later</a><br>Ü</div></div>
<div class="message"><div class="message">inside</div>
</div>
</body></html>`;

describe('readHtmlElements()', () => {
  it('yields the wanted elements with their contents and where they begin', async () => {
    const found = await readPage(page);
    expect(found.map(({ line, fault }) => [line, fault])).toEqual([
      [4, undefined],
      [5, undefined],
    ]);
    expect(found[0]!.element.attributes.id).toBe('m1');
    expect(wordsIn(found[1]!.element)).toBe('inside');
  });

  it('reads the same wherever chunks end', async () => {
    const whole = await readPage(page);
    for (const size of [1, 2, 3, 7, 64]) expect(await readPage(page, size)).toEqual(whole);
  });

  it('reports that the page ends inside an element', async () => {
    const [found] = await readPage('<div class="message">Half a mess');
    expect(found).toMatchObject({ fault: 'cut-off', element: { children: ['Half a mess'] } });
  });

  it('holds no more than so much of an element that never ends, and of nesting without end', async () => {
    const [large] = await readPage(`<div class="message">${'x'.repeat(17 * 2 ** 20)}</div>`, 1 << 20);
    expect(large!.fault).toBe('too-large');
    expect(wordsIn(large!.element).length).toBeLessThanOrEqual(16 * 2 ** 20);
    const [deep] = await readPage(`<div class="message">${'<i>'.repeat(5000)}x`);
    expect(wordsIn(deep!.element)).toBe('');
  });
});

describe('an element', () => {
  it('has words, Markdown, and others inside by their class', async () => {
    const [{ element }] = (await readPage(page)) as [FoundElement];
    const text = firstOfClass(element, 'text')!;
    expect(hasClass(element, 'default')).toBe(true);
    expect(wordsIn(text)).toBe('Ends at 6 & laterÜ');
    expect(markdownIn(text, () => {})).toBe('Ends **at 6** & [later](https://x.example/?a=1&b=2)\nÜ');
    expect(elementsIn(element, ({ name }) => name === 'b').length).toBe(1);
    expect(wordsIn(firstOfClass(element, 'none'))).toBe('');
  });
});

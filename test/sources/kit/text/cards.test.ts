import { expect, it } from 'vitest';
import { describeCards } from '../../../../src/sources/kit/text/cards.ts';

it('cards become their text, and purely visual parts are counted', () => {
  const lost: string[] = [];
  const card = {
    fallback: 'poorer',
    color: '#f00',
    pretext: 'Before',
    author_name: 'Crane',
    author_link: 'https://example.com/crane',
    title: 'Stopped',
    text: 'Wind 9',
    fields: [{ title: 'Since', value: '09:08' }, { title: 'Metres', value: 12 }, null],
    image_url: 'https://example.com/a.png',
    actions: [{}, {}],
  };
  const lose = (part: string, count = 1) => void lost.push(...new Array<string>(count).fill(part));
  expect(describeCards([card, { fallback: 'Alone' }, 7, {}], lose)).toBe(
    'Before\n\n> [Crane](https://example.com/crane)\n> **Stopped**\n> Wind 9\n> **Since**: 09:08\n> **Metres**: 12\n> https://example.com/a.png\n\nAlone',
  );
  expect(lost).toEqual(['cardDetails', 'menus', 'menus']);
});

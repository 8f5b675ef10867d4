import { expect, it } from 'vitest';
import { pollText } from '../../../../src/sources/kit/text/poll-text.ts';

it('pollText() has the question, its details, and the answers with their votes', () => {
  const options = [
    { text: 'Ines', votes: 2 },
    { text: 'Tomasz', votes: 0 },
    { text: 'Mei', votes: undefined },
  ];
  expect(pollText({ question: 'Who?', description: 'Of us', options })).toBe(
    '**Who?**\nOf us\n- Ines: 2\n- Tomasz\n- Mei',
  );
  expect(pollText({ question: undefined, options: [] })).toBe('**Poll**');
});

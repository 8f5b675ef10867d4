import type { MessageCheck } from '../check.ts';

export const textDirectionControls: MessageCheck = {
  code: 'text-direction-controls',
  severity: 'information',
  title: 'Hidden changes of writing direction',
  explanation:
    'The text holds characters that turn the direction of what follows: they can make a name or a file ending look like another.',
  remedy: 'Look at the examples: this is rare outside of attacks and pasted code.',
  concerns: 'unusual text',
  find({ text }) {
    const found = /[\u202a-\u202e\u2066-\u2069]/.exec(text)?.[0];
    return found && `U+${found.charCodeAt(0).toString(16).toUpperCase()}`;
  },
};

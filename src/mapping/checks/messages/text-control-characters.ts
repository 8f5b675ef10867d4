import type { MessageCheck } from '../check.ts';

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

export const textControlCharacters: MessageCheck = {
  code: 'text-control-characters',
  severity: 'information',
  title: 'Control characters',
  explanation: 'The text holds characters that no screen shows (NUL, escape sequences of terminals).',
  remedy: 'Nothing: they are carried over as they are; clients show nothing or a box.',
  concerns: 'unusual text',
  find({ text }) {
    const found = control.exec(text)?.[0];
    return found && `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  },
};

import type { MessageCheck } from '../check.ts';

export const textHtml: MessageCheck = {
  code: 'text-html',
  severity: 'decision',
  title: 'Texts that hold HTML',
  explanation: 'The text has HTML tags; they are shown as they stand, because messages are Markdown.',
  remedy: 'Set source.messages.text.markup: html in the mapping, if the source has that option.',
  concerns: 'unusual text',
  find: ({ text }) => /<(?:p|br|b|i|a|div|strong|em|ul|li|span|img)(?:\s[^<>]*)?\/?>/i.exec(text)?.[0].slice(0, 60),
};

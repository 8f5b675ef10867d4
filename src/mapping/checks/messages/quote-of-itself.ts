import type { MessageCheck } from '../check.ts';

export const quoteOfItself: MessageCheck = {
  code: 'quote-of-itself',
  severity: 'information',
  title: 'Quotes of themselves',
  explanation: 'The message quotes itself.',
  remedy: 'Nothing: it is sent as an ordinary message.',
  concerns: 'quotes',
  find: ({ quoteOf, origin }) => (quoteOf === origin.id ? 'quotes itself' : undefined),
};

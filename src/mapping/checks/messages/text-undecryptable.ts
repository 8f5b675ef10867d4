import type { MessageCheck } from '../check.ts';

/** What clients write where they lack the key: Matrix, WhatsApp, Zoom. */
const notice =
  /\*\* Unable to decrypt|^Waiting for this message\.|^\[?(?:this message (?:is|was) )?encrypted(?: message)?\]?$/i;

export const textUndecryptable: MessageCheck = {
  code: 'text-undecryptable',
  severity: 'decision',
  title: 'Texts that could not be decrypted',
  explanation: 'The old system encrypted the message and the export has a notice in its place.',
  remedy: 'Export again from a device that has the keys; otherwise the notice is sent.',
  concerns: 'unusual text',
  find: ({ text }) => notice.exec(text)?.[0],
};

import { sets } from '../../model/option.ts';
import { formatCount } from '../../lib/text/count.ts';
import { decisionCheck, noteCheck, type MessageCheck } from './check.ts';

const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Texts that clients write if they lack the key: Matrix, WhatsApp, Zoom. */
const undecryptableNotice =
  /\*\* Unable to decrypt|^Waiting for this message\.|^\[?(?:this message (?:is|was) )?encrypted(?: message)?\]?$/i;

export const textChecks: readonly MessageCheck[] = [
  noteCheck({
    code: 'edited-before-sent',
    title: 'Edited before they were sent',
    explanation: 'The edit is earlier than the message: one of the two times is wrong.',
    remedy: 'Check the time format of the source.',
    concerns: 'edit',
    find: ({ edited, sentAtMs }) =>
      edited?.atMs !== undefined && edited.atMs < Math.floor(sentAtMs / 1000) * 1000
        ? `edited ${Math.ceil((sentAtMs - edited.atMs) / 1000)} s before`
        : undefined,
  }),
  noteCheck({
    code: 'edited-without-time',
    title: 'Edited at an unknown time',
    explanation: 'The export says that the message was edited, and not when.',
    remedy: 'Nothing: metadata marks it as edited, with time 0.',
    concerns: 'edit',
    find: ({ edited }) => (edited?.atMs === undefined ? 'no time of the edit' : undefined),
  }),
  noteCheck({
    code: 'text-not-well-formed',
    title: 'Broken characters',
    explanation:
      'The text holds half of a character (a lone surrogate): it was cut in the middle of an emoji. It cannot be sent as UTF-8 and becomes U+FFFD.',
    remedy:
      'Nothing: the text is sent with the replacement character in its place. Correct the text at the source, if it matters.',
    concerns: 'unusual text',
    find: ({ text }) => (text.isWellFormed() ? undefined : 'half of a character'),
  }),
  noteCheck({
    code: 'text-control-characters',
    title: 'Control characters',
    explanation: 'The text holds characters that no screen shows (NUL, escape sequences of terminals).',
    remedy: 'Nothing: they are migrated as they are; clients show nothing or a box.',
    concerns: 'unusual text',
    find({ text }) {
      const found = controlCharacter.exec(text)?.[0];
      return found && `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    },
  }),
  noteCheck({
    code: 'text-direction-controls',
    title: 'Hidden changes of writing direction',
    explanation:
      'The text contains characters that change the direction of the text after them: they can make a name or a file ending look like another.',
    remedy: 'Check the examples: this is rare outside of attacks and pasted code.',
    concerns: 'unusual text',
    find({ text }) {
      const found = /[\u202a-\u202e\u2066-\u2069]/.exec(text)?.[0];
      return found && `U+${found.charCodeAt(0).toString(16).toUpperCase()}`;
    },
  }),
  decisionCheck({
    code: 'text-html',
    title: 'Texts that hold HTML',
    explanation: 'The text has HTML tags; they are shown as they are, because messages are Markdown.',
    about: 'message',
    question: 'Did people write the HTML tags in these texts, or do the tags stand for formatting?',
    options: [
      sets('Turn the tags into formatting', { 'source.messages.text.markup': 'html' }),
      sets('Show the tags, because people wrote them', { 'source.messages.text.markup': 'plain' }),
    ],
    otherwise: 'people see the tags in the text',
    concerns: 'unusual text',
    find: ({ text }) => /<(?:p|br|b|i|a|div|strong|em|ul|li|span|img)(?:\s[^<>]*)?\/?>/i.exec(text)?.[0].slice(0, 60),
  }),
  noteCheck({
    code: 'text-unresolved-mention',
    title: 'Mentions that were not resolved',
    explanation: 'The text still has the mention as the old system writes it, because no file says who is meant.',
    remedy: 'Export the people too, then plan again.',
    concerns: 'unusual text',
    find: ({ text }) => /<[@#!][\w.:-]{1,64}>|@\{[^{}|]{1,100}\|[^{}]{1,100}\}/.exec(text)?.[0],
  }),
  noteCheck({
    code: 'text-undecryptable',
    title: 'Texts that could not be decrypted',
    explanation: 'The old system encrypted the message and the export has a notice in its place.',
    remedy:
      'Nothing: the notice is sent instead of the original text. Export again from a device that has the keys, if there is one.',
    concerns: 'unusual text',
    find: ({ text }) => undecryptableNotice.exec(text)?.[0],
  }),
  noteCheck({
    code: 'text-long',
    title: 'Texts over 5,000 characters',
    explanation:
      'Clients may cut texts of this length; the service documents no limit of its own beyond the size of the message.',
    remedy: 'Nothing, or messages.overlong in the mapping.',
    concerns: 'unusual text',
    find: ({ text }) => (text.length > usualLengthMax ? `${formatCount(text.length)} characters` : undefined),
  }),
];

/** Characters that most texts do not have, and without which no check of `unusual text` finds anything: searched first, once. */
const unusual = /[<{\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;
/** Notices in place of a text. */
const likeNotice = /^(?:\*\* Unable|Waiting for this|\[?This message|\[?Encrypted)/i;
/** Longer texts are unusual whatever they say. */
const usualLengthMax = 5000;

export const isUnusual = (text: string): boolean =>
  text.length > usualLengthMax || unusual.test(text) || likeNotice.test(text) || !text.isWellFormed();

/** An option of a check that asks for a decision, as settings of the mapping. */
export interface CheckAnswer {
  /** Index in the check's `options`. An option may have several answers, and most have none: they are work outside of Chatferry. */
  readonly option: number;
  /** What it does, if the option has several. */
  readonly label?: string;
  /** Keys and values as `--set` takes them. */
  readonly sets: readonly (readonly [key: string, value: string])[];
}

const one = (option: number, key: string, value: string, label?: string): CheckAnswer => ({
  ...{ option, sets: [[key, value]] },
  ...(label !== undefined && { label }),
});

/** By code. Options that need an id, a name or a list of the user are not here: no setting is right for all. */
const answers: Readonly<Record<string, readonly CheckAnswer[]>> = {
  'attachment-token': [one(2, 'messages.attachments', 'drop')],
  'attachment-without-address': [one(1, 'messages.attachments', 'placeholder')],
  'author-not-described': [
    one(2, 'people.unknownAuthors', 'skip', 'Leave out their messages.'),
    one(2, 'people.unknownAuthors', 'reject', 'Count their messages as invalid: none is sent.'),
  ],
  'deleted-with-text': [one(0, 'messages.deleted', 'skip'), one(1, 'messages.deleted', 'keep')],
  'imessage-not-sent': [one(0, 'source.notSent', 'skip')],
  'irc-nick-on-networks': [one(1, 'source.people', 'one-per-network')],
  'kakaotalk-same-name': [one(0, 'source.sameName', 'together'), one(1, 'source.sameName', 'apart')],
  'line-date-order': [one(0, 'source.dates', 'day-first'), one(1, 'source.dates', 'month-first')],
  'line-same-name': [one(0, 'source.sameName', 'together'), one(1, 'source.sameName', 'apart')],
  'message-only-file': [
    one(2, 'messages.onlyFiles', 'name'),
    {
      option: 3,
      sets: [
        ['messages.onlyFiles', 'blank'],
        ['messages.empty', 'skip'],
      ],
    },
  ],
  'no-author': [one(1, 'people.unknownAuthors', 'reject')],
  'text-html': [one(0, 'source.messages.text.markup', 'html')],
  'third-writer': [
    one(0, 'conversations.outsiders', 'group'),
    one(1, 'conversations.outsiders', 'reject'),
    one(2, 'people.bots', 'skip'),
  ],
  'whatsapp-app-or-person': [one(0, 'source.unknownLines', 'people'), one(1, 'source.unknownLines', 'app')],
  'whatsapp-date-order': [
    one(0, 'source.dates', 'day-first', 'The day comes first: 3/4 is 3 April.'),
    one(0, 'source.dates', 'month-first', 'The month comes first: 3/4 is March 4.'),
  ],
  'whatsapp-other-form': [one(0, 'source.otherForms', 'text'), one(1, 'source.otherForms', 'messages')],
  'whatsapp-same-name': [one(0, 'source.sameName', 'apart'), one(1, 'source.sameName', 'together')],
  'zone-assumed': [one(1, 'source.zone', 'UTC')],
};

/** An option of a check that asks for a value that only the user knows. */
export interface OwnValue {
  /** Index in the check's `options`. */
  readonly option: number;
  readonly key: string;
  /** A value that the key takes. */
  readonly example: string;
}

const ownValues: Readonly<Record<string, OwnValue>> = {
  'uid-altered': { option: 0, key: 'people.uid', example: '{handle}' },
  'zone-assumed': { option: 0, key: 'source.zone', example: 'Europe/Berlin' },
};

/** Returns the option of a check that takes a value of the user; undefined for most checks. */
export const ownValueOf = (code: string): OwnValue | undefined =>
  Object.hasOwn(ownValues, code) ? ownValues[code] : undefined;

/** Settings with which rows that are invalid by a code are no longer so, by code: the remedies that name a key and a value. */
const remedies: Readonly<Record<string, readonly (readonly [key: string, value: string])[]>> = {
  'blank-text': [['messages.empty', 'skip']],
  'older-than': [['messages.old', 'skip']],
  outsider: [['conversations.outsiders', 'group']],
  'text-too-long': [
    ['messages.overlong', 'split'],
    ['messages.overlong', 'truncate'],
  ],
  'unknown-author': [['people.unknownAuthors', 'placeholder']],
};

/** Returns settings by which rows of a code become messages, or are left out by rule; none for most codes. */
export const remediesFor = (code: string): readonly (readonly [key: string, value: string])[] =>
  Object.hasOwn(remedies, code) ? remedies[code]! : [];

/** Returns the options of a check that are settings; none for most checks. */
export const answersTo = (code: string): readonly CheckAnswer[] => (Object.hasOwn(answers, code) ? answers[code]! : []);

import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { telegramCodes } from './codes.ts';
import { telegramTypes } from './format.ts';
import { telegramOptionsSchema } from './options.ts';

/** Exports of Telegram Desktop, as `format.ts` says. */
export const telegram = defineSource({
  name: 'telegram',
  title: 'Telegram Desktop (JSON, HTML)',
  options: telegramOptionsSchema,
  codes: telegramCodes,
  probe: (input) => probeMarks(input, [oneChat, someChat, account, chats, pages]),
  read: lateRead(() => import('./read.ts')),
});

const oneChat: Marks = {
  objects: [{ at: '', keys: ['type', 'id', 'messages'], values: { type: telegramTypes } }],
};

/** A chat whose type the program did not know. */
const someChat: Marks = {
  objects: [
    { at: '', keys: ['type', 'id', 'messages'] },
    { at: '/messages/*', keys: ['id', 'type', 'date', 'from_id', 'text'], values: { type: /^(?:message|service)$/ } },
  ],
};

const account: Marks = {
  objects: [
    { at: '', keys: ['about', 'personal_information'] },
    { at: '/personal_information', keys: ['user_id'] },
  ],
};

const chats: Marks = {
  objects: [{ at: '/chats/list/*', keys: ['type', 'id', 'messages'], values: { type: telegramTypes } }],
};

const pages: Marks = {
  files: /\.html$/i,
  text: [/<title>Exported Data<\/title>/, /class="page_wrap/],
  shows: 'the title "Exported Data" and the class "page_wrap"',
};

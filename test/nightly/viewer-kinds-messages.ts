import { Groups } from '../../src/sandbox/data/groups.ts';
import { Messages, type NewMessage } from '../../src/sandbox/data/messages.ts';
import { People } from '../../src/sandbox/data/people.ts';
import { Queries } from '../../src/sandbox/data/queries.ts';
import type { SandboxStore } from '../../src/sandbox/store.ts';

/** A message of every kind that the specification names, and what an import keeps of a message: for a sandbox that the viewer shows. */

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGM4w8DwHwAEQwGQJ7k2zgAAAABJRU5ErkJggg==';
const at = 1_750_000_000;

let count = 0;

interface Given {
  readonly data: Readonly<Record<string, unknown>>;
  readonly category?: string;
  readonly type?: string;
  readonly sender?: string;
  readonly tags?: readonly string[];
  /** For an action. */
  readonly entities?: object;
  /** Metadata that an import keeps. */
  readonly kept?: Readonly<Record<string, unknown>>;
}

function message({ data, kept, sender = 'ann', entities, tags, ...more }: Given): NewMessage {
  const muid = `k${++count}`;
  const metadata = kept && { metadata: { chatferry: { v: 1, key: muid, ...kept } } };
  return {
    category: 'message',
    type: 'text',
    muid,
    sender,
    receiverType: 'group',
    receiver: 'kinds',
    sentAt: at + count * 400,
    tags: tags ? JSON.stringify(tags) : null,
    entities: entities ? JSON.stringify(entities) : null,
    data: JSON.stringify({ ...data, ...metadata }),
    ...more,
  };
}

const person = (uid: string, name: string) => ({ entity: { uid, name }, entityType: 'user' });
const [ann, bob] = [person('ann', 'Ann Arbor'), person('bob', 'Bob Bay')];

const file = (name: string, mimeType: string, url = `https://files.example.com/${name}`) => ({
  name,
  url,
  mimeType,
  extension: name.split('.').at(-1),
  size: '48211',
});

const options = [
  { value: 'soup', label: 'Soup' },
  { value: 'salad', label: 'Salad' },
];

const formFields = [
  {
    elementType: 'textInput',
    elementId: 't',
    label: 'Your name',
    maxLines: 1,
    placeholder: { text: 'As on the badge' },
  },
  { elementType: 'textInput', elementId: 'n', label: 'Wishes', optional: true, maxLines: 3, defaultValue: 'No nuts' },
  { elementType: 'dropdown', elementId: 'd', label: 'Starter', options, defaultValue: 'salad' },
  { elementType: 'singleSelect', elementId: 's', label: 'Main course', options, defaultValue: 'soup' },
  {
    elementType: 'checkbox',
    elementId: 'c',
    label: 'Extras',
    optional: true,
    options: [
      { value: 'bread', label: 'Bread' },
      { value: 'oil', label: 'Oil' },
    ],
    defaultValue: ['bread'],
  },
  {
    elementType: 'dateTime',
    elementId: 'w',
    label: 'When',
    mode: 'date',
    dateTimeFormat: 'yyyy-MM-dd',
    from: '2025-06-01',
    to: '2025-06-30',
    timezoneCode: 'Europe/Berlin',
  },
  {
    elementType: 'button',
    elementId: 'b',
    buttonText: 'See the menu',
    action: { actionType: 'urlNavigation', url: 'https://example.com/menu' },
  },
];

/** Elements of the hosted service that the specification does not have: its forms refuse them, other interactive messages hold anything. */
const elements = [
  { elementType: 'label', elementId: 'l', text: 'Tell us by Thursday' },
  {
    elementType: 'radio',
    elementId: 'r',
    label: 'Seat',
    options: [
      { value: 'in', label: 'Inside' },
      { value: 'out', label: 'Outside' },
    ],
  },
];

const submitElement = {
  elementType: 'button',
  elementId: 'o',
  buttonText: 'Order',
  disableAfterInteracted: true,
  action: { actionType: 'apiAction', url: 'https://example.com/orders', method: 'POST', dataKey: 'answers' },
};

/**
 * Stores them as they are: what other clients of a service write, no import brings.
 *
 * @param origin Who serves the viewer: its own pictures are loaded.
 */
export function storeEveryKind({ db }: SandboxStore, origin: string): void {
  const queries = new Queries(db);
  const [people, groups, messages] = [new People(queries), new Groups(queries), new Messages(queries)];
  for (const { entity } of [ann, bob]) people.save(entity.uid, entity, at);
  groups.save('kinds', { guid: 'kinds', name: 'Every kind', description: 'One message of each kind' }, at);
  for (const uid of ['ann', 'bob']) groups.join('kinds', uid, at);
  for (const one of everyKind(origin)) messages.add(one);
}

function everyKind(origin: string): NewMessage[] {
  count = 0;
  return [
    message({
      data: {
        text: '# Plan\n\n**Bold**, _slanted_, `code`, ~~gone~~ and a [link](https://example.com/)\n\n- one\n- two\n\n> said before\n\n```\nlet x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      },
    }),
    message({ sender: 'bob', data: { text: 'Ask <@uid:ann> or <@all>' }, tags: ['urgent'] }),
    message({ type: 'image', data: { text: 'Elsewhere', attachments: [file('pier.png', 'image/png')] } }),
    message({ type: 'image', data: { attachments: [file('dot.png', 'image/png', pixel)] } }),
    message({ type: 'image', data: { attachments: [file('broken.png', 'image/png', `${origin}/viewer/broken.png`)] } }),
    message({ sender: 'bob', type: 'video', data: { attachments: [file('tour.mp4', 'video/mp4')] } }),
    message({ sender: 'bob', type: 'audio', data: { attachments: [file('idea.ogg', 'audio/ogg')] } }),
    message({
      sender: 'bob',
      type: 'file',
      data: { attachments: [file('minutes.pdf', 'application/pdf'), file('notes.txt', 'text/plain')] },
    }),
    message({
      data: { text: 'With a file that did not come' },
      kept: { files: [{ name: 'lost.zip', why: 'the export does not have it' }] },
    }),
    message({
      category: 'interactive',
      type: 'form',
      data: {
        interactionGoal: { type: 'allOf', elementIds: ['t'] },
        interactiveData: { title: 'Lunch on Friday', formFields, submitElement },
      },
    }),
    message({
      category: 'interactive',
      type: 'card',
      data: {
        interactiveData: {
          text: 'A new pier',
          imageUrl: 'https://example.com/pier.jpg',
          cardActions: [
            {
              elementType: 'button',
              elementId: 'x',
              buttonText: 'Visit',
              action: { actionType: 'urlNavigation', url: 'https://example.com/pier' },
            },
          ],
        },
      },
    }),
    message({
      category: 'interactive',
      type: 'customInteractive',
      data: { interactiveData: { title: 'Where to sit', elements } },
    }),
    message({
      category: 'interactive',
      type: 'scheduler',
      data: { interactiveData: { title: 'Meet us', duration: 60, timezoneCode: 'UTC' } },
    }),
    message({ sender: 'bob', category: 'custom', type: 'location', data: { customData: { lat: 42.28, lon: -83.74 } } }),
    message({
      sender: 'bob',
      category: 'custom',
      type: 'poll',
      data: { text: 'Which day?', customData: { options: ['Monday', 'Friday'] } },
    }),
    message({ sender: 'bob', category: 'action', type: 'message', data: { action: 'edited' } }),
    ...['added', 'kicked', 'banned', 'scopeChanged'].map((action) =>
      message({ category: 'action', type: 'groupMember', data: { action }, entities: { by: ann, on: bob } }),
    ),
    message({ data: { text: 'It is on Friday' }, kept: { edited: at, pinned: true } }),
    message({ data: { text: 'Gone from the export' }, kept: { deleted: true } }),
    message({ sender: 'bob', data: { text: 'A thread begins' } }),
    message({ data: { text: 'And is answered' }, kept: { thread: 'k23', broadcast: true } }),
    message({ sender: 'bob', data: { text: 'To which I say yes' }, kept: { quote: 'k21' } }),
    message({ data: { text: 'Well liked' }, kept: { reactions: [{ emoji: '🎉', count: 2, by: ['ann', 'bob'] }] } }),
    message({ sender: 'bob', data: { text: 'Cut', metadata: {} }, kept: { truncated: 70_000 } }),
    message({ data: { text: 'Ann Arbor set the topic' }, kept: { system: 'channel_topic' } }),
  ];
}

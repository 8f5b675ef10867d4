import type {
  Card,
  CardPreview,
  DeskError,
  DeskRoutes,
  DeskRun,
  DeskState,
  DestinationView,
  PersonRow,
  PreviewRow,
  ReportView,
  SourceView,
  Step,
  StepState,
  TableRow,
} from '../../src/desk/shapes.ts';
import { renderSections } from '../../src/report/sections.ts';
import { dryRun, hugeImport } from '../report/fixture.ts';

/** `empty`: nothing was done. `usual`: a migration at its middle. `error`: nothing can be answered. `huge`: as much as fits. */
export type MadeState = 'empty' | 'usual' | 'error' | 'huge';

type Answers = { readonly [Route in keyof DeskRoutes]?: (search: URLSearchParams) => DeskRoutes[Route] | Refusal };

/** An answer that is an error. */
export class Refusal {
  readonly status: number;
  readonly error: DeskError;

  constructor(status: number, error: DeskError) {
    this.status = status;
    this.error = error;
  }
}

const refused = (message: string, hint: string) => () => new Refusal(422, { code: 'DESK_REFUSED', message, hint });
const changed = () => new Refusal(409, { code: 'DESK_CHANGED', message: 'The files changed', hint: null });

/** Answers by route. Each is the same whenever it is asked for. */
export const madeAnswers = (state: MadeState): Answers => ({ ...common(state), ...byState[state] });

const seenCard = (cards: readonly Card[]) => (search: URLSearchParams) => ({
  ...(cards.find(({ id }) => id === search.get('id')) ?? cards[0]!),
  version: '1',
});

const madeConversations = ['general', 'a-channel-with-a-name-that-is-as-long-as-names-can-be-in-the-old-system-x'].map(
  (name, index) => ({
    ...{
      id: `C${index}`,
      name,
      title: name,
      type: index === 0 ? ('public' as const) : ('direct' as const),
      members: 12,
      messages: 412,
      firstAtMs: 1462266000000,
      lastAtMs: null,
      bins: [0, 4, 8, 0, 400],
    },
    ...{ isExcluded: index === 1, rename: '', access: '' as const, owner: '' },
  }),
);

const startMs = Date.UTC(2026, 4, 4, 9, 30);

function common(state: MadeState): Answers {
  return {
    'GET state': () => states[state],
    'GET conversations': () => ({
      ...{ version: '1', state: 'ready', rows: madeConversations, next: null },
      ...{ count: 2, listed: 2, found: 2, foundMoved: 1, moved: 1, messages: 824, movedMessages: 412 },
      ...{ types: ['public', 'direct'], olderThan: '', serviceDays: 183, undo: null },
    }),
    'POST conversations': () => ({ row: madeConversations[0]!, undo: null }),
    'GET choices': () => ({ version: '1', rows: [{ key: 'messages.system', value: 'keep' }] }),
    'GET sources': () =>
      ['Slack export (folder or ZIP)', 'Signal', 'CSV tables'].map((title) => ({ name: title, title })),
    'GET providers': () => [{ name: 'sendbird', title: 'Sendbird', key: 'the token', unverified: null, settings: [] }],
    'GET how-to': () => ({
      title: 'Slack export',
      text: 'Ask an owner at *Settings*.\n\n| system | folder |\n|---|---|\n| macOS | `~/Library` |\n',
      commands:
        '    chatferry inspect ./a-name-that-is-as-long-as-names-can-be-in-the-old-system-and-longer-still.zip\n',
    }),
    'POST run': () => running,
    'POST stop': () => running,
    'POST answer': () => ({
      version: '1',
      next: null,
      open: 0,
      written: ['chatferry.mapping.yaml'],
      undo: null,
      command: 'x',
    }),
    'POST undo': () => ({ version: '1', next: null, open: 3, written: [], undo: null, command: 'x' }),
    'POST person': () => ({ ...usualPeople[0]!, version: '1' }),
    'POST people-seen': () => ({}),
    'POST merge': () => ({ version: '1', written: [], command: 'x' }),
    'POST destination': () => destination,
    'POST sign-off': () => planView,
  };
}

const stepNames: readonly Step[] = ['source', 'conversations', 'decide', 'people', 'rehearse', 'go'];
const stepsWith = (...notes: readonly (readonly [StepState['status'], string])[]): readonly StepState[] =>
  stepNames.map((step, index) => ({ step, status: notes[index]?.[0] ?? 'waiting', note: notes[index]?.[1] ?? '' }));

const commands: DeskState['commands'] = {
  source: ['chatferry inspect ./acme-export.zip'],
  conversations: ['chatferry init ./acme-export.zip'],
  decide: ["chatferry init ./acme-export.zip --yes --set 'people.unknownAuthors=skip'"],
  people: ['chatferry people --out chatferry.people.csv'],
  rehearse: ['chatferry plan', 'chatferry import --store ./chatferry.rehearsal.db --to sandbox --yes'],
  go: ['chatferry report', 'chatferry doctor', 'chatferry import --app-id 2651f1 --region eu', 'chatferry verify'],
};

const running: DeskRun = {
  kind: 'plan',
  command: 'plan',
  text: 'chatferry plan',
  destination: '',
  startedAtMs: startMs,
  endedAtMs: null,
  outcome: null,
  stages: [
    {
      name: 'Reading',
      done: 200,
      total: 200,
      perSecond: null,
      etaMs: null,
      waiting: null,
      note: null,
      summary: '1,385 rows',
    },
    {
      name: 'Planning',
      done: 812,
      total: 1_385,
      perSecond: 41.3,
      etaMs: 14_000,
      waiting: null,
      note: 'general/2016-05-02.json',
      summary: null,
    },
  ],
  notices: [],
  problems: [],
  isOurs: true,
  canStop: true,
  isStopping: false,
  exit: null,
  error: null,
  findings: [],
  undo: null,
};

const doctorRun: DeskRun = {
  ...running,
  kind: 'doctor',
  endedAtMs: startMs + 4_000,
  outcome: 'Done',
  exit: 0,
  stages: [],
  notices: [],
  findings: [
    { level: 'ok', name: 'key', says: 'The key is accepted', todo: null },
    {
      level: 'warning',
      name: 'users',
      says: '3 of 18 people do not exist there',
      todo: 'They are created by the import',
    },
    { level: 'error', name: 'rate', says: 'The rate is not known', todo: 'Pass --rate with what the service allows' },
  ],
};

const failedRun: DeskRun = {
  ...running,
  endedAtMs: startMs + 90_000,
  outcome: 'Failed',
  exit: 2,
  stages: [],
  notices: [],
  error: {
    code: 'DESK_RUN_FAILED',
    message: 'Cannot plan: "ann.archer" and "Ann Archer (old)" would both become uid "ann"',
    hint: 'Give one of them another uid, or say that they are one person',
  },
};

const base = {
  version: '1',
  folder: '/srv/ann/acme-migration',
  error: null,
  commands,
  run: null,
  asking: null,
  runBefore: null,
  chats: null,
} as const;

const states: Readonly<Record<MadeState, DeskState>> = {
  empty: { ...base, next: 'source', steps: stepsWith(['open', 'choose an export']) },
  usual: {
    ...base,
    next: 'decide',
    steps: stepsWith(
      ['done', 'Slack'],
      ['done', ''],
      ['open', '3 to decide'],
      ['open', '18 people'],
      ['open', 'planned'],
      ['waiting', ''],
    ),
    run: doctorRun,
    chats: 'rehearsal',
  },
  error: {
    ...base,
    next: 'rehearse',
    steps: stepsWith(['done', 'Slack'], ['done', ''], ['done', ''], ['open', ''], ['open', 'the plan failed']),
    run: failedRun,
  },
  huge: {
    ...base,
    folder: `/srv/ann/${'a-folder-with-a-long-name/'.repeat(8)}`,
    next: 'decide',
    steps: stepsWith(
      ['done', 'Your database'],
      ['done', ''],
      ['open', '214 to decide'],
      ['open', '100,000 people'],
      ['done', '12,482,110 rows'],
      ['open', '11,276,747 to send'],
    ),
    run: running,
    asking: { what: 'Looking at the tables', ms: 4_000, done: 120, total: 500 },
    chats: 'store',
  },
};

const some = (count: number, of: 'messages' | 'rows', isExact = true): Card['about'] => ({ count, of, isExact });

const option = (does: string, effect: Card['options'][number]['effect'], because = '', isProposed = false) => ({
  ...{ does, effect, because, isProposed, isLastResort: false },
});

const card = (changes: Partial<Card>): Card => ({
  group: changes.id === 'author-not-described' ? 'who' : 'words',
  id: 'source.messages.reply',
  question: 'Which column says what a message replies to?',
  why: 'Two columns of "messages" hold ids of other messages',
  examples: [
    'parent_id: 412 of 1,031 rows have a value; all of them are ids of "messages"',
    'quoted: 20 of 1,031 rows',
  ],
  about: some(412, 'rows'),
  ifUndecided: { stops: true },
  options: [
    option(
      'Take the message in "parent_id"',
      { sets: { 'source.messages.reply': 'parent_id' } },
      'Every value is the id of another message, and its name says so',
      true,
    ),
    { ...option('Take nothing for a reply', { sets: { 'source.messages.reply': 'none' } }), isLastResort: true },
  ],
  input: { type: 'column', key: 'source.messages.reply', label: 'Another column' },
  ...{ isAll: false, found: null, takesSeveral: false },
  answer: null,
  ...changes,
});

const usualCards: readonly Card[] = [
  card({}),
  card({
    id: 'author-not-described',
    question: 'What should become of messages of people whom no file of the export describes?',
    why: 'Messages name an author who is not in users.json',
    examples: ['U0GONE wrote 26 messages in 3 channels'],
    about: some(26, 'messages'),
    ifUndecided: { sends: 'a placeholder takes their place' },
    input: undefined,
    options: [
      option(
        'Create a user for each of these people',
        { sets: { 'people.unknownAuthors': 'placeholder' } },
        'Each gets a user of their own',
        true,
      ),
      option('Leave 26 messages out', { sets: { 'people.unknownAuthors': 'skip' } }, 'They stay in the report'),
      option('Write a table of the people, to fill in the ids that your app has', { runs: 'people' }),
      option('Make the ids by another pattern', { asks: 'people.uid', example: '{handle}' }),
      option('Export the people too', { outside: true }),
    ],
  }),
  card({
    id: 'blank-text',
    question: 'What should become of messages with neither text nor a file?',
    about: some(3, 'rows'),
    ifUndecided: { keepsBack: 'these rows are not sent' },
  }),
  card({
    id: 'deleted-with-text',
    question: 'May deleted messages be read again?',
    ifUndecided: { sends: 'they are left out' },
    answer: { option: 0, value: 'skip', by: 'Ann Archer', atMs: startMs, holds: true },
  }),
];

const hugeCards: readonly Card[] = Array.from({ length: 30 }, (_, index) =>
  card({
    id: `source.messages.field${index}`,
    question: `What does the column ${'very_long_column_name_'.repeat(index % 5)}${index} of table_${index} mean? ‮abc‬ <b>`,
    takesSeveral: index % 2 === 1,
    about: some(11_276_747 - index, 'messages', index % 2 === 0),
    isAll: true,
    options: Array.from({ length: 12 }, (__, at) => ({
      does: `Take column_${at}_${'x'.repeat(at * 6)}`,
      because: 'It holds what looks like ids of another table, in most rows. '.repeat(3),
      effect: { sets: { [`source.messages.field${at}`]: `column_${at}_${'x'.repeat(at * 6)}` } },
      isProposed: at === 0,
      isLastResort: at === 11,
    })),
  }),
);

const previewTexts = ['Who has the keys?', '', 'See https://example.com/a/long/address/that/has/no/end for the rest'];

const previewRow = (index: number, answer: number): PreviewRow => ({
  place: `general/2016-05-0${index + 1}.json#/1${index}`,
  row: [
    ['user', 'U0GONE'],
    ['ts', `146226600${index}.000002`],
    [
      'text',
      ['Who has the keys?', '', 'See <https://example.com/a/long/address/that/has/no/end> for the rest'][index] ?? '',
    ],
  ],
  why: null,
  message: [
    ['time', `2016-05-0${index + 1} 09:00:0${index} UTC`],
    ['author', answer === 1 ? 'nobody is named' : 'Unknown author (U0GONE)'],
    ['conversation', 'general (C05GENERAL)'],
    ['text', previewTexts[index] ?? ''],
  ],
  bubble: {
    message: {
      ...{ id: `1${index}`, muid: null, sender: 'U0GONE', category: 'message', type: 'text', tags: [] },
      data: { text: previewTexts[index] ?? '', metadata: { chatferry: index === 2 ? { thread: 'm-1' } : {} } },
      ...{ sentence: null, sentAt: 1462093200 + index, deletedAt: null, parent: null, reactions: [], replies: 0 },
    },
    author: { uid: 'U0GONE', name: answer === 1 ? 'nobody is named' : 'Unknown author' },
    conversation: 'general',
    roots: {
      'm-1': { ...{ id: '10', conversation: '', sender: '', sentAt: 0 }, text: 'message 10', isSaid: false },
    },
  },
  verdict: answer === 1 ? 'skipped' : index === 1 ? 'invalid' : 'sent',
  reason: answer === 1 ? 'people.unknownAuthors' : index === 1 ? 'It has neither text nor a file' : null,
});

const previewOf = (search: URLSearchParams): CardPreview => {
  const answer = Number(search.get('answer'));
  return {
    card: search.get('card') ?? '',
    answer,
    text: search.get('text'),
    rows: [0, 1, 2].map((index) => previewRow(index, answer)),
    why: null,
  };
};

const person = (changes: Partial<PersonRow>): PersonRow => ({
  id: 'U1',
  name: 'Ann Archer',
  handle: 'ann',
  email: 'ann@example.com',
  messages: 301,
  uid: 'u1',
  setBy: 'template',
  mergedInto: null,
  sharedWith: null,
  isKnown: true,
  isBot: false,
  isDeleted: false,
  ...changes,
});

const usualPeople: readonly PersonRow[] = [
  person({}),
  person({
    id: 'U2',
    name: 'Bob Baker',
    handle: 'bob',
    email: 'bob@example.com',
    messages: 244,
    uid: 'bob',
    setBy: 'table',
  }),
  person({
    id: 'U3',
    name: 'Zoë Çelik',
    handle: 'zoe',
    email: '',
    messages: 190,
    uid: 'zoe',
    setBy: 'mapping',
    isDeleted: true,
  }),
  person({ id: 'U4', name: 'ليلى حداد', handle: '', email: '', messages: 87, uid: 'bob', sharedWith: 'Bob Baker' }),
  person({
    id: 'U5',
    name: 'Ann Archer (old)',
    handle: 'ann.old',
    messages: 12,
    uid: 'u1',
    setBy: 'merged',
    mergedInto: 'Ann Archer',
  }),
  person({ id: 'U0GONE', name: 'U0GONE', handle: '', email: '', messages: 26, uid: 'u0gone', isKnown: false }),
  person({ id: 'B1', name: 'Deploy Bot', handle: '', email: '', messages: 33, uid: 'deploy-bot', isBot: true }),
];

const hugePeople: readonly PersonRow[] = Array.from({ length: 50 }, (_, index) =>
  person({
    id: `${index}-${'9'.repeat(30)}`,
    name: `${'A very long family name '.repeat((index % 4) + 1)}${index}`,
    email: `somebody.with.a.long.name.${index}@${'subdomain.'.repeat(4)}example.com`,
    messages: 400_000 - index,
    uid: `user-${index}-${'x'.repeat(60)}`,
    sharedWith: index % 9 === 0 ? 'Somebody else with a rather long name' : null,
  }),
);

const table = (name: string, role: string | null, changes: Partial<TableRow> = {}): TableRow => ({
  name,
  rows: 1_031,
  columns: 9,
  role,
  why: role === null ? 'No column of it holds texts' : 'Its columns hold texts, times and authors',
  ...changes,
});

const link = (from: string, column: string, to: string, isDeclared = true) => ({
  from,
  column,
  to,
  key: 'id',
  isDeclared,
});

const usualTables = [
  table('chat_message', 'messages'),
  table('auth_user', 'users'),
  table('chat_room', 'conversations'),
  table('chat_member', 'members'),
  table('chat_reaction', 'messages.reactions'),
  table('auth_group', null),
  table('auth_permission', null),
  table('django_session', null, { rows: null }),
];

const usualLinks = [
  link('chat_message', 'author_id', 'auth_user'),
  link('chat_message', 'room_id', 'chat_room'),
  link('chat_member', 'room_id', 'chat_room'),
  link('chat_member', 'user_id', 'auth_user'),
  link('chat_reaction', 'message_id', 'chat_message', false),
  link('auth_user', 'group_id', 'auth_group'),
];

const hugeTables = [
  ...usualTables,
  ...Array.from({ length: 492 }, (_, index) => table(`table_${'with_a_long_name_'.repeat(index % 4)}${index}`, null)),
];
const hugeLinks = [...usualLinks, ...hugeTables.slice(8, 60).map(({ name }) => link(name, 'user_id', 'auth_user'))];

const tableView = (count: number) => (search: URLSearchParams) => ({
  table: table(search.get('name') ?? '', 'messages'),
  columns: Array.from({ length: count }, (_, index) => ({
    name: ['id', 'author_id', 'room_id', 'body', 'sent_at'][index] ?? `column_${index}_${'x'.repeat(index % 40)}`,
    type: index === 3 ? 'text' : 'integer',
    means: ['id', 'author', 'conversation', 'text', 'time'][index] ?? null,
    isKey: index === 0,
  })),
  rows: ['Hello', 'See you at nine', 'ok '.repeat(60)].map((text) =>
    Array.from({ length: count }, (_, index) => (index === 3 ? text : String(index * 17))),
  ),
});

const reports: Readonly<Record<'plan' | 'huge', NonNullable<ReportView['report']>>> = {
  plan: {
    ...dryRun(),
    answers: [
      { key: 'messages.deleted', answer: 'skip', before: 'keep', by: 'Ann Archer', atMs: startMs, holds: true },
      { key: 'people.unknownAuthors', answer: 'skip', before: null, by: 'Bob', atMs: startMs, holds: false },
    ],
  },
  huge: {
    ...hugeImport(),
    answers: Array.from({ length: 30 }, (_, index) => ({
      key: `messages.field${index}`,
      answer: 'x'.repeat(200),
      before: 'y',
      by: 'Ann Archer with a long name',
      atMs: startMs,
      holds: index % 3 === 0,
    })),
    signedOff: { by: 'Ann', note: 'Go on Friday. '.repeat(60), atMs: startMs, isCurrent: false },
  },
};

const planView: ReportView = {
  version: '1',
  of: 'plan',
  verdict: '1,031 messages are ready to be sent; nothing is sent yet',
  tone: 'good',
  sections: '',
  isCurrent: true,
  report: reports.plan,
  error: null,
};

const withSections = (view: ReportView, search: URLSearchParams): ReportView => ({
  ...view,
  sections: renderSections(view.report!, (search.get('sections') ?? '').split(' '), {
    toMessage: (location) => `/m/${encodeURIComponent(location)}`,
    toSetting: (key) => `/choices/${key}`,
  }),
});

const noReport = (search: URLSearchParams): ReportView => ({
  version: '1',
  of: search.get('of') === 'plan' ? 'plan' : 'rehearsal',
  verdict: '',
  tone: null,
  sections: '',
  isCurrent: false,
  report: null,
  error: null,
});

const destination: DestinationView = {
  version: '1',
  kind: 'app',
  appId: '2651f1a5c9',
  region: 'eu',
  to: '',
  retentionDays: '',
  people: '',
  rehearsesHosted: true,
  key: { from: 'file', path: '/srv/ann/.chatferry-key', fault: null },
  address: 'https://2651f1a5c9.api-eu.example.com/v3',
  isKnownAddress: false,
  isFixed: false,
};

const noDestination: DestinationView = {
  ...destination,
  kind: 'none',
  appId: '',
  region: '',
  rehearsesHosted: false,
  key: { from: 'none', path: null, fault: null },
};

const source = (changes: Partial<SourceView>): SourceView => ({
  exports: [],
  source: null,
  inputs: [],
  error: null,
  wantsPassword: false,
  readAs: null,
  counts: null,
  older: null,
  tables: [],
  questions: [],
  notes: [],
  dropped: null,
  command: 'chatferry inspect ./acme-export.zip',
  next: null,
  ...changes,
});

const usualSource = source({
  exports: ['./acme-export.zip'],
  source: { name: 'slack', title: 'Slack export' },
  inputs: [{ label: 'acme-export.zip', because: 'channels.json and users.json at the top' }],
  counts: {
    messages: 1_034,
    internal: 0,
    system: 340,
    invalid: 3,
    problems: 1,
    people: 18,
    conversations: 8,
    files: 21,
    bins: [3, 0, 400, 631].map((count, index) => ({ label: `Q${index + 1} 2016`, count })),
    per: 'quarter',
    firstAtMs: startMs - 9e10,
    lastAtMs: startMs,
  },
  older: { days: 183, count: 980, total: 1_034 },
  notes: [
    { location: 'general/2016-05-02.json#/14', title: 'Empty messages', reason: 'It has neither text nor a file' },
  ],
  next: 'chatferry plan ./acme-export.zip',
});

const part = (index: number) => ({
  path: `channel-${index}/2016-05-${String(index % 28).padStart(2, '0')}.json`,
  role: null,
  rows: index * 17,
  isAbout: false,
  people: 0,
  conversations: 1,
  firstAtMs: 1_462_060_800_000,
  lastAtMs: 1_462_147_200_000,
});

const byState: Readonly<Record<MadeState, Answers>> = {
  empty: {
    'GET source': () => source({}),
    'GET parts': () => ({ rows: [], next: null }),
    'GET ignored': () => ({ rows: [], next: null }),
    'GET cards': () => ({
      version: '1',
      open: 0,
      isPlanned: false,
      hasTables: false,
      undo: null,
      rows: [],
      next: null,
    }),
    'GET schema': () => ({ tables: [], links: [], total: 0 }),
    'GET people': () => ({ version: '1', people: null, isReady: true, unknown: 0, leftOut: 0, rows: [], next: null }),
    'GET duplicates': () => ({ version: '1', rows: [], next: null }),
    'GET report': noReport,
    'GET destination': () => noDestination,
  },
  usual: {
    'GET source': () => usualSource,
    'GET parts': () => ({ rows: Array.from({ length: 12 }, (_, index) => part(index)), next: null }),
    'GET ignored': () => ({ rows: [{ reason: 'Holds no messages', count: 4, first: 'canvases.json' }], next: null }),
    'GET cards': () => ({
      version: '1',
      open: 3,
      isPlanned: true,
      hasTables: true,
      undo: 'messages.deleted: skip',
      rows: usualCards,
      next: null,
    }),
    'GET card': seenCard(usualCards),
    'GET preview': previewOf,
    'GET schema': () => ({ tables: usualTables, links: usualLinks, total: usualTables.length }),
    'GET table': tableView(7),
    'GET people': () => ({
      version: '1',
      people: 18,
      isReady: true,
      unknown: 0,
      leftOut: 0,
      rows: usualPeople,
      next: null,
    }),
    'GET duplicates': () => ({
      version: '1',
      rows: [{ by: 'email', value: 'ann@example.com', people: [usualPeople[0]!, usualPeople[4]!], more: 0 }],
      next: null,
    }),
    'GET report': (search) =>
      search.get('of') === 'plan'
        ? withSections(planView, search)
        : withSections(
            {
              ...planView,
              of: 'rehearsal',
              verdict: 'All 1,031 planned messages have arrived, and reading them back found no difference',
            },
            search,
          ),
    'GET destination': () => destination,
  },
  error: {
    'GET source': () =>
      source({
        error: {
          code: 'DESK_REFUSED',
          message: 'Cannot read "export.zip": no source recognises it',
          hint: 'Pass --source NAME to insist on one',
        },
        readAs: {
          source: null,
          sources: ['Slack export', 'CSV or TSV tables of any shape', 'JSON of any shape'].map((title, index) => ({
            name: `source-${index}`,
            title,
            command: `chatferry init --source source-${index} ./export.zip`,
          })),
        },
      }),
    'GET parts': () => ({ rows: [], next: null }),
    'GET ignored': () => ({ rows: [], next: null }),
    'GET cards': refused(
      'Cannot read "users.json": expected an array, found an object',
      'Pass --source slack-grid if this is an Enterprise Grid export',
    ),
    'GET schema': refused('Cannot open the database: the password was refused', 'Type it again in the step Source'),
    'GET people': refused('Cannot read "chatferry.people.csv": line 4 has no id', 'Mend the line, or delete the file'),
    'GET duplicates': () => ({ version: '1', rows: [], next: null }),
    'GET report': (search) => ({
      ...noReport(search),
      error: {
        code: 'DESK_REFUSED',
        message: 'Cannot read "report.json": it is of a later version',
        hint: 'Run chatferry report',
      },
    }),
    'GET destination': () => ({
      ...destination,
      key: {
        from: 'file',
        path: '/srv/ann/key',
        fault: 'Cannot use "/srv/ann/key" as a key file: others may read it',
      },
    }),
    'POST answer': changed,
    'POST person': changed,
    'POST sign-off': changed,
  },
  huge: {
    'GET source': () => ({
      ...usualSource,
      tables: Array.from({ length: 9 }, (_, index) => ({
        role: `role${index}`,
        table: 'table_'.repeat(20),
        because: 'It holds texts. '.repeat(6),
      })),
    }),
    'GET parts': () => ({ rows: Array.from({ length: 100 }, (_, index) => part(index)), next: '100' }),
    'GET ignored': () => ({
      rows: Array.from({ length: 20 }, (_, index) => ({
        reason: `Reason ${index}`,
        count: 1_000,
        first: 'x'.repeat(200),
      })),
      next: null,
    }),
    'GET cards': () => ({
      version: '1',
      open: 214,
      isPlanned: true,
      hasTables: true,
      undo: 'people.unknownAuthors: skip',
      rows: hugeCards,
      next: '30',
    }),
    'GET card': seenCard(hugeCards),
    'GET preview': previewOf,
    'GET schema': () => ({ tables: hugeTables, links: hugeLinks, total: 2_100 }),
    'GET table': tableView(60),
    'GET people': () => ({
      version: '1',
      people: 100_000,
      isReady: true,
      unknown: 0,
      leftOut: 12,
      rows: hugePeople,
      next: '50',
    }),
    'GET duplicates': () => ({
      version: '1',
      rows: Array.from({ length: 4 }, (_, index) => ({
        by: 'name' as const,
        value: `Ann ${index}`,
        people: hugePeople.slice(0, 10),
        more: 900,
      })),
      next: '20',
    }),
    'GET report': (search) =>
      withSections(
        {
          ...planView,
          of: search.get('of') === 'plan' ? 'plan' : 'rehearsal',
          tone: 'bad',
          isCurrent: false,
          verdict: 'Reading back found differences: 50 messages are missing',
          report: reports.huge,
        },
        search,
      ),
    'GET destination': () => ({
      ...destination,
      kind: 'address',
      to: `https://chat.example.com/${'path/'.repeat(40)}`,
      key: { from: 'variable', path: null, fault: null },
    }),
  },
};

import type { Effect } from '../../src/model/option.ts';
import type { ReportData, ReportGroup } from '../../src/report/report-data.ts';

/** Report data for tests and for looking at: a finished import, a dry run, nothing at all, and very much. */

/** An import of a small team's history that went well, with a few losses. Sums balance. */
export function finishedImport(changes: Partial<ReportData> = {}): ReportData {
  return { ...emptyReport(), ...origin, ...content, ...result, ...changes };
}

const origin = {
  runId: 'r1',
  exports: ['workspace-2016.zip', 'workspace-2017.zip'],
  source: 'slack',
  workspace: 'T061A2UFL',
  destination: { name: 'https://chat.example.org', profile: 'hosted' },
  files: { shared: 3, rows: 212, skipped: 4, unknown: 1 },
  people: { total: 18, bots: 2, deleted: 3, placeholders: 1 },
} satisfies Partial<ReportData>;

const names = ['general', 'engineering', 'random', 'support', 'design', 'announcements', 'lunch', 'release-2017'];
const planned = [412, 233, 141, 96, 61, 44, 28, 16];

const content = {
  conversationCount: 8,
  plannedConversationCount: 8,
  conversations: names.map((name, index) => conversation(name, planned[index] ?? 0)),
  months: [
    { month: '2016-03', count: 84 },
    { month: '2016-04', count: 142 },
    { month: '2016-05', count: 201 },
    { month: '2016-06', count: 118 },
    { month: '2016-08', count: 64 },
    { month: '2016-09', count: 173 },
    { month: '2016-10', count: 249 },
  ],
  contents: [
    { name: 'reactions', read: 530, planned: 512 },
    { name: 'system messages', read: 340, planned: 0 },
    { name: 'thread replies', read: 189, planned: 187 },
    { name: 'files', read: 74, planned: 71 },
    { name: 'bot messages', read: 33, planned: 33 },
    { name: 'edited messages', read: 22, planned: 22 },
    { name: 'deleted messages', read: 11, planned: 0 },
  ],
  authors: ['Ann Archer', 'Bob Baker', 'Zoë Çelik', '山田太郎', 'ليلى حداد', 'Deploy Bot'].map((name, index) => ({
    name,
    uid: `u${index + 1}`,
    count: [301, 244, 190, 133, 87, 33][index] ?? 0,
  })),
  attachmentHostCount: 3,
  attachmentHosts: [
    { host: 'files.example.org', count: 62 },
    { host: 'docs.example.com', count: 7 },
    { host: 'images.example.net', count: 2 },
  ],
  losses: [
    {
      name: 'reactions',
      count: 512,
      what: 'Emoji reactions of people',
      becomes: 'A list in the message’s metadata',
      group: 'hidden',
    },
    {
      name: 'thread structure',
      count: 187,
      what: 'Replies that belong to a thread',
      becomes: 'The root’s id in the metadata',
      group: 'hidden',
    },
    { name: 'pins', count: 9, what: 'Messages pinned to a channel', becomes: 'Nothing', group: 'missed' },
  ],
} satisfies Partial<ReportData>;

const result = {
  totals: totals({
    read: 1_385,
    duplicates: 12,
    skipped: 351,
    invalid: 3,
    planned: 1_031,
    imported: 1_019,
    existing: 12,
  }),
  skipped: [
    group(
      'system-message',
      340,
      'Joins, leaves and other lines that the system wrote. “systemMessages: keep” sends them.',
    ),
    group('deleted-at-source', 11, 'The author or an admin had deleted the message before the export was made.'),
  ],
  invalid: [
    withRows(group('no-content', 3, 'The message has neither text nor a file. Nothing can be sent for it.', 3)),
  ],
  problems: [
    {
      ...withRows(group('attachment-expires', 62, 'The address ends to work at a time that it names.', 3)),
      severity: 'decision',
      title: 'Files whose address expires',
    },
    {
      ...group('unknown-file', 1, 'A file that this source does not know. Tell us if it holds messages.', 1),
      severity: 'information',
      title: 'Files that are not part of the format',
    },
  ],
  decisions: [
    {
      id: 'attachment-expires',
      question: 'What should become of files whose address will stop working?',
      why: 'The address ends to work at a time that it names.',
      about: { count: 60, of: 'messages', isExact: true },
      examples: ['engineering/2016-03-01.json#/0: Row of U061A20, “attachment-expires”'],
      options: [
        option('Copy the files to permanent storage', { runs: 'media copy --media-to LOCATION' }),
        option('Send no files at all', { sets: { 'messages.attachments': 'drop' } }),
        option('Ask the old system for addresses that do not expire', { outside: true }),
      ],
      ifUndecided: { sends: 'the addresses stop working' },
      answer: null,
    },
  ],
  requests: { import: 21, list: 16, retried: 1, rateLimited: 2 },
  elapsedMs: 200_400,
  verify: { same: 1_031, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 4 },
} satisfies Partial<ReportData>;

/** The same export before anything is sent. */
export function dryRun(): ReportData {
  return finishedImport({
    command: 'plan',
    totals: totals({ read: 1_385, skipped: 351, invalid: 3, planned: 1_031, pending: 1_031 }),
    conversations: content.conversations.map((row) => ({ ...row, imported: 0, pending: row.planned })),
    forecast: forecast({ requests: 21, bytes: 412_000, minutes: 0.35, ratePerMinute: 60 }),
    requests: { import: 0, list: 0, retried: 0, rateLimited: 0 },
    elapsedMs: null,
    verify: null,
  });
}

/** An import that stopped, with everything that can go wrong in it. */
/** Files of which some could not be copied. All files are accounted for. */
export const halfCopied: NonNullable<ReportData['media']> = {
  ...{ files: 71, copied: 40, shared: 9, missing: 3, refused: 1, waiting: 18 },
  copiedBytes: 73_400_320,
  location: 's3://files/harbour at https://s3.example.org',
  waitingMessages: 14,
  left: {
    ...{ files: 16, bytes: 31_457_280, unsized: 2, bandwidth: 1_048_576, ms: 30_000 },
    expiring: { expired: 1, day: 4, week: 2, later: 0, firstAtMs: Date.UTC(2026, 10, 21, 12) },
  },
  hosts: [
    { host: 'files.example.org', files: 44, copied: 36, bytes: 83_886_080, unsized: 2 },
    { host: null, files: 16, copied: 4, bytes: 20_971_520, unsized: 0 },
  ],
  hostCount: 24,
  notInExport: 2,
  faults: [
    {
      ...{
        state: 'missing',
        name: 'plan.pdf',
        host: 'files.example.org',
        reason: 'its host says that it is gone (404)',
      },
      location: 'general/2016-05-03.json#/2',
    },
    { state: 'refused', name: 'film.mov', host: null, reason: 'more than 5 GiB', location: 'lunch/2016-05-03.json#/7' },
  ],
  faultCount: 4,
  settled: ['attachment-needs-login'],
};

export function troubledImport(): ReportData {
  return finishedImport({
    totals: totals({
      read: 1_385,
      skipped: 351,
      invalid: 3,
      planned: 1_031,
      imported: 700,
      existing: 12,
      failed: 12,
      pending: 257,
      unconfirmed: 50,
      late: 7,
    }),
    conversations: content.conversations.map((row) => ({
      ...row,
      imported: Math.floor(row.planned * 0.7),
      failed: row.name === 'support' ? 12 : 0,
      pending: row.planned - Math.floor(row.planned * 0.7) - (row.name === 'support' ? 12 : 0),
    })),
    failed: [
      group(
        'ERR_UID_NOT_FOUND',
        12,
        'The service does not know the sender. Create the person there, then run “chatferry retry”.',
      ),
    ],
    forecast: forecast({ requests: 7, bytes: 98_000 }),
    verify: { same: 690, missing: 3, extra: 0, different: 2, duplicated: 1, foreign: 4 },
    media: halfCopied,
    changedSince: ['the mapping changed (89abcdef01234567 to 123456789abcdef0)'],
    differences: [
      {
        kind: 'missing',
        muid: 'm1k3v5p2q7x4w6z8y9a1b3c5d7',
        conversation: 'engineering',
        detail: 'Not in the conversation after 120 s',
        location: 'engineering/2016-05-02.json#/14',
      },
      {
        kind: 'different',
        muid: 'm1aaaabbbbccccddddeeeeffff',
        conversation: 'general',
        detail: 'Text ends after 1,000 characters',
        location: 'general/2016-05-03.json#/2',
      },
    ],
    stopped: {
      code: 'AUTH_ERR_APIKEY_NOT_FOUND',
      message: 'The service does not accept the API key any more',
      hint: 'Set CHATFERRY_API_KEY and run the same command again',
    },
  });
}

/** One entry in every list and a value in every field, for tests that open many pages. */
export function oneOfEach(): ReportData {
  const entries = Object.entries(troubledImport());
  const shortened = entries.map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, 1) : value]);
  return Object.fromEntries(shortened);
}

/** A store into which nothing was read. */
export function emptyReport(): ReportData {
  return {
    version: 1,
    generatedAtMs: Date.UTC(2026, 10, 21, 9, 31, 5),
    chatferryVersion: '0.1.0',
    command: 'import',
    runId: null,
    exports: [],
    source: 'slack',
    workspace: '',
    store: 'chatferry.db',
    destination: null,
    totals: totals({}),
    skipped: [],
    invalid: [],
    failed: [],
    problems: [],
    decisions: [],
    losses: [],
    files: { shared: 0, rows: 0, skipped: 0, unknown: 0 },
    ignored: [],
    people: { total: 0, bots: 0, deleted: 0, placeholders: 0 },
    conversationCount: 0,
    plannedConversationCount: 0,
    conversations: [],
    months: [],
    contents: [],
    authors: [],
    attachmentHostCount: 0,
    attachmentHosts: [],
    pins: { export: '0123456789abcdef', mapping: '123456789abcdef0', profile: '23456789abcdef01' },
    changedSince: [],
    forecast: forecast({}),
    requests: { import: 0, list: 0, retried: 0, rateLimited: 0 },
    elapsedMs: null,
    verify: null,
    differingConversations: [],
    differences: [],
    stopped: null,
  };
}

/** Ten years of a large company: 500 of 3,210 conversations, 120 months, many kinds of trouble. */
export function hugeImport(): ReportData {
  const conversations = Array.from({ length: 500 }, (_, index) => hugeConversation(index));
  const months = Array.from({ length: 120 }, (_, index) => ({
    month: `${2014 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
    count: Math.round(40_000 + 900 * index + 15_000 * Math.sin(index / 2.2)),
  }));
  const authors = Array.from({ length: 20 }, (_, index) => ({
    name: `Person number ${index + 1} with a long family name`,
    uid: `person-${index + 1}`,
    count: 400_000 - index * 17_000,
  }));
  return {
    ...troubledImport(),
    totals: totals({
      read: 12_482_110,
      duplicates: 40_112,
      skipped: 1_204_551,
      invalid: 812,
      planned: 11_276_747,
      imported: 11_274_112,
      existing: 2_600,
      failed: 35,
      late: 19,
    }),
    skipped: Array.from({ length: 6 }, (_, index) =>
      group(
        `rule-${index + 1}`,
        200_758,
        'Left out by this rule, which somebody wrote into the mapping file on purpose.',
      ),
    ),
    invalid: Array.from({ length: 12 }, (_, index) =>
      group(
        `reject-code-${index + 1}`,
        68,
        'The row could not be read, for a reason that this sentence would explain in a real report.',
        10,
      ),
    ),
    conversationCount: 3_210,
    plannedConversationCount: 3_210,
    conversations,
    months,
    authors,
    stopped: null,
    differences: Array.from({ length: 50 }, (_, index) => ({
      kind: 'missing',
      muid: `m1${String(index).padStart(25, 'a')}`,
      conversation: `project-${index}`,
      detail: 'Not in the conversation after 120 s',
      location: `project-${index}/2019-05-02.json#/14`,
    })),
    verify: { same: 11_276_697, missing: 50, extra: 0, different: 0, duplicated: 0, foreign: 1_024 },
    elapsedMs: 260_123_000,
    requests: { import: 225_535, list: 40_112, retried: 312, rateLimited: 1_099 },
  };
}

/** Totals with zeros for what is not named. */
export function totals(counts: Partial<ReportData['totals']>): ReportData['totals'] {
  const zeros = {
    read: 0,
    duplicates: 0,
    skipped: 0,
    invalid: 0,
    planned: 0,
    imported: 0,
    existing: 0,
    failed: 0,
    pending: 0,
    unconfirmed: 0,
    late: 0,
  };
  return { ...zeros, ...counts };
}

function group(code: string, count: number, explanation: string, exampleCount = 5): ReportGroup {
  const examples = Array.from({ length: Math.min(count, exampleCount) }, (_, index) => ({
    location: `engineering/2016-03-${String(index + 1).padStart(2, '0')}.json#/${index * 7}`,
    detail: `Row of U061A2${index}, “${code}”`,
  }));
  return { code, severity: 'blocks', title: code, count, explanation, remedy: '', examples };
}

/** With the rows that its places lead to. */
function withRows(found: ReportGroup): ReportGroup {
  const examples = found.examples.map((example, index) => ({
    ...example,
    excerpt: `{"ts":"145679040${index}.0","text":"x"}`,
  }));
  return { ...found, examples };
}

function option(does: string, effect: Effect) {
  return { does, effect, because: '', isProposed: false, isLastResort: false };
}

function forecast(changes: Partial<ReportData['forecast']>): ReportData['forecast'] {
  const { minutes = null, ratePerMinute = null } = changes;
  const startAtMs = Date.UTC(2026, 10, 21, 12);
  return {
    requests: 0,
    reads: 0,
    bytes: 0,
    ratePerMinute,
    minutes,
    startAtMs,
    endAtMs: minutes === null ? null : startAtMs + Math.ceil(minutes * 60_000),
    faster: minutes === null ? [] : [{ ratePerMinute: ratePerMinute! * 2, minutes: minutes / 2 }],
    storeBytes: 1_000_000,
    storeBytesAfter: 1_200_000,
    freeBytes: 40_000_000_000,
    ...changes,
  };
}

function conversation(name: string, count: number): ReportData['conversations'][number] {
  return {
    id: `C0${name.length}${name.toUpperCase().slice(0, 4)}`,
    name,
    target: `group ${name}`,
    read: Math.round(count * 1.34),
    planned: count,
    imported: count,
    existing: 0,
    failed: 0,
    pending: 0,
    unconfirmed: 0,
    firstAtMs: Date.UTC(2016, 2, 1),
    lastAtMs: Date.UTC(2016, 9, 31),
  };
}

function hugeConversation(index: number): ReportData['conversations'][number] {
  const count = Math.round(900_000 / (index + 1));
  const refused = index % 7 === 3 ? Math.ceil(count / 100) : 0;
  const name = index % 9 === 4 ? `project-${index}-with-a-name-that-never-seems-to-end-at-all` : `project-${index}`;
  return { ...conversation(name, count), imported: count - refused, failed: refused };
}

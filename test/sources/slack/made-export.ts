import { rowOf, tsOf } from '../../scenes/slack-rows.ts';

/** Rows of one day file that have, between them, everything that Slack may say and a chat elsewhere may not. Made up. */

const rich = (...elements: object[]) => ({ type: 'rich_text', block_id: 'b1', elements });
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });
const plain = (words: string) => ({ type: 'plain_text', text: words, emoji: true });

const address = `https://work.slack.com/archives/C00000001/p${tsOf(0).replace('.', '')}`;

const previews = [
  {
    id: 1,
    from_url: 'https://example.com/tides',
    original_url: 'https://example.com/t',
    service_name: 'Example',
    title: 'Tides explained',
    title_link: 'https://example.com/tides',
    text: 'Why the sea comes and goes',
    fallback: 'Example: Tides explained',
    thumb_url: 'https://example.com/t.png',
    ts: 1_700_000_000,
  },
  {
    id: 2,
    is_app_unfurl: true,
    app_unfurl_url: 'https://example.com/pull/7',
    app_id: 'A1',
    color: '24292f',
    title: 'Repair the pier',
    fields: [{ title: 'Reviewers', value: 'somebody', short: true }],
    footer: 'harbour/pier',
    mrkdwn_in: ['text'],
  },
];

const card = {
  id: 1,
  fallback: 'Build 812 failed',
  color: 'a30200',
  title: 'Build 812',
  title_link: 'https://ci.example.com/812',
  text: 'Two tests are *red*',
  author_name: 'Builder',
  author_icon: 'https://ci.example.com/icon.png',
  author_subname: 'night shift',
  thumb_url: 'https://ci.example.com/thumb.png',
  thumb_width: 80,
  thumb_height: 80,
  footer: 'ci.example.com',
  footer_icon: 'https://ci.example.com/footer.png',
  ts: 1_700_000_001,
  fields: [{ title: 'Branch', value: 'release', short: true }],
  actions: [
    { id: '1', name: 'who', type: 'select', text: 'Who repairs it?', options: [{ text: 'Bob', value: 'bob' }] },
  ],
};

const shared = {
  is_share: true,
  is_msg_unfurl: true,
  channel_id: 'C00000002',
  channel_name: 'harbour',
  ts: tsOf(900),
  from_url: `https://work.slack.com/archives/C00000002/p${tsOf(900).replace('.', '')}`,
  author_id: 'U00000002',
  author_name: 'Bob',
  text: 'The pier is closed',
  fallback: '[February 2nd] bob: The pier is closed',
  footer: 'Posted in #harbour',
};

const form = [
  { type: 'header', block_id: 'h', text: plain('Shift for tomorrow') },
  {
    type: 'actions',
    elements: [
      {
        type: 'static_select',
        action_id: 'a',
        placeholder: plain('Pick a shift'),
        options: [{ text: plain('Early'), value: 'early' }],
        initial_option: { text: plain('Late'), value: 'late' },
      },
    ],
  },
  {
    type: 'input',
    block_id: 'i',
    label: plain('From when on?'),
    element: { type: 'datepicker', action_id: 'd', initial_date: '2026-02-03' },
  },
];

const snippet = {
  id: 'F00000001',
  created: 1_770_000_000,
  timestamp: 1_770_000_000,
  name: 'tide.js',
  title: 'tide.js',
  mimetype: 'text/plain',
  filetype: 'javascript',
  pretty_type: 'JavaScript',
  mode: 'snippet',
  size: 1200,
  user: 'U00000001',
  editable: true,
  is_external: false,
  preview: 'export const tide = 7;\nexport const moon = 8;',
  preview_highlight: '<div>export const tide</div>',
  lines: 80,
  lines_more: 75,
  url_private: 'https://files.slack.com/files-pri/T1-F1/tide.js?t=xoxe-1-made-up',
  url_private_download: 'https://files.slack.com/files-pri/T1-F1/download/tide.js?t=xoxe-1-made-up',
  permalink: 'https://work.slack.com/files/U00000001/F00000001/tide.js',
};

export const madeRows: readonly Readonly<Record<string, unknown>>[] = [
  {
    text: 'The harbour opens at *six*',
    client_msg_id: 'aa-bb',
    team: 'T00000001',
    reply_count: 1,
    latest_reply: tsOf(1),
  },
  {
    text: `See <${address}|above> and <https://work.slack.com/files/U1/F1/plan.png>`,
    thread_ts: tsOf(0),
    parent_user_id: 'U00000001',
  },
  { text: 'Read <https://example.com/t> and <https://example.com/pull/7>', attachments: previews },
  {
    user: undefined,
    subtype: 'bot_message',
    bot_id: 'B7',
    username: 'Builder',
    text: '',
    attachments: [card],
    icons: { emoji: ':hammer:' },
  },
  { text: 'Look at this', attachments: [shared] },
  {
    user: undefined,
    subtype: 'bot_message',
    bot_id: 'B7',
    username: 'Planner',
    text: 'Shift for tomorrow',
    blocks: form,
  },
  {
    text: "<@UOTHER001|dana>, <!subteam^S1|@ops>: *chkDots()'s* underlined :ship-it-squid: in <#COTHER001>",
    blocks: [
      rich(
        section(
          { type: 'user', user_id: 'UOTHER001' },
          text(', '),
          { type: 'usergroup', usergroup_id: 'S1' },
          text(': '),
          text('chkDots()', { bold: true, code: true }),
          text("'s ", { bold: true }),
          text('underlined', { underline: true }),
          text(' '),
          { type: 'emoji', name: 'ship-it-squid' },
          text(' in '),
          { type: 'channel', channel_id: 'COTHER001' },
          { type: 'link', url: 'https://example.com/R ', text: ' x.R' },
        ),
      ),
    ],
  },
  { text: 'An order came', metadata: { event_type: 'order_created', event_payload: { number: 4711 } } },
  { text: 'The table', files: [snippet], upload: true },
  { subtype: 'channel_tab_added', text: '<@U00000001> added a tab' },
  { subtype: 'welcome_party', text: 'Welcome to the harbour' },
  { subtype: 'weather_alert', user: 'USLACKBOT', text: 'Storm from the west' },
  { text: '# no heading\n    - no list\n1. no number\n2*3*4', edited: { user: 'U00000002', ts: tsOf(950) } },
  { text: 'Good', reactions: [{ name: 'ship-it-squid', users: ['U00000002'], count: 1 }], pinned_to: ['C00000001'] },
].map((fields, index) => rowOf(index, fields));

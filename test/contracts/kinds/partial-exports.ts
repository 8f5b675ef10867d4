import type { Kind } from './kind.ts';
import { add, type EditedSample, put, remove, rename, replace } from './sample-edits.ts';

interface PartialExport extends EditedSample {
  /** Statement of the export: `a range of time`. */
  readonly says: string;
  /** Codes that name it, if it is not `export-is-partial`. */
  readonly codes?: readonly string[];
}

const teamsRow = {
  id: '1772445699000',
  messageType: 'message',
  createdDateTime: '2026-03-02T10:01:39.000Z',
  chatId: '19:group0002@thread.v2',
  from: { user: { id: 'aaaaaaaa-0000-4000-8000-000000000001', displayName: 'Ines Bruun' } },
  body: { contentType: 'text', content: 'More?' },
};

const discordFile = 'vera [1477000000000000720].json';

export const partialExports: Kind<PartialExport> = {
  name: 'exports that say that they are not whole',
  cases: {
    chatwoot: [
      {
        says: 'a conversation of the list whose messages are not there',
        sample: 'answers',
        edits: [remove('messages/8.json')],
      },
    ],
    crisp: [
      {
        says: 'a last message that is not there',
        sample: 'answers',
        edits: [remove('conversation/session_a1/messages-1.json')],
      },
      {
        says: 'a conversation of the list whose messages are not there',
        sample: 'answers',
        edits: [
          put('conversations-1.json', '/data/1/preview_message', undefined),
          remove('conversation/session_b2/messages-1.json'),
        ],
      },
    ],
    freshchat: [
      {
        says: 'a page of messages that goes on',
        sample: 'answers',
        edits: [remove('c1a00000-0000-4000-8000-000000000001/messages-2.json')],
      },
      {
        says: 'a conversation of a list whose messages are not there',
        sample: 'answers',
        edits: [remove('c2a00000-0000-4000-8000-000000000002/messages-1.json')],
      },
      {
        says: 'a page of users that goes on',
        sample: 'answers',
        edits: [put('users-1.json', '/links/next_page', { href: '/v2/users?page=2' })],
      },
    ],
    livechat: [
      { says: 'a page of archives that goes on', sample: 'answers', edits: [remove('archives-2.json')] },
      {
        says: 'a thread before those that are there',
        sample: 'answers',
        edits: [put('threads/PN2MRSHTDG.json', '/threads/0/previous_thread_id', 'M800PKZOM6')],
      },
      {
        says: 'a thread whose events are not shown',
        sample: 'answers',
        edits: [put('archives-1.json', '/chats/1/thread/restricted_access', 'Your plan does not have it')],
      },
      {
        says: 'a chat of the list whose thread is not there',
        sample: 'answers',
        edits: [remove('threads/PN2MRSHTDG.json')],
      },
    ],
    hubspot: [
      { says: 'a page of messages that goes on', sample: 'answers', edits: [remove('8243595013-2.json')] },
      { says: 'a thread of the list without messages', sample: 'answers', edits: [remove('8243595014.json')] },
      {
        says: 'a text that is not whole',
        sample: 'answers',
        edits: [put('8243595014.json', '/results/0/truncationStatus', 'TRUNCATED')],
        codes: ['hubspot-truncated'],
      },
    ],
    front: [
      {
        says: 'a page of messages that goes on',
        sample: 'answers',
        edits: [remove('messages/cnv_7a-2.json')],
      },
      {
        says: 'a page of contacts that goes on',
        sample: 'answers',
        edits: [put('contacts.json', '/_pagination/next', 'https://api2.frontapp.com/contacts?page_token=p2')],
      },
      {
        says: 'the last message of a conversation whose messages are not there',
        sample: 'answers',
        edits: [remove('messages/b.json')],
      },
    ],
    helpscout: [
      {
        says: 'a page of conversations that goes on',
        sample: 'answers',
        edits: [put('conversations.json', '/page/totalPages', 2)],
      },
      {
        says: 'a page of threads that is not there',
        sample: 'answers',
        edits: [remove('conversations/8/threads-1.json')],
      },
      {
        says: 'more threads than a conversation has',
        sample: 'lines',
        edits: [put('export.ndjson', '/0/threads', 7)],
      },
      {
        says: 'a conversation of a list, without its threads',
        sample: 'answers',
        edits: [add('list.json', JSON.stringify([{ id: 13, threads: 2, mailboxId: 85, primaryCustomer: { id: 5 } }]))],
      },
    ],
    xmpp: [{ says: 'a file that another one includes', sample: 'xep-0227', edits: [remove('example.com/bo.xml')] }],
    zendesk: [
      {
        says: 'a page of comments that goes on',
        sample: 'support',
        edits: [put('501/comments.json', '/meta/has_more', true)],
      },
      {
        says: 'an export of tickets that has not come to its end',
        sample: 'support',
        edits: [put('tickets.json', '/end_of_stream', false)],
      },
      { says: 'a ticket without its comments', sample: 'support', edits: [remove('502/comments.json')] },
      {
        says: 'more comments than a ticket has',
        sample: 'lines',
        edits: [put('export.ndjson', '/0/comment_count', 7)],
      },
    ],
    intercom: [
      {
        says: 'more parts than are given',
        sample: 'answers',
        edits: [put('124.json', '/conversation_parts/total_count', 501)],
      },
      {
        says: 'a conversation of a list, without its parts',
        sample: 'answers',
        edits: [put('124.json', '/conversation_parts', undefined)],
      },
      {
        says: 'a page of conversations that goes on',
        sample: 'list',
        edits: [put('export.json', '/pages/next', { page: 2, starting_after: 'WzE3' })],
      },
      {
        says: 'a page of contacts that goes on',
        sample: 'answers',
        edits: [put('contacts.json', '/pages/next', { page: 2, starting_after: 'WzE3' })],
      },
    ],
    discord: [
      {
        says: 'a range of time',
        sample: 'direct',
        edits: [put(discordFile, '/dateRange', { after: '2026-01-01T00:00:00+00:00', before: null })],
      },
      { says: 'more messages', sample: 'direct', edits: [put(discordFile, '/messageCount', 70)] },
      { says: 'a thread without a file', sample: 'server', edits: [remove('[1477900000000001003].json')] },
    ],
    matrix: [
      { says: 'an answer that goes on', sample: 'answers', edits: [put('messages-2.json', '/end', 't9-further')] },
      {
        says: 'a cut timeline',
        sample: 'sync',
        edits: [put('sync-1.json', '/rooms/join/!two:example.com/timeline/limited', true)],
      },
      {
        says: 'answers of a thread',
        sample: 'lists',
        edits: [put('lines.jsonl', '/0/unsigned', { 'm.relations': { 'm.thread': { count: 3 } } })],
      },
    ],
    teams: [
      {
        says: 'a last page that goes on',
        sample: 'graph',
        edits: [
          put('messages.json', '/-', { '@odata.nextLink': 'https://graph.microsoft.com/y' }),
          put('messages.json', '/2/value', [teamsRow]),
        ],
      },
      {
        says: 'a page that goes on',
        sample: 'graph',
        edits: [
          add('page.json', JSON.stringify({ '@odata.nextLink': 'https://graph.microsoft.com/z', value: [teamsRow] })),
        ],
      },
      {
        says: 'a page of chats that goes on',
        sample: 'graph',
        edits: [
          replace(
            'chats.json',
            '"@odata.context": "x",',
            '"@odata.context": "x", "@odata.nextLink": "https://graph.microsoft.com/c",',
          ),
        ],
      },
      {
        says: 'replies behind an address',
        sample: 'graph',
        codes: ['teams-more-rows'],
        edits: [put('messages.json', '/0/value/0/replies@odata.nextLink', 'https://graph.microsoft.com/r')],
      },
    ],
    rocketchat: [
      { says: 'an answer that goes on', sample: 'rest-answers', edits: [put('channels.json', '/total', 7)] },
    ],
    telegram: [{ says: 'a next page that is not there', sample: 'pages', edits: [remove('messages2.html')] }],
    zulip: [
      { says: 'a file of messages that is missing', sample: 'whole-export', edits: [remove('messages-000001.json')] },
      {
        says: 'a file that was not finished',
        sample: 'whole-export',
        codes: ['zulip-unfinished'],
        edits: [rename('messages-000002.json', 'messages-000002.json.partial')],
      },
    ],
    slack: [
      {
        says: 'more answers than are in the row, of slackdump',
        sample: 'every-feature',
        edits: [
          put('design/2026-03-03.json', '/0/reply_count', 2),
          put('design/2026-03-03.json', '/0/slackdump_thread_replies', [
            { type: 'message', user: 'U05HLPRIY3', text: 'Yes', ts: '1772529300.000100' },
          ]),
        ],
      },
    ],
    sendbird: [
      {
        says: 'a page of channels that goes on',
        sample: 'data-export',
        edits: [put('channels_1.json', '/next', 'ansYQFFVQ1AIEUBXX1RcE2d0FUZSUlkJ')],
      },
      {
        says: 'a page of people that goes on',
        sample: 'data-export',
        edits: [replace('users_1.json', '{', '{"next": "ansYQFFVQ1AIEUBX",')],
      },
    ],
    twilio: [
      {
        says: 'a last page of messages that goes on',
        sample: 'conversations',
        edits: [
          put(
            'messages-1.json',
            '/meta/next_page_url',
            'https://conversations.twilio.com/v1/Conversations/CH00000000000000000000000000000001/Messages?PageSize=3&Page=2&PageToken=PT2',
          ),
        ],
      },
      {
        says: 'a first page of messages that is not there',
        sample: 'conversations',
        edits: [remove('messages-0.json')],
      },
      {
        says: 'a page of conversations that goes on',
        sample: 'conversations',
        edits: [
          put(
            'conversations.json',
            '/meta/next_page_url',
            'https://conversations.twilio.com/v1/Conversations?PageSize=50&Page=1&PageToken=PT1',
          ),
        ],
      },
    ],
    pubnub: [
      {
        says: 'an answer of messages that goes on',
        sample: 'chat-sdk',
        edits: [put('harbour-2.json', '/more', { url: '/v3', start: '17724429000000001', max: 25 })],
      },
      {
        says: 'an answer of people that goes on',
        sample: 'chat-sdk',
        edits: [put('people.json', '/next', 'Mg')],
      },
    ],
    talkjs: [
      {
        says: 'a last message that is not there',
        sample: 'rest-answers',
        edits: [put('conversations.json', '/data/0/lastMessage/id', 'msg_later')],
      },
    ],
    quickblox: [
      {
        says: 'a last message that is not there',
        sample: 'quickblox-answers',
        edits: [put('dialogs.json', '/items/0/last_message_id', '69a55664000000000000ffff')],
      },
    ],
    stream: [
      {
        says: 'more messages of a channel',
        sample: 'channels-v1',
        edits: [put('others.json', '/0/channel/message_count', 70)],
      },
    ],
    json: [
      { says: 'more', sample: 'nested-list', edits: [replace('export.json', '{', '{"has_more": true,')] },
      {
        says: 'a cursor behind its list',
        sample: 'nested-list',
        edits: [put('export.json', '/paging', { next_cursor: 'bmV4dDo5' })],
      },
    ],
    database: [
      {
        says: 'a dump that has no end',
        codes: ['dump-cut-off'],
        sample: 'own-database-postgres',
        edits: [replace('export.sql', /\n-- PostgreSQL database dump complete[\s\S]*$/, '\n')],
      },
    ],
  },
  without: {
    line: 'A chat is a text without a count or an end; that an app leaves out what is old is not in it',
    kakaotalk: 'A chat is a text without a count or an end; that an app leaves out what is old is not in it',
    smsbackup: 'The count of a backup is often wrong, and its end says whether it is whole',
    viber: 'The database says nothing of what was deleted from it, or is only on the phone',
    googlevoice: 'A page has messages alone: nothing counts them, or says which pages there are',
    imessage: 'The database says nothing of what was deleted from it, or is only in iCloud',
    messenger:
      'A download comes in several archives, and a thread may go on in another one: a gap in one is none in all',
    whatsapp: 'A chat is a text without head or foot; that an app leaves out what is old is not in it',
    signal: 'Every export is of all chats of a device, and nothing in it counts them',
    googlechat: 'The files of a space have messages alone: nothing counts them, or says from when on',
    instagram:
      'A download comes in several archives, and a thread may go on in another one: a gap in one is none in all',
    irc: 'A log has lines alone; a log that was opened again is no gap of the log',
    mattermost: 'A bulk export is of all teams, or of what somebody chose, and does not say which',
    chatferry: 'Who writes our own format decides what is in it',
    'chat-service':
      'Lists of messages name a next page on their last one too, and count no pages; "chatferry fetch" reads to the end',
    csv: 'A table has rows alone',
  },
};

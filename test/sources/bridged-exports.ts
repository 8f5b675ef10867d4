/** The same conversation as each platform would export it: the smallest export that its source reads. */

/** Text that a person typed, in pieces. */
export type Piece = string | { readonly bold: string } | { readonly link: string };

export interface Line {
  readonly author: string;
  readonly atMs: number;
  readonly pieces: readonly Piece[];
}

export interface Bridged {
  /** Whether the platform has styles; else what is bold elsewhere is plain. */
  readonly hasStyles: boolean;
  files(lines: readonly Line[]): Readonly<Record<string, unknown>>;
}

interface Spelling {
  plain?(text: string): string;
  bold?(text: string): string;
  link?(url: string): string;
}

const same = (text: string): string => text;

/** The text as a platform has it. */
export const spelled = (pieces: readonly Piece[], { plain = same, bold = same, link = same }: Spelling): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? plain(piece) : 'bold' in piece ? bold(piece.bold) : link(piece.link)))
    .join('');

export const stars = (text: string): string => `**${text}**`;
const star = (text: string): string => `*${text}*`;
const html = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const iso = (ms: number): string => new Date(ms).toISOString();
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const authorsOf = (said: readonly Line[]): string[] => [...new Set(said.map(({ author }) => author))];
const numbered = (prefix: string, index: number, length: number): string =>
  prefix + String(index + 1).padStart(length - prefix.length, '0');
const guid = (index: number): string => numbered('aaaaaaaa-0000-4000-8000-', index, 36);

/** Letters as Meta's downloads have them: UTF-8 taken for Latin-1. */
const broken = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const metaFiles = (said: readonly Line[]) => ({
  participants: authorsOf(said).map((name) => ({ name: broken(name) })),
  messages: said
    .map(({ author, atMs, pieces }) => ({
      sender_name: broken(author),
      timestamp_ms: atMs,
      content: broken(spelled(pieces, {})),
      is_geoblocked_for_viewer: false,
    }))
    .reverse(),
  title: 'Harbour',
  is_still_participant: true,
  thread_path: 'inbox/harbour_1',
});

export const bridged: Readonly<Record<string, Bridged>> = {
  slack: {
    hasStyles: true,
    files: (said) => {
      const people = authorsOf(said);
      return {
        'users.json': people.map((name, index) => ({
          id: numbered('U', index, 9),
          team_id: 'T00000001',
          name: name.toLowerCase(),
          profile: { real_name: name, display_name: name },
        })),
        'channels.json': [
          { id: 'C00000001', name: 'harbour', members: people.map((_, index) => numbered('U', index, 9)) },
        ],
        [`harbour/${iso(said[0]!.atMs).slice(0, 10)}.json`]: said.map(({ author, atMs, pieces }, index) => ({
          type: 'message',
          ts: `${Math.floor(atMs / 1000)}.${String(index + 1).padStart(6, '0')}`,
          user: numbered('U', people.indexOf(author), 9),
          text: spelled(pieces, { plain: html, bold: star, link: (url) => `<${html(url)}>` }),
        })),
      };
    },
  },
  discord: {
    hasStyles: true,
    files: (said) => ({
      'Harbour - general [1477000000000000100].json': {
        guild: { id: '1477000000000000001', name: 'Harbour', iconUrl: '' },
        channel: { id: '1477000000000000100', type: 'GuildTextChat', name: 'general', topic: null },
        dateRange: {},
        exportedAt: iso(said[0]!.atMs),
        messages: said.map(({ author, atMs, pieces }, index) => ({
          id: String(1_477_900_000_000_000_000n + BigInt(index)),
          type: 'Default',
          timestamp: iso(atMs),
          timestampEdited: null,
          isPinned: false,
          content: spelled(pieces, { bold: stars }),
          author: { id: `30000000000000000${author.length}`, name: author, discriminator: '0000', nickname: author },
          attachments: [],
          embeds: [],
          reactions: [],
          mentions: [],
        })),
        messageCount: said.length,
      },
    }),
  },
  telegram: {
    hasStyles: true,
    files: (said) => ({
      'result.json': {
        name: 'Harbour',
        type: 'private_supergroup',
        id: 1501,
        messages: said.map(({ author, atMs, pieces }, index) => {
          const entities = pieces.map((piece) =>
            typeof piece === 'string'
              ? { type: 'plain', text: piece }
              : 'bold' in piece
                ? { type: 'bold', text: piece.bold }
                : { type: 'link', text: piece.link },
          );
          return {
            id: index + 1,
            type: 'message',
            date: iso(atMs).slice(0, 19),
            date_unixtime: String(Math.floor(atMs / 1000)),
            from: author,
            from_id: `user100${author.length}`,
            text: entities.map((entity) => (entity.type === 'plain' ? entity.text : entity)),
            text_entities: entities,
          };
        }),
      },
    }),
  },
  teams: {
    hasStyles: true,
    files: (said) => ({
      [`teams/${guid(9)}/messages_${guid(9)}.json`]: said.map(({ author, atMs, pieces }) => ({
        Id: String(atMs),
        Body: {
          ContentType: 'html',
          Content: `<p>${spelled(pieces, {
            plain: (text) => html(text).replaceAll('\n', '<br>'),
            bold: (text) => `<b>${text}</b>`,
            link: (url) => `<a href="${html(url)}">${html(url)}</a>`,
          })}</p>`,
        },
        CreatedDateTime: iso(atMs),
        LastModifiedDateTime: iso(atMs),
        LastEditedDateTime: null,
        DeletedDateTime: null,
        ReplyToId: null,
        From: { User: { Id: guid(author.length), DisplayName: author, TenantId: guid(0) } },
        Attachments: [],
        Mentions: [],
        Reactions: [],
        MessageType: 'message',
        ChannelIdentity: { TeamId: guid(9), ChannelId: '19:harbour@thread.tacv2' },
      })),
    }),
  },
  whatsapp: {
    hasStyles: true,
    files: (said) => ({
      'WhatsApp Chat with Harbour.txt': said
        .map(({ author, atMs, pieces }) => {
          const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(iso(atMs))!;
          return `${day}/${month}/${year}, ${time} - ${author}: ${spelled(pieces, { bold: star })}\n`;
        })
        .join(''),
    }),
  },
  googlechat: {
    hasStyles: true,
    files: (said) => ({
      'Takeout/Google Chat/Groups/Space AAAA/group_info.json': {
        name: 'Harbour',
        members: authorsOf(said).map((name) => ({ name, email: `${name.length}@example.com`, user_type: 'Human' })),
      },
      'Takeout/Google Chat/Groups/Space AAAA/messages.json': {
        messages: said.map(({ author, atMs, pieces }, index) => {
          const text = spelled(pieces, {});
          const bold = pieces.flatMap((piece) => (typeof piece === 'object' && 'bold' in piece ? [piece.bold] : []));
          return {
            creator: { name: author, email: `${author.length}@example.com`, user_type: 'Human' },
            created_date: `${new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' }).format(atMs)} at ${new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', timeStyle: 'medium' }).format(atMs)} UTC`,
            text,
            annotations: bold.map((words) => ({
              start_index: text.indexOf(words),
              length: words.length,
              format_metadata: { format_type: 'BOLD' },
            })),
            topic_id: `t${index}`,
            message_id: `AAAA/t${index}/t${index}`,
          };
        }),
      },
    }),
  },
  messenger: {
    hasStyles: false,
    files: (said) => ({ 'your_facebook_activity/messages/inbox/harbour_1/message_1.json': metaFiles(said) }),
  },
  instagram: {
    hasStyles: false,
    files: (said) => ({ 'your_instagram_activity/messages/inbox/harbour_1/message_1.json': metaFiles(said) }),
  },
  mattermost: {
    hasStyles: true,
    files: (said) => ({
      'import.jsonl': lines([
        { type: 'version', version: 1 },
        { type: 'team', team: { name: 'made', display_name: 'Made', type: 'O' } },
        { type: 'channel', channel: { team: 'made', name: 'harbour', display_name: 'Harbour', type: 'O' } },
        ...authorsOf(said).map((name) => ({
          type: 'user',
          user: {
            username: `person.${name.length}`,
            nickname: name,
            email: `${name.length}@example.com`,
            teams: [{ name: 'made', channels: [{ name: 'harbour' }] }],
          },
        })),
        ...said.map(({ author, atMs, pieces }) => ({
          type: 'post',
          post: {
            team: 'made',
            channel: 'harbour',
            user: `person.${author.length}`,
            message: spelled(pieces, { bold: stars }),
            create_at: atMs,
          },
        })),
      ]),
    }),
  },
  rocketchat: {
    hasStyles: true,
    files: (said) => {
      const userOf = (name: string) => ({
        _id: numbered('user', name.length, 17),
        username: `person.${name.length}`,
        name,
      });
      return {
        'users.json': lines(authorsOf(said).map((name) => ({ ...userOf(name), type: 'user', active: true }))),
        'rocketchat_room.json': lines([{ _id: numbered('room', 0, 17), t: 'c', name: 'harbour', msgs: said.length }]),
        'rocketchat_message.json': lines(
          said.map(({ author, atMs, pieces }, index) => ({
            _id: numbered('m', index, 17),
            rid: numbered('room', 0, 17),
            msg: spelled(pieces, { bold: star }),
            ts: { $date: iso(atMs) },
            u: userOf(author),
            _updatedAt: { $date: iso(atMs) },
          })),
        ),
      };
    },
  },
  stream: {
    hasStyles: true,
    files: (said) => ({
      'import.jsonl': lines([
        ...authorsOf(said).map((name) => ({ type: 'user', item: { id: `p${name.length}`, role: 'user', name } })),
        {
          type: 'channel',
          item: { id: 'harbour', type: 'messaging', name: 'Harbour', created_by: `p${said[0]!.author.length}` },
        },
        ...said.map(({ author, atMs, pieces }, index) => ({
          type: 'message',
          item: {
            id: guid(index),
            channel_type: 'messaging',
            channel_id: 'harbour',
            user: `p${author.length}`,
            type: 'regular',
            text: spelled(pieces, { bold: stars }),
            created_at: iso(atMs),
          },
        })),
      ]),
    }),
  },
  sendbird: {
    hasStyles: false,
    files: (said) => ({
      'messages.json': {
        messages: said.map(({ author, atMs, pieces }, index) => ({
          type: 'MESG',
          message_id: 10_463_242_990 + index,
          message: spelled(pieces, {}),
          custom_type: '',
          created_at: atMs,
          channel_url: 'sendbird_group_channel_1_harbour',
          updated_at: 0,
          is_removed: false,
          data: '',
          file: {},
          user: { user_id: `p${author.length}`, nickname: author, profile_url: '', metadata: {} },
        })),
      },
    }),
  },
  matrix: {
    hasStyles: true,
    files: (said) => ({
      'messages.json': {
        chunk: said.map(({ author, atMs, pieces }, index) => ({
          type: 'm.room.message',
          sender: `@p${author.length}:example.com`,
          room_id: '!harbour:example.com',
          event_id: `$${numbered('m', index, 43)}`,
          origin_server_ts: atMs,
          content: {
            msgtype: 'm.text',
            body: spelled(pieces, {}),
            ...(pieces.some((piece) => typeof piece === 'object') && {
              format: 'org.matrix.custom.html',
              formatted_body: spelled(pieces, {
                plain: (text) => html(text).replaceAll('\n', '<br>'),
                bold: (text) => `<strong>${text}</strong>`,
                link: (url) => `<a href="${html(url)}">${html(url)}</a>`,
              }),
            }),
          },
        })),
        state: authorsOf(said).map((name, index) => ({
          type: 'm.room.member',
          sender: `@p${name.length}:example.com`,
          state_key: `@p${name.length}:example.com`,
          room_id: '!harbour:example.com',
          event_id: `$${numbered('s', index, 43)}`,
          origin_server_ts: said[0]!.atMs - 1000,
          content: { membership: 'join', displayname: name },
        })),
        start: 't1',
        end: 't2',
      },
    }),
  },
  signal: {
    hasStyles: true,
    files: (said) => ({
      'main.jsonl': lines([
        { version: '1', backupTimeMs: String(said[0]!.atMs) },
        { account: { givenName: authorsOf(said)[0], familyName: '' } },
        ...authorsOf(said).map((name, index) => ({
          recipient: {
            id: String(10 + index),
            contact: { aci: Buffer.alloc(16, index + 1).toString('base64'), registered: {}, profileGivenName: name },
          },
        })),
        {
          recipient: {
            id: '2',
            group: { masterKey: Buffer.alloc(32, 7).toString('base64'), snapshot: { title: { title: 'Harbour' } } },
          },
        },
        { chat: { id: '1', recipientId: '2' } },
        ...said.map(({ author, atMs, pieces }) => {
          const body = spelled(pieces, {});
          const bold = pieces.flatMap((piece) => (typeof piece === 'object' && 'bold' in piece ? [piece.bold] : []));
          return {
            chatItem: {
              chatId: '1',
              authorId: String(10 + authorsOf(said).indexOf(author)),
              dateSent: String(atMs),
              incoming: { dateReceived: String(atMs), dateServerSent: String(atMs), read: true },
              standardMessage: {
                text: {
                  body,
                  bodyRanges: bold.map((words) => ({
                    start: body.indexOf(words),
                    length: words.length,
                    style: 'BOLD',
                  })),
                },
              },
            },
          };
        }),
      ]),
    }),
  },
  zulip: {
    hasStyles: true,
    files: (said) => ({
      'realm.json': {
        zerver_realm: [{ id: 1, string_id: 'made', name: 'Made' }],
        zerver_userprofile: authorsOf(said).map((name, index) => ({
          ...{ id: index + 1, full_name: name, role: 400, is_active: true },
        })),
        zerver_stream: [{ id: 1, name: 'harbour', recipient: 100 }],
        zerver_recipient: [
          ...authorsOf(said).map((_, index) => ({ id: index + 1, type: 1, type_id: index + 1 })),
          { id: 100, type: 2, type_id: 1 },
        ],
        zerver_subscription: [],
        zerver_reaction: [],
      },
      'messages-000001.json': {
        zerver_message: said.map(({ author, atMs, pieces }, index) => ({
          ...{ id: index + 1, sender: authorsOf(said).indexOf(author) + 1, recipient: 100, realm: 1, subject: 'tides' },
          content: spelled(pieces, { bold: stars }),
          date_sent: atMs / 1000,
        })),
        zerver_usermessage: [],
      },
    }),
  },
};

/**
 * Tables as users supply them, which the program has never seen. They are made up, each with the answers of a user who
 * knows the table. Written without looking at the code.
 */
export interface UnknownTable {
  readonly name: string;
  readonly file: string;
  readonly content: string | Buffer;
  /** The owner's answers, by key; there are no other questions. */
  readonly answers: Readonly<Record<string, string>>;
  /** Expected totals at the destination. */
  readonly messages: number;
  readonly authors: number;
  readonly conversations: number;
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const two = (number: number): string => String(number).padStart(2, '0');
const pick = <T>(from: readonly T[], index: number): T => from[index % from.length]!;
const quoted = (cells: readonly string[], delimiter: string): string =>
  cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);

const lines = [
  'Guten Tag, die Lieferung ist nicht angekommen.',
  'Ich sehe gleich nach.',
  'Danke, das hat geholfen!',
  'Can you send me the invoice again, please?',
  'It is on its way; you should have it tomorrow',
  'Sorry, I was away for a moment.',
];
const line = (index: number): string => `${pick(lines, index)} (${index + 1})`;

/** A CRM in Germany: semicolons, windows-1252, days before months. */
const crm = (): Buffer => {
  const clerks = ['Müller, Jörg', 'Schäfer, Ute', 'Weiß, Nina'];
  const rows = range(60).map((index) =>
    [
      `V-2024-${1000 + Math.floor(index / 5)}`,
      `${two(1 + Math.floor(index / 3))}.04.2024 ${two(8 + (index % 9))}:${two(index % 60)}`,
      pick(clerks, index),
      String(40_000 + (Math.floor(index / 5) % 7)),
      pick(['offen', 'erledigt'], index),
      `"${line(index)}"`,
    ].join(';'),
  );
  return Buffer.from(['Vorgangsnr;Datum;Bearbeiter;Kundennr;Status;Notiz', ...rows, ''].join('\r\n'), 'latin1');
};

/** COPY … TO STDOUT of PostgreSQL: no header, tabs, `\N`. */
const copy = (): string =>
  range(50)
    .map((index) =>
      [
        `${7000 + index}`,
        pick(['ops', 'sales', 'lobby'], Math.floor(index / 4)),
        pick(['ines', 'tom', 'mara', 'otto'], index),
        `2024-05-${two(1 + (index % 28))} 10:${two(index)}:00+00`,
        index % 10 === 3 ? 'two\\nlines' : line(index),
        index % 3 === 0 ? '\\N' : 't',
      ].join('\t'),
    )
    .join('\n')
    .concat('\n');

/** CSV of phpMyAdmin. */
const phpMyAdmin = (): string =>
  [
    '"id","room_slug","nickname","posted","message","ip"',
    ...range(40).map((index) =>
      [
        `"${index + 1}"`,
        `"${pick(['general', 'help-desk', 'off-topic'], index)}"`,
        index % 13 === 12 ? 'NULL' : `"${pick(['zoe', 'finn', 'lars', 'ida', 'kim'], index)}"`,
        `"2019-0${1 + (index % 9)}-15 12:${two(index)}:00"`,
        quoted([line(index)], ','),
        `"10.0.0.${index % 7}"`,
      ].join(','),
    ),
    '',
  ].join('\n');

/** "Unicode text" of a spreadsheet: UTF-16 with tabs. */
const excel = (): Buffer => {
  const rows = range(45).map((index) => {
    const hour = 8 + (index % 10);
    return [
      `${1 + (index % 12)}/${13 + (index % 15)}/2023 ${hour > 12 ? hour - 12 : hour}:${two(index)} ${hour >= 12 ? 'PM' : 'AM'}`,
      `D${100 + Math.floor(index / 6)}`,
      pick(['Agent Smith', 'Customer 14', 'Customer 15', 'Agent Jones'], index),
      line(index),
    ].join('\t');
  });
  return Buffer.from(`\ufeff${['Date\tdialogueID\tAgent/Customer\tUtterance', ...rows, ''].join('\r\n')}`, 'utf16le');
};

/** Rooms with titles, kinds and participants, and their messages inside. */
const rooms = (): string =>
  JSON.stringify({
    exportedAt: '2024-07-01T00:00:00Z',
    rooms: range(4).map((room) => ({
      roomId: `room-${room}`,
      title: pick(['Harbour', 'Kitchen', 'Ann & Bob', 'Night shift'], room),
      kind: pick(['group', 'public', 'direct', 'group'], room),
      participants: room === 2 ? ['ann', 'bob'] : ['ann', 'bob', 'cem'],
      messages: range(12).map((index) => ({
        id: `m-${room}-${index}`,
        sender: pick(room === 2 ? ['ann', 'bob'] : ['ann', 'bob', 'cem'], index),
        sentAt: `2024-06-${two(1 + index)}T09:0${room}:00Z`,
        text: line(index),
      })),
    })),
  });

/** Text messages of a shop: who wrote is said by the direction. */
const direction = (): string =>
  [
    'thread,customer_phone,agent_name,direction,sent_at,body',
    ...range(40).map((index) =>
      quoted(
        [
          `t${Math.floor(index / 8)}`,
          `+4930555${1000 + Math.floor(index / 8)}`,
          pick(['Lea', 'Max'], Math.floor(index / 16)),
          pick(['inbound', 'outbound', 'inbound'], index),
          `2024-02-${two(1 + (index % 28))}T10:${two(index)}:00Z`,
          line(index),
        ],
        ',',
      ),
    ),
    '',
  ].join('\n');

/** Every version of a message has a row of its own: 30 messages, of which each third was edited once. */
const edits = (): string =>
  [
    'message_id,revision,channel_id,user_id,created_at,text',
    ...range(30).flatMap((index) => {
      const row = (revision: number, text: string) =>
        quoted(
          [
            `${500 + index}`,
            String(revision),
            pick(['c1', 'c2', 'c3'], Math.floor(index / 4)),
            pick(['u1', 'u2', 'u3'], index),
            `2024-03-${two(1 + (index % 28))}T08:${two(index)}:0${revision}Z`,
            text,
          ],
          ',',
        );
      return index % 3 === 0 ? [row(1, `${line(index)} tpyo`), row(2, line(index))] : [row(1, line(index))];
    }),
    '',
  ].join('\n');

/** A join: one row for each reaction. 24 messages; those with an even number have two reactions. */
const reactions = (): string =>
  [
    'Message ID,Channel,User,Sent,Text,Reaction,Reacted by',
    ...range(24).flatMap((index) => {
      const row = (emoji: string, by: string) =>
        quoted(
          [
            `m${index}`,
            pick(['lobby', 'quay', 'pier'], Math.floor(index / 3)),
            pick(['ann', 'bob'], index),
            `2024-01-${two(1 + index)}T07:00:00Z`,
            line(index),
            emoji,
            by,
          ],
          ',',
        );
      return index % 2 === 0 ? [row('👍', 'bob'), row('🎉', 'cem')] : [row('', '')];
    }),
    '',
  ].join('\n');

/** Announcements: no author is named. */
const noAuthor = (): string =>
  [
    'post_id,channel,published,priority,text',
    ...range(30).map((index) =>
      quoted(
        [
          `${index + 1}`,
          pick(['news', 'sports', 'weather'], index),
          `2024-08-${two(1 + (index % 28))}T06:00:00Z`,
          pick(['low', 'high'], index),
          line(index),
        ],
        ',',
      ),
    ),
    '',
  ].join('\n');

/** A guest book: one place, nothing names it. */
const noConversation = (): string =>
  [
    'id,user,created_at,message',
    ...range(30).map((index) =>
      quoted(
        [
          `${index + 1}`,
          pick(['ann', 'bob', 'cem'], index),
          `2024-08-${two(1 + (index % 28))}T06:${two(index)}:00Z`,
          line(index),
        ],
        ',',
      ),
    ),
    '',
  ].join('\n');

/** One room: nothing shows that its column is that of rooms. */
const oneRoom = (): string =>
  [
    'id,room_id,user_id,created_at,body',
    ...range(30).map((index) =>
      quoted(
        [
          `${index + 1}`,
          'lobby',
          pick(['u1', 'u2', 'u3'], index),
          `2024-08-${two(1 + (index % 28))}T06:${two(index)}:00Z`,
          line(index),
        ],
        ',',
      ),
    ),
    '',
  ].join('\n');

/** Plain in every way, except that the time zone is unknown. */
const zoneless = (): string =>
  [
    'id,room_id,user_id,created_at,body',
    ...range(30).map((index) =>
      quoted(
        [
          `${index + 1}`,
          pick(['r1', 'r2', 'r3'], Math.floor(index / 4)),
          pick(['u1', 'u2', 'u3'], index),
          `2024-08-${two(1 + (index % 28))} 06:${two(index)}:00`,
          line(index),
        ],
        ',',
      ),
    ),
    '',
  ].join('\n');

/** Everything that happened, one line each: 36 messages among 60 events. */
const events = (): string =>
  range(60)
    .map((index) => {
      const type = pick(['message', 'message', 'join', 'message', 'leave'], index);
      return JSON.stringify({
        event_id: `e${index}`,
        type,
        conversation_id: pick(['alpha', 'beta', 'gamma'], Math.floor(index / 5)),
        actor: pick(['ann', 'bob', 'cem', 'dora'], index),
        at: 1_709_294_400_000 + index * 60_000,
        payload: type === 'message' ? { text: line(index) } : {},
      });
    })
    .join('\n')
    .concat('\n');

export const unknownTables: readonly UnknownTable[] = [
  {
    name: 'a CRM with German dates',
    file: 'vorgaenge.csv',
    content: crm(),
    answers: {
      'messages.conversation': 'Vorgangsnr',
      zone: 'Europe/Berlin',
    },
    ...{ messages: 60, authors: 3, conversations: 12 },
  },
  {
    name: 'COPY of PostgreSQL',
    file: 'messages.tsv',
    content: copy(),
    answers: {
      'messages.author': 'column 3',
      'messages.conversation': 'column 2',
      'messages.time.from': 'column 4',
      // Without a name, `t` in some rows may mean that they are deleted or internal.
      'messages.only.column 6': '{ any: true }',
    },
    ...{ messages: 50, authors: 4, conversations: 3 },
  },
  {
    name: 'CSV of phpMyAdmin',
    file: 'chat_log.csv',
    content: phpMyAdmin(),
    answers: {
      'messages.author': 'nickname',
      'messages.conversation': 'room_slug',
      'messages.time.from': 'posted',
      zone: 'UTC',
    },
    ...{ messages: 40, authors: 6, conversations: 3 },
  },
  {
    name: 'UTF-16 of a spreadsheet',
    file: 'dialogues.txt',
    content: excel(),
    answers: {
      'messages.author': 'Agent/Customer',
      'messages.conversation': 'dialogueID',
      'messages.text.from': 'Utterance',
      zone: 'America/New_York',
    },
    ...{ messages: 45, authors: 4, conversations: 8 },
  },
  {
    name: 'nested rooms',
    file: 'chat.json',
    content: rooms(),
    answers: {},
    ...{ messages: 48, authors: 3, conversations: 4 },
  },
  {
    name: 'a column of directions',
    file: 'sms.csv',
    content: direction(),
    answers: {
      'messages.author':
        '{ direction: direction, theirs: [inbound], ours: [outbound], them: customer_phone, us: agent_name }',
    },
    ...{ messages: 40, authors: 7, conversations: 5 },
  },
  {
    name: 'edits as rows of one id',
    file: 'messages.csv',
    content: edits(),
    answers: { 'messages.repeated': 'last' },
    ...{ messages: 30, authors: 3, conversations: 3 },
  },
  {
    name: 'reactions as rows of one id',
    file: 'messages.csv',
    content: reactions(),
    answers: { 'messages.repeated': 'joined' },
    ...{ messages: 24, authors: 2, conversations: 3 },
  },
  {
    name: 'no author',
    file: 'announcements.csv',
    content: noAuthor(),
    answers: { 'messages.author': '{ constant: newsroom }', 'messages.time.from': 'published' },
    ...{ messages: 30, authors: 1, conversations: 3 },
  },
  {
    name: 'no conversation',
    file: 'guestbook.csv',
    content: noConversation(),
    answers: { 'messages.conversation': '{ constant: guestbook }' },
    ...{ messages: 30, authors: 3, conversations: 1 },
  },
  {
    name: 'one room',
    file: 'messages.csv',
    content: oneRoom(),
    answers: { 'messages.conversation': 'room_id' },
    ...{ messages: 30, authors: 3, conversations: 1 },
  },
  {
    name: 'times without a zone',
    file: 'messages.csv',
    content: zoneless(),
    answers: { zone: 'Europe/Vienna' },
    ...{ messages: 30, authors: 3, conversations: 3 },
  },
  {
    name: 'events with types',
    file: 'events.ndjson',
    content: events(),
    answers: { 'messages.author': 'actor' },
    ...{ messages: 36, authors: 4, conversations: 3 },
  },
];

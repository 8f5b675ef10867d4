import Database from 'better-sqlite3';

/** How much a database holds. */
export interface DatabaseSize {
  readonly messages: number;
  readonly people: number;
  /** Those of the chat, and others. At least 8. */
  readonly tables: number;
}

const rooms = 10_000;
/** Rows of each table that has nothing to do with the chat. */
const otherRows = 20;

const chat = `
CREATE TABLE auth_user (id integer PRIMARY KEY, username varchar(150) NOT NULL UNIQUE, first_name varchar(150) NOT NULL,
  last_name varchar(150) NOT NULL, email varchar(254) NOT NULL, is_active boolean NOT NULL, date_joined timestamp NOT NULL);
CREATE TABLE chat_room (id integer PRIMARY KEY, slug varchar(50) NOT NULL UNIQUE, title varchar(100) NOT NULL,
  is_direct boolean NOT NULL, created timestamp NOT NULL);
CREATE TABLE chat_room_participants (id integer PRIMARY KEY, room_id integer NOT NULL REFERENCES chat_room (id),
  user_id integer NOT NULL REFERENCES auth_user (id), UNIQUE (room_id, user_id));
CREATE TABLE chat_message (id integer PRIMARY KEY, room_id integer NOT NULL REFERENCES chat_room (id),
  user_id integer NOT NULL REFERENCES auth_user (id), content text NOT NULL, message_type varchar(10) NOT NULL,
  parent_id integer REFERENCES chat_message (id), timestamp timestamp NOT NULL, is_removed boolean NOT NULL);
CREATE TABLE chat_attachment (id integer PRIMARY KEY, message_id integer NOT NULL REFERENCES chat_message (id),
  file varchar(100) NOT NULL, name varchar(100) NOT NULL);
CREATE TABLE chat_reaction (id integer PRIMARY KEY, message_id integer NOT NULL REFERENCES chat_message (id),
  user_id integer NOT NULL REFERENCES auth_user (id), emoji varchar(16) NOT NULL, created timestamp NOT NULL);
`;
const chatTables = 6;

/** Numbers from 1, for a statement to choose from. */
const numbers = (count: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
const timeOf = (seconds: string) => `strftime('%Y-%m-%d %H:%M:%S', 1700000000 + ${seconds}, 'unixepoch')`;

/**
 * Makes the SQLite database of an application with a chat: some seconds for a million messages. As in real ones, it does not say in which
 * zone its times are, what the kinds of messages and the replies mean; every name is that of two people, one
 * person in a hundred has the e-mail address of another, and most tables have nothing to do with the chat, but have keys of people and of
 * each other.
 *
 * @param path File that does not exist yet.
 */
export function makeLargeDatabase(path: string, { messages, people, tables }: DatabaseSize): void {
  const db = new Database(path);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(chat);
  db.transaction(() => {
    fillPeople(db, people);
    fillRooms(db, people);
    fillMessages(db, messages, people);
    for (let table = 0; table < tables - chatTables; table++) addOtherTable(db, table, people);
  })();
  db.close();
}

function fillPeople(db: Database.Database, people: number): void {
  db.exec(`${numbers(people)} INSERT INTO auth_user SELECT n, 'user' || n, 'First' || (n % 5000), 'Last' || (n % 50000),
    'user' || CASE WHEN n % 100 = 0 THEN n - 1 ELSE n END || '@example.org', n % 50 <> 0, ${timeOf('n')} FROM numbers`);
}

function fillRooms(db: Database.Database, people: number): void {
  db.exec(
    `${numbers(rooms)} INSERT INTO chat_room SELECT n, 'room-' || n, 'Room ' || n, 0, ${timeOf('n')} FROM numbers`,
  );
  db.exec(`${numbers(people)} INSERT INTO chat_room_participants SELECT n, 1 + n % ${rooms}, n FROM numbers`);
}

/** Each person writes in one room. */
function fillMessages(db: Database.Database, messages: number, people: number): void {
  const author = `(1 + n * 7919 % ${people})`;
  db.exec(`${numbers(messages)} INSERT INTO chat_message SELECT n, 1 + ${author} % ${rooms}, ${author},
    CASE WHEN n % 40 = 0 THEN 'somebody joined the room' ELSE 'Message ' || n || ' about the harbour, the ferry and the weather' END,
    CASE WHEN n % 40 = 0 THEN 'S' ELSE 'T' END, CASE WHEN n % 10 = 3 AND n > ${people} THEN n - ${people} END,
    ${timeOf('n * 30')}, n % 500 = 0 FROM numbers`);
  db.exec(`${numbers(messages / 100)} INSERT INTO chat_attachment
    SELECT n, n * 100 - 1, 'chat/file' || n || '.pdf', 'file' || n || '.pdf' FROM numbers`);
  db.exec(`${numbers(messages / 20)} INSERT INTO chat_reaction
    SELECT n, n * 20 - 3, 1 + n % ${people}, CASE n % 2 WHEN 0 THEN '👍' ELSE '🎉' END, ${timeOf('n * 600')} FROM numbers`);
}

const kinds = ['shop_order', 'billing_invoice', 'crm_lead', 'survey_answer', 'stock_item'] as const;

function addOtherTable(db: Database.Database, number: number, people: number): void {
  const nameOf = (index: number) => `${kinds[index % kinds.length]}_${index + 1}`;
  const before = number < kinds.length ? 'auth_user' : nameOf(number - kinds.length);
  db.exec(`CREATE TABLE ${nameOf(number)} (id integer PRIMARY KEY, owner_id integer NOT NULL REFERENCES auth_user (id),
    before_id integer REFERENCES ${before} (id), title varchar(100) NOT NULL, amount decimal(10, 2), state varchar(10) NOT NULL,
    created timestamp NOT NULL)`);
  db.exec(`${numbers(otherRows)} INSERT INTO ${nameOf(number)} SELECT n, 1 + n * 13 % ${people}, n, 'Title ' || n, n * 9.99,
    CASE n % 3 WHEN 0 THEN 'open' ELSE 'done' END, ${timeOf('n * 3600')} FROM numbers`);
}

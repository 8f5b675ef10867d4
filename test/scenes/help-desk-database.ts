import { join } from 'node:path';
import Database from 'better-sqlite3';

const schema = `
CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT NOT NULL, firstname TEXT, lastname TEXT, email TEXT, created_at TEXT);
CREATE TABLE article_types (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE tickets (id INTEGER PRIMARY KEY, title TEXT NOT NULL, customer_id INTEGER NOT NULL REFERENCES users, created_at TEXT);
CREATE TABLE ticket_members (id INTEGER PRIMARY KEY, ticket_id INTEGER NOT NULL REFERENCES tickets, user_id INTEGER NOT NULL REFERENCES users, left_at TEXT);
CREATE TABLE articles (id INTEGER PRIMARY KEY, ticket_id INTEGER NOT NULL REFERENCES tickets, type_id INTEGER NOT NULL REFERENCES article_types,
  body TEXT NOT NULL, internal INTEGER NOT NULL, origin_by_id INTEGER REFERENCES users, created_by_id INTEGER NOT NULL REFERENCES users,
  created_at TEXT NOT NULL);
INSERT INTO users VALUES
  (1, 'bot', 'Ticket', 'Machine', 'bot@example.org', '2026-03-01 07:00:00'),
  (2, 'kira', 'Kira', 'Falk', 'kira@example.org', '2026-03-01 07:00:00'),
  (3, 'leon', 'Leon', 'Gast', 'leon@example.net', '2026-03-01 07:00:00');
INSERT INTO article_types VALUES (1, 'email'), (3, 'sms'), (5, 'phone'), (10, 'note'), (11, 'web');
INSERT INTO tickets VALUES (1, 'Printer on fire', 3, '2026-03-02 08:00:00'), (2, 'Invoice', 3, '2026-03-02 08:03:00');
INSERT INTO ticket_members VALUES (1, 1, 2, NULL), (2, 1, 3, NULL), (3, 2, 2, NULL), (4, 2, 3, NULL), (5, 1, 1, '2026-03-02 08:02:00');
INSERT INTO articles VALUES
  (1, 1, 11, 'It smokes', 0, NULL, 3, '2026-03-02 08:00:00'),
  (2, 1, 10, 'He always exaggerates', 1, NULL, 2, '2026-03-02 08:00:20'),
  (3, 1, 1, 'Please unplug it', 0, NULL, 2, '2026-03-02 08:00:40'),
  (4, 1, 1, 'Your ticket is here', 0, NULL, 1, '2026-03-02 08:00:41'),
  (5, 1, 11, 'a < b & done', 0, NULL, 3, '2026-03-02 08:01:30'),
  (6, 2, 5, 'He called about the invoice', 0, 3, 2, '2026-03-02 08:03:20'),
  (7, 2, 10, 'Paid on Monday', 1, NULL, 2, '2026-03-02 08:03:30');
`;

/** A help desk's database, as applications make them: codes with a table of words, notes that are not for everybody, two columns of authors. @returns Its path. */
export function makeHelpDeskDatabase(folder: string): string {
  const path = join(folder, 'desk.sqlite');
  const db = new Database(path);
  db.exec(schema);
  db.close();
  return path;
}

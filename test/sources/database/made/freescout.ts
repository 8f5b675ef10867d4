import type { Expectation } from '../../tables/schemas/schema-set.ts';

/** A help desk with the tables that are read, and rows of our own. */

export const freescout = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT, password TEXT, type INTEGER, status INTEGER);
  CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);
  CREATE TABLE emails (id INTEGER PRIMARY KEY, customer_id INTEGER, email TEXT, type INTEGER);
  CREATE TABLE mailboxes (id INTEGER PRIMARY KEY, name TEXT, email TEXT, in_password TEXT);
  CREATE TABLE conversations (id INTEGER PRIMARY KEY, number INTEGER, threads_count INTEGER, type INTEGER, status INTEGER, state INTEGER,
    subject TEXT, mailbox_id INTEGER, user_id INTEGER, customer_id INTEGER, created_at TIMESTAMP);
  CREATE TABLE threads (id INTEGER PRIMARY KEY, conversation_id INTEGER, user_id INTEGER, type INTEGER, status INTEGER, state INTEGER,
    body TEXT, customer_id INTEGER, created_by_user_id INTEGER, created_by_customer_id INTEGER, source_via INTEGER, edited_at TIMESTAMP,
    created_at TIMESTAMP, saved_reply_id INTEGER, send_status INTEGER);
  CREATE TABLE attachments (id INTEGER PRIMARY KEY, thread_id INTEGER, file_dir TEXT, file_name TEXT, mime_type TEXT, type INTEGER, size INTEGER);
  INSERT INTO users VALUES (1, 'Ines', 'Kolb', 'ines@example.org', 'x', 1, 1), (2, 'Juri', 'Ahn', 'juri@example.org', 'x', 1, 3);
  INSERT INTO customers VALUES (1, 'Kim', 'Orr');
  INSERT INTO emails VALUES (1, 1, 'kim@example.org', 1);
  INSERT INTO mailboxes VALUES (1, 'Help', 'help@example.org', 'x');
  INSERT INTO conversations VALUES
    (1, 101, 6, 1, 1, 2, 'Late boat', 1, 2, 1, '2026-03-02 08:00:00'),
    (2, 102, 1, 1, 4, 2, 'Win a boat', 1, NULL, 1, '2026-03-02 09:00:00'),
    (3, 103, 1, 1, 1, 3, 'Deleted', 1, NULL, 1, '2026-03-02 09:30:00');
  INSERT INTO threads (id, conversation_id, user_id, type, status, state, body, customer_id, created_by_user_id, created_by_customer_id,
    source_via, edited_at, created_at) VALUES
    (1, 1, 2, 1, 1, 2, '<p>Where is it?</p>', 1, NULL, 1, 1, NULL, '2026-03-02 08:00:00'),
    (2, 1, 2, 3, 1, 2, 'NOTE', 1, 1, NULL, 2, NULL, '2026-03-02 08:01:00'),
    (3, 1, 2, 2, 1, 2, '<p>At the pier</p>', 1, 1, NULL, 2, '2026-03-02 08:05:00', '2026-03-02 08:02:00'),
    (4, 1, 2, 2, 1, 1, 'DRAFT', 1, 1, NULL, 2, NULL, '2026-03-02 08:03:00'),
    (5, 1, 2, 4, 3, 2, NULL, 1, 1, NULL, 2, NULL, '2026-03-02 08:04:00'),
    (6, 1, 2, 1, 1, 3, 'HIDDEN', 1, NULL, 1, 1, NULL, '2026-03-02 08:06:00'),
    (7, 2, NULL, 1, 1, 2, 'SPAM', 1, NULL, 1, 1, NULL, '2026-03-02 09:00:00'),
    (8, 3, NULL, 1, 1, 2, 'DELETED', 1, NULL, 1, 1, NULL, '2026-03-02 09:30:00');
  INSERT INTO attachments VALUES (1, 3, '1/2/3', 'pier.pdf', 'application/pdf', 1, 30);`;

const common = { conversation: '1', kind: 'message', format: 'html' };

/** Expected for a clock in Berlin. */
export const freescoutExpected: Expectation = {
  people: [
    { id: 'User:1', name: 'Ines Kolb' },
    { id: 'User:2', name: 'Juri Ahn', isDeleted: true },
    { id: 'Customer:1', name: 'Kim Orr' },
  ],
  conversations: [{ id: '1', type: 'private', name: 'Late boat', members: ['Customer:1', 'User:1', 'User:2'] }],
  messages: [
    { ...common, id: '1', author: 'Customer:1', time: '2026-03-02T07:00:00.000Z', text: 'Where is it?' },
    {
      ...common,
      ...{ id: '3', author: 'User:1', time: '2026-03-02T07:02:00.000Z', edited: '2026-03-02T07:05:00.000Z' },
      text: 'At the pier',
      files: [{ name: 'pier.pdf', url: null, type: 'application/pdf', size: 30 }],
    },
  ],
  withheld: [],
};

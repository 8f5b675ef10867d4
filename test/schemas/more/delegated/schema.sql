CREATE TABLE accounts (id integer PRIMARY KEY AUTOINCREMENT, name varchar NOT NULL, created_at datetime(6) NOT NULL);
INSERT INTO accounts VALUES (1, 'Parks', '2025-01-01 00:00:00');
CREATE TABLE users (id integer PRIMARY KEY AUTOINCREMENT, account_id integer NOT NULL REFERENCES accounts (id), name varchar NOT NULL, email_address varchar NOT NULL, password_digest varchar NOT NULL, created_at datetime(6) NOT NULL);
INSERT INTO users VALUES
  (1, 1, 'Frieda Fuchs', 'frieda@example.org', '$2a$', '2025-11-18 04:00:00'),
  (2, 1, 'Gregor Gans', 'gregor@example.org', '$2a$', '2025-11-18 04:00:00'),
  (3, 1, 'Helga Hahn', 'helga@example.org', '$2a$', '2025-11-18 04:00:00'),
  (4, 1, 'Ignaz Igel', 'ignaz@example.org', '$2a$', '2025-11-18 04:00:00');
CREATE TABLE boards (id integer PRIMARY KEY AUTOINCREMENT, account_id integer NOT NULL REFERENCES accounts (id), name varchar NOT NULL, created_at datetime(6) NOT NULL);
INSERT INTO boards VALUES (5, 1, 'Spring', '2026-03-01 08:00:00'), (6, 1, 'Money', '2026-03-01 08:00:00'), (7, 1, 'Pond', '2026-03-01 08:00:00');
CREATE TABLE accesses (id integer PRIMARY KEY AUTOINCREMENT, board_id integer NOT NULL REFERENCES boards (id), user_id integer NOT NULL REFERENCES users (id), created_at datetime(6) NOT NULL);
INSERT INTO accesses VALUES
  (1, 5, 1, '2026-03-02 07:45:00'),
  (2, 5, 2, '2026-03-02 07:45:00'),
  (3, 5, 3, '2026-03-02 07:45:00'),
  (4, 5, 4, '2026-03-02 07:45:00'),
  (5, 6, 1, '2026-03-02 07:45:00'),
  (6, 6, 2, '2026-03-02 07:45:00'),
  (7, 6, 3, '2026-03-02 07:45:00'),
  (8, 7, 1, '2026-03-02 07:45:00'),
  (9, 7, 2, '2026-03-02 07:45:00'),
  (10, 7, 3, '2026-03-02 07:45:00');
CREATE TABLE entries (id integer PRIMARY KEY AUTOINCREMENT, account_id integer NOT NULL REFERENCES accounts (id), board_id integer NOT NULL REFERENCES boards (id), creator_id integer NOT NULL REFERENCES users (id), entryable_type varchar NOT NULL, entryable_id integer NOT NULL, parent_id integer, created_at datetime(6) NOT NULL, updated_at datetime(6) NOT NULL);
INSERT INTO entries VALUES
  (1, 1, 5, 1, 'Message', 61, NULL, '2026-03-02 08:00:00.123456', '2026-03-02 08:00:00.123456'),
  (2, 1, 5, 2, 'Comment', 71, 1, '2026-03-02 08:01:00.123456', '2026-03-02 08:01:00.123456'),
  (3, 1, 5, 3, 'Comment', 72, 1, '2026-03-02 08:01:30.123456', '2026-03-02 08:01:30.123456'),
  (4, 1, 6, 2, 'Message', 62, NULL, '2026-03-02 09:00:00.123456', '2026-03-02 09:00:00.123456'),
  (5, 1, 6, 1, 'Comment', 73, 4, '2026-03-02 09:01:00.123456', '2026-03-02 09:01:00.123456'),
  (6, 1, 6, 2, 'Comment', 74, 4, '2026-03-02 09:01:40.123456', '2026-03-02 09:01:40.123456'),
  (7, 1, 6, 3, 'Comment', 75, 4, '2026-03-02 09:02:00.123456', '2026-03-02 09:02:00.123456'),
  (8, 1, 7, 3, 'Message', 63, NULL, '2026-03-02 10:00:00.123456', '2026-03-02 10:00:00.123456'),
  (9, 1, 7, 1, 'Comment', 76, 8, '2026-03-02 10:00:50.123456', '2026-03-02 10:00:50.123456'),
  (10, 1, 7, 3, 'Comment', 77, 8, '2026-03-02 10:01:40.123456', '2026-03-02 10:01:40.123456'),
  (11, 1, 5, 1, 'Comment', 78, 1, '2026-03-02 10:13:20.123456', '2026-03-02 10:13:20.123456'),
  (12, 1, 7, 2, 'Comment', 79, 8, '2026-03-02 10:30:00.123456', '2026-03-02 10:30:00.123456');
CREATE TABLE messages (id integer PRIMARY KEY AUTOINCREMENT, subject varchar, created_at datetime(6) NOT NULL, updated_at datetime(6) NOT NULL);
INSERT INTO messages VALUES
  (61, 'Topic 5', '2026-03-02 08:00:00.123456', '2026-03-02 08:00:00.123456'),
  (62, 'Topic 6', '2026-03-02 09:00:00.123456', '2026-03-02 09:00:00.123456'),
  (63, 'Topic 7', '2026-03-02 10:00:00.123456', '2026-03-02 10:00:00.123456');
CREATE TABLE comments (id integer PRIMARY KEY AUTOINCREMENT, created_at datetime(6) NOT NULL, updated_at datetime(6) NOT NULL);
INSERT INTO comments VALUES
  (71, '2026-03-02 08:01:00.123456', '2026-03-02 08:01:00.123456'),
  (72, '2026-03-02 08:01:30.123456', '2026-03-02 08:01:30.123456'),
  (73, '2026-03-02 09:01:00.123456', '2026-03-02 09:01:00.123456'),
  (74, '2026-03-02 09:01:40.123456', '2026-03-02 09:01:40.123456'),
  (75, '2026-03-02 09:02:00.123456', '2026-03-02 09:02:00.123456'),
  (76, '2026-03-02 10:00:50.123456', '2026-03-02 10:00:50.123456'),
  (77, '2026-03-02 10:01:40.123456', '2026-03-02 10:01:40.123456'),
  (78, '2026-03-02 10:13:20.123456', '2026-03-02 10:13:20.123456'),
  (79, '2026-03-02 10:30:00.123456', '2026-03-02 10:30:00.123456');
CREATE TABLE action_text_rich_texts (id integer PRIMARY KEY AUTOINCREMENT, name varchar NOT NULL, body text, record_type varchar NOT NULL, record_id bigint NOT NULL, created_at datetime(6) NOT NULL, updated_at datetime(6) NOT NULL);
INSERT INTO action_text_rich_texts VALUES
  (1, 'content', '<div>Plan for <strong>spring</strong></div>', 'Message', 61, '2026-03-02 08:00:00.123456', '2026-03-02 08:00:00.123456'),
  (2, 'content', '<div>more trees</div>', 'Comment', 71, '2026-03-02 08:01:00.123456', '2026-03-02 08:01:00.123456'),
  (3, 'content', '<div>fewer cars</div>', 'Comment', 72, '2026-03-02 08:01:30.123456', '2026-03-02 08:01:30.123456'),
  (4, 'content', '<div>Budget is out</div>', 'Message', 62, '2026-03-02 09:00:00.123456', '2026-03-02 09:00:00.123456'),
  (5, 'content', '<div>finally</div>', 'Comment', 73, '2026-03-02 09:01:00.123456', '2026-03-02 09:01:00.123456'),
  (6, 'content', '<div>see page 4</div>', 'Comment', 74, '2026-03-02 09:01:40.123456', '2026-03-02 09:01:40.123456'),
  (7, 'content', '<div>got it</div>', 'Comment', 75, '2026-03-02 09:02:00.123456', '2026-03-02 09:02:00.123456'),
  (8, 'content', '<div>New bench</div>', 'Message', 63, '2026-03-02 10:00:00.123456', '2026-03-02 10:00:00.123456'),
  (9, 'content', '<div>where?</div>', 'Comment', 76, '2026-03-02 10:00:50.123456', '2026-03-02 10:00:50.123456'),
  (10, 'content', '<div>by the pond</div>', 'Comment', 77, '2026-03-02 10:01:40.123456', '2026-03-02 10:01:40.123456'),
  (11, 'content', '<div>both then</div>', 'Comment', 78, '2026-03-02 10:13:20.123456', '2026-03-02 10:13:20.123456'),
  (12, 'content', '<div>nice</div>', 'Comment', 79, '2026-03-02 10:30:00.123456', '2026-03-02 10:30:00.123456');
CREATE TABLE active_storage_blobs (id integer PRIMARY KEY AUTOINCREMENT, key varchar NOT NULL, filename varchar NOT NULL, content_type varchar, metadata text, service_name varchar NOT NULL, byte_size bigint NOT NULL, checksum varchar, created_at datetime(6) NOT NULL);
INSERT INTO active_storage_blobs VALUES (1, 'k3y', 'bench.png', 'image/png', '{"identified":true}', 'local', 3000, 'c', '2026-03-02 10:00:00');
CREATE TABLE active_storage_attachments (id integer PRIMARY KEY AUTOINCREMENT, name varchar NOT NULL, record_type varchar NOT NULL, record_id bigint NOT NULL, blob_id bigint NOT NULL REFERENCES active_storage_blobs (id), created_at datetime(6) NOT NULL);
INSERT INTO active_storage_attachments VALUES (1, 'image', 'Message', 63, 1, '2026-03-02 10:00:00');
CREATE TABLE sessions (id integer PRIMARY KEY AUTOINCREMENT, user_id integer NOT NULL REFERENCES users (id), token varchar NOT NULL, ip_address varchar, user_agent varchar, created_at datetime(6) NOT NULL);
INSERT INTO sessions VALUES (1, 1, 'tok', '10.0.0.1', 'x', '2026-03-02 08:00:00');

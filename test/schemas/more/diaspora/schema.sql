CREATE TABLE users (id integer PRIMARY KEY AUTOINCREMENT, username varchar(255) NOT NULL, serialized_private_key text, getting_started boolean DEFAULT 1 NOT NULL, disable_mail boolean DEFAULT 0 NOT NULL, language varchar(255), email varchar(255) DEFAULT '' NOT NULL, encrypted_password varchar(255) DEFAULT '' NOT NULL, sign_in_count integer DEFAULT 0, current_sign_in_at datetime, created_at datetime NOT NULL, updated_at datetime NOT NULL, authentication_token varchar(30), locked_at datetime);
INSERT INTO users VALUES
  (31, 'dora', 'key', 0, 0, 'en', 'dora@example.org', '$2a$1', 3, NULL, '2025-11-18 04:00:00', '2025-11-18 04:00:00', 'tok1', NULL),
  (32, 'ada', 'key', 0, 0, 'de', 'ada@example.org', '$2a$2', 9, NULL, '2025-11-29 17:46:40', '2025-11-29 17:46:40', 'tok2', NULL),
  (33, 'ben', 'key', 0, 0, 'en', 'ben@example.org', '$2a$3', 9, NULL, '2025-12-11 07:33:20', '2025-12-11 07:33:20', 'tok3', NULL);
CREATE TABLE people (id integer PRIMARY KEY AUTOINCREMENT, guid varchar(255) NOT NULL, diaspora_handle varchar(255) NOT NULL, serialized_public_key text NOT NULL, owner_id integer, created_at datetime NOT NULL, updated_at datetime NOT NULL, closed_account boolean DEFAULT 0, fetch_status integer DEFAULT 0, pod_id integer);
INSERT INTO people VALUES
  (31, 'a1b2c3d4e5f60731', 'ada@pod.example.org', 'pk1', 32, '2025-11-29 17:46:40', '2025-11-29 17:46:40', 0, 0, NULL),
  (32, 'a1b2c3d4e5f60732', 'ben@pod.example.org', 'pk2', 33, '2025-12-11 07:33:20', '2025-12-11 07:33:20', 0, 0, NULL),
  (33, 'a1b2c3d4e5f60733', 'cem@far.example.org', 'pk3', NULL, '2025-12-22 21:20:00', '2025-12-22 21:20:00', 0, 1, 2),
  (34, 'a1b2c3d4e5f60734', 'dora@pod.example.org', 'pk4', 31, '2025-11-18 04:00:00', '2025-11-18 04:00:00', 0, 0, NULL);
CREATE TABLE profiles (id integer PRIMARY KEY AUTOINCREMENT, diaspora_handle varchar(255), first_name varchar(127), last_name varchar(127), image_url varchar(255), birthday date, gender varchar(255), bio text, searchable boolean DEFAULT 1 NOT NULL, person_id integer NOT NULL REFERENCES people (id), created_at datetime NOT NULL, updated_at datetime NOT NULL, location varchar(255), full_name varchar(70), nsfw boolean DEFAULT 0);
INSERT INTO profiles VALUES
  (1, NULL, 'Dora', 'Distel', NULL, NULL, NULL, '', 1, 34, '2025-11-18 04:00:00', '2025-11-18 04:00:00', '', 'dora distel', 0),
  (2, NULL, 'Ada', 'Ahorn', NULL, NULL, NULL, 'I bake', 1, 31, '2025-11-29 17:46:40', '2025-11-29 17:46:40', 'Ulm', 'ada ahorn', 0),
  (3, NULL, 'Ben', 'Birke', NULL, NULL, NULL, NULL, 1, 32, '2025-12-11 07:33:20', '2025-12-11 07:33:20', NULL, 'ben birke', 0),
  (4, 'cem@far.example.org', '', '', NULL, NULL, NULL, NULL, 1, 33, '2025-12-22 21:20:00', '2025-12-22 21:20:00', NULL, '', 0);
CREATE TABLE conversations (id integer PRIMARY KEY AUTOINCREMENT, subject varchar(255), guid varchar(255) NOT NULL, author_id integer NOT NULL REFERENCES people (id), created_at datetime NOT NULL, updated_at datetime NOT NULL);
INSERT INTO conversations VALUES
  (7, 'Shifts', 'c0ffee00c0ffee07', 31, '2026-03-02 08:00:00', '2026-03-02 10:31:40'),
  (8, 'Tom', 'c0ffee00c0ffee08', 32, '2026-03-02 09:00:00', '2026-03-02 09:01:50'),
  (9, 'Drill', 'c0ffee00c0ffee09', 33, '2026-03-02 10:00:00', '2026-03-02 10:35:00');
CREATE TABLE messages (id integer PRIMARY KEY AUTOINCREMENT, conversation_id integer NOT NULL REFERENCES conversations (id), author_id integer NOT NULL REFERENCES people (id), guid varchar(255) NOT NULL, text text NOT NULL, created_at datetime NOT NULL, updated_at datetime NOT NULL);
INSERT INTO messages VALUES
  (5, 7, 31, '0000000000000005', 'Who takes the **morning** shift?', '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (6, 7, 32, '0000000000000006', 'I can, if Cem opens', '2026-03-02 08:01:00', '2026-03-02 08:01:00'),
  (7, 7, 33, '0000000000000007', 'door is open from six', '2026-03-02 08:02:10', '2026-03-02 08:02:10'),
  (8, 7, 31, '0000000000000008', 'great, thanks both', '2026-03-02 08:03:20', '2026-03-02 08:03:20'),
  (9, 8, 32, '0000000000000009', 'did you hear of Tom?', '2026-03-02 09:00:00', '2026-03-02 09:00:00'),
  (10, 8, 31, '000000000000000a', 'no, what happened', '2026-03-02 09:01:40', '2026-03-02 09:01:40'),
  (11, 8, 32, '000000000000000b', 'he won the raffle', '2026-03-02 09:01:50', '2026-03-02 09:01:50'),
  (12, 9, 33, '000000000000000c', 'lending you the drill', '2026-03-02 10:00:00', '2026-03-02 10:00:00'),
  (13, 9, 32, '000000000000000d', 'I fetch it at five', '2026-03-02 10:01:00', '2026-03-02 10:01:00'),
  (14, 7, 33, '000000000000000e', 'who left the light on', '2026-03-02 10:30:00', '2026-03-02 10:30:00'),
  (15, 7, 32, '000000000000000f', 'guilty', '2026-03-02 10:31:40', '2026-03-02 10:31:40'),
  (16, 9, 33, '0000000000000010', 'it is in the blue box', '2026-03-02 10:35:00', '2026-03-02 10:35:00');
CREATE TABLE conversation_visibilities (id integer PRIMARY KEY AUTOINCREMENT, conversation_id integer NOT NULL REFERENCES conversations (id), person_id integer NOT NULL REFERENCES people (id), unread integer DEFAULT 0 NOT NULL, created_at datetime NOT NULL, updated_at datetime NOT NULL);
INSERT INTO conversation_visibilities VALUES
  (1, 7, 31, 1, '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (2, 7, 32, 0, '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (3, 7, 33, 0, '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (4, 7, 34, 7, '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (5, 8, 31, 0, '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (6, 8, 32, 0, '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (7, 9, 32, 1, '2026-03-02 08:00:00', '2026-03-02 08:00:00'),
  (8, 9, 33, 0, '2026-03-02 08:00:00', '2026-03-02 08:00:00');
CREATE TABLE posts (id integer PRIMARY KEY AUTOINCREMENT, author_id integer NOT NULL REFERENCES people (id), public boolean DEFAULT 0 NOT NULL, guid varchar(255) NOT NULL, type varchar(40) NOT NULL, text text, created_at datetime NOT NULL, updated_at datetime NOT NULL, provider_display_name varchar(255), root_guid varchar(255), likes_count integer DEFAULT 0, comments_count integer DEFAULT 0);
INSERT INTO posts VALUES
  (1, 31, 1, 'b000000000000001', 'StatusMessage', 'Bread is ready #rye', '2026-03-02 07:51:40', '2026-03-02 07:51:40', NULL, NULL, 1, 2),
  (2, 32, 0, 'b000000000000002', 'StatusMessage', 'only for friends', '2026-03-02 07:53:20', '2026-03-02 07:53:20', NULL, NULL, 0, 0),
  (3, 32, 1, 'b000000000000003', 'Reshare', NULL, '2026-03-02 07:55:00', '2026-03-02 07:55:00', NULL, 'b000000000000001', 0, 0);
CREATE TABLE comments (id integer PRIMARY KEY AUTOINCREMENT, text text NOT NULL, commentable_id integer NOT NULL, author_id integer NOT NULL REFERENCES people (id), guid varchar(255) NOT NULL, created_at datetime NOT NULL, updated_at datetime NOT NULL, likes_count integer DEFAULT 0, commentable_type varchar(60) DEFAULT 'Post' NOT NULL);
INSERT INTO comments VALUES
  (1, 'smells good', 1, 32, 'd000000000000001', '2026-03-02 07:52:30', '2026-03-02 07:52:30', 0, 'Post'),
  (2, 'is there more?', 1, 34, 'd000000000000002', '2026-03-02 07:52:40', '2026-03-02 07:52:40', 0, 'Post');
CREATE TABLE notifications (id integer PRIMARY KEY AUTOINCREMENT, target_type varchar(255), target_id integer, recipient_id integer NOT NULL, unread boolean DEFAULT 1 NOT NULL, created_at datetime NOT NULL, updated_at datetime NOT NULL, type varchar(255));
INSERT INTO notifications VALUES
  (1, 'Post', 1, 32, 0, '2026-03-02 07:52:40', '2026-03-02 07:52:40', 'Notifications::AlsoCommented');
CREATE TABLE pods (id integer PRIMARY KEY AUTOINCREMENT, host varchar(255) NOT NULL, ssl boolean, created_at datetime NOT NULL, updated_at datetime NOT NULL, status integer DEFAULT 0);
INSERT INTO pods VALUES (2, 'far.example.org', 1, '2025-01-01 00:00:00', '2025-01-01 00:00:00', 1);

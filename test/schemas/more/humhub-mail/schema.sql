CREATE TABLE user (id integer PRIMARY KEY AUTOINCREMENT, guid varchar(45) UNIQUE, status integer, username varchar(50) UNIQUE, email varchar(150) UNIQUE, auth_mode varchar(10) NOT NULL, language varchar(5), created_at datetime, created_by integer, updated_at datetime, updated_by integer, last_login datetime, visibility integer DEFAULT 1, contentcontainer_id integer);
INSERT INTO user VALUES (1, '11111111-1111-4111-8111-111111111111', 1, 'anton', 'anton@example.org', 'local', 'de', '2024-01-01 08:00:00', NULL, NULL, NULL, '2026-03-01 08:00:00', 1, 1), (2, '22222222-2222-4222-8222-222222222222', 1, 'bruna', 'bruna@example.org', 'local', 'de', '2024-01-01 08:00:00', 1, NULL, NULL, NULL, 1, 2), (3, '33333333-3333-4333-8333-333333333333', 1, 'cora', 'cora@example.org', 'local', 'de', '2024-01-01 08:00:00', 1, NULL, NULL, NULL, 1, 3), (4, '44444444-4444-4444-8444-444444444444', 1, 'didi', 'didi@example.org', 'local', 'de', '2024-01-01 08:00:00', 1, NULL, NULL, NULL, 1, 4);
CREATE TABLE profile (user_id integer PRIMARY KEY, firstname varchar(255), lastname varchar(255), title varchar(255), gender varchar(255), street varchar(255), city varchar(255), birthday datetime, about text);
INSERT INTO profile VALUES (1, 'Anton', 'Auer', 'Gardener', 'male', NULL, 'Ulm', NULL, 'I like trees and long walks'), (2, 'Bruna', 'Berg', NULL, 'female', NULL, 'Ulm', NULL, NULL), (3, 'Cora', 'Clasen', NULL, NULL, NULL, NULL, NULL, NULL), (4, 'Didi', 'Dorn', NULL, NULL, NULL, NULL, NULL, 'Hello world, I am new here');
CREATE TABLE user_password (id integer PRIMARY KEY AUTOINCREMENT, user_id integer, algorithm varchar(20), password text, salt text, created_at datetime);
INSERT INTO user_password VALUES (1, 1, 'sha512', 'aa', 'bb', '2024-01-01 08:00:00'), (2, 2, 'sha512', 'aa', 'bb', '2024-01-01 08:00:00');
CREATE TABLE message (id integer PRIMARY KEY AUTOINCREMENT, title varchar(255), created_at datetime, created_by integer, updated_at datetime, updated_by integer);
INSERT INTO message VALUES (10, 'Hedge', '2026-03-02 08:00:00', 1, '2026-03-02 08:05:00', 2), (11, 'Summer feast', '2026-03-02 08:10:00', 2, '2026-03-02 08:15:00', 3), (12, 'Shears', '2026-03-02 08:20:00', 3, '2026-03-02 08:21:00', 1);
CREATE TABLE user_message (message_id integer NOT NULL, user_id integer NOT NULL, is_originator integer, last_viewed datetime, created_at datetime, created_by integer, updated_at datetime, updated_by integer, pinned integer NOT NULL DEFAULT 0, PRIMARY KEY (message_id, user_id));
INSERT INTO user_message VALUES (10, 1, 1, '2026-03-02 08:06:00', '2026-03-02 08:00:00', 1, NULL, NULL, 0), (10, 2, NULL, '2026-03-02 08:06:00', '2026-03-02 08:00:00', 1, NULL, NULL, 0), (11, 2, 1, '2026-03-02 08:16:00', '2026-03-02 08:10:00', 2, NULL, NULL, 1), (11, 1, NULL, NULL, '2026-03-02 08:10:00', 2, NULL, NULL, 0), (11, 3, NULL, NULL, '2026-03-02 08:10:00', 2, NULL, NULL, 0), (11, 4, NULL, NULL, '2026-03-02 08:10:00', 2, NULL, NULL, 0), (12, 3, 1, NULL, '2026-03-02 08:20:00', 3, NULL, NULL, 0), (12, 1, NULL, NULL, '2026-03-02 08:20:00', 3, NULL, NULL, 0);
CREATE TABLE message_entry (id integer PRIMARY KEY AUTOINCREMENT, message_id integer NOT NULL, user_id integer NOT NULL, file_id integer, content text NOT NULL, created_at datetime, created_by integer, updated_at datetime, updated_by integer, type integer NOT NULL DEFAULT 0);
INSERT INTO message_entry VALUES
  (1, 10, 1, NULL, 'The hedge is too high **again**', '2026-03-02 08:00:00', 1, '2026-03-02 08:00:00', 1, 0),
  (2, 10, 2, NULL, 'I cut it on Saturday', '2026-03-02 08:01:00', 2, '2026-03-02 08:01:00', 2, 0),
  (3, 10, 1, NULL, 'mind the nest on the left', '2026-03-02 08:02:00', 1, '2026-03-02 08:02:00', 1, 0),
  (4, 10, 2, NULL, 'seen it, two eggs', '2026-03-02 08:05:00', 2, '2026-03-02 08:05:00', 2, 0),
  (5, 11, 2, NULL, 'Who helps with the tables?', '2026-03-02 08:10:00', 2, '2026-03-02 08:10:00', 2, 0),
  (6, 11, 4, NULL, '', '2026-03-02 08:10:30', 4, '2026-03-02 08:10:30', 4, 1),
  (7, 11, 1, NULL, 'I bring my brother', '2026-03-02 08:11:00', 1, '2026-03-02 08:11:00', 1, 0),
  (8, 11, 3, NULL, 'me too, from four on', '2026-03-02 08:12:00', 3, '2026-03-02 08:12:00', 3, 0),
  (9, 11, 2, NULL, 'great, see the plan', '2026-03-02 08:13:00', 2, '2026-03-02 08:13:00', 2, 0),
  (10, 11, 3, NULL, 'plan looks good to me', '2026-03-02 08:15:00', 3, '2026-03-02 08:15:00', 3, 0),
  (11, 12, 3, NULL, 'may I borrow the shears?', '2026-03-02 08:20:00', 3, '2026-03-02 08:20:00', 3, 0),
  (12, 12, 1, NULL, 'they hang in the shed', '2026-03-02 08:21:00', 1, '2026-03-02 08:21:00', 1, 0);
CREATE TABLE file (id integer PRIMARY KEY AUTOINCREMENT, guid varchar(45), object_model varchar(100), object_id integer, file_name varchar(255), title varchar(255), mime_type varchar(150), size varchar(45), created_at datetime, created_by integer, updated_at datetime, updated_by integer, show_in_stream integer);
INSERT INTO file VALUES (1, '55555555-5555-4555-8555-555555555555', 'humhub\modules\mail\models\MessageEntry', 9, 'plan.pdf', NULL, 'application/pdf', '2048', '2026-03-02 08:13:00', 2, NULL, NULL, 1);
CREATE TABLE message_tag (id integer PRIMARY KEY AUTOINCREMENT, name varchar(100) NOT NULL, user_id integer NOT NULL, sort_order integer);
INSERT INTO message_tag VALUES (1, 'Garden', 1, 0);
CREATE TABLE comment (id integer PRIMARY KEY AUTOINCREMENT, message text, object_model varchar(100) NOT NULL, object_id integer NOT NULL, created_at datetime, created_by integer, updated_at datetime, updated_by integer);
INSERT INTO comment VALUES (1, 'nice photo of the hedge', 'humhub\modules\post\models\Post', 1, '2026-03-01 08:00:00', 2, NULL, NULL);
CREATE TABLE post (id integer PRIMARY KEY AUTOINCREMENT, message text, url varchar(255), created_at datetime, created_by integer, updated_at datetime, updated_by integer);
INSERT INTO post VALUES (1, 'our hedge in spring', NULL, '2026-03-01 07:00:00', 1, NULL, NULL);
CREATE TABLE notification (id integer PRIMARY KEY AUTOINCREMENT, class varchar(100) NOT NULL, user_id integer NOT NULL, seen integer, source_class varchar(100), source_pk integer, created_at datetime, originator_user_id integer);
INSERT INTO notification VALUES (1, 'humhub\modules\like\notifications\NewLike', 1, 1, 'Like', 1, '2026-03-01 09:00:00', 2);

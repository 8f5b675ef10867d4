CREATE TABLE wp_users (ID integer PRIMARY KEY AUTOINCREMENT, user_login varchar(60) NOT NULL DEFAULT '', user_pass varchar(255) NOT NULL DEFAULT '', user_nicename varchar(50) NOT NULL DEFAULT '', user_email varchar(100) NOT NULL DEFAULT '', user_url varchar(100) NOT NULL DEFAULT '', user_registered datetime NOT NULL DEFAULT '0000-00-00 00:00:00', user_activation_key varchar(255) NOT NULL DEFAULT '', user_status int NOT NULL DEFAULT 0, display_name varchar(250) NOT NULL DEFAULT '');
INSERT INTO wp_users VALUES
  (1, 'admin', '$P$x', 'admin', 'admin@example.org', '', '2025-11-18 04:00:00', '', 0, 'admin'),
  (2, 'ines', '$P$x', 'ines', 'ines@example.org', '', '2025-11-18 04:00:00', '', 0, 'ines'),
  (5, 'jjung', '$P$x', 'jjung', 'jjung@example.org', '', '2025-11-18 04:00:00', '', 0, 'jjung'),
  (7, 'kim77', '$P$x', 'kim77', 'kim77@example.org', '', '2025-11-18 04:00:00', '', 0, 'kim77'),
  (9, 'lars', '$P$x', 'lars', 'lars@example.org', '', '2025-11-18 04:00:00', '', 0, 'lars');
CREATE TABLE wp_usermeta (umeta_id integer PRIMARY KEY AUTOINCREMENT, user_id bigint NOT NULL DEFAULT 0, meta_key varchar(255), meta_value text);
INSERT INTO wp_usermeta VALUES
  (1, 1, 'nickname', 'nick1'),
  (2, 1, 'first_name', ''),
  (3, 1, 'last_name', ''),
  (4, 1, 'wp_capabilities', 'a:1:{s:10:"subscriber";b:1;}'),
  (5, 1, 'last_activity', '2026-03-02 10:30:00'),
  (6, 2, 'nickname', 'nick2'),
  (7, 2, 'first_name', ''),
  (8, 2, 'last_name', ''),
  (9, 2, 'wp_capabilities', 'a:1:{s:10:"subscriber";b:1;}'),
  (10, 2, 'last_activity', '2026-03-02 10:30:00'),
  (11, 5, 'nickname', 'nick5'),
  (12, 5, 'first_name', ''),
  (13, 5, 'last_name', ''),
  (14, 5, 'wp_capabilities', 'a:1:{s:10:"subscriber";b:1;}'),
  (15, 5, 'last_activity', '2026-03-02 10:30:00'),
  (16, 7, 'nickname', 'nick7'),
  (17, 7, 'first_name', ''),
  (18, 7, 'last_name', ''),
  (19, 7, 'wp_capabilities', 'a:1:{s:10:"subscriber";b:1;}'),
  (20, 7, 'last_activity', '2026-03-02 10:30:00'),
  (21, 9, 'nickname', 'nick9'),
  (22, 9, 'first_name', ''),
  (23, 9, 'last_name', ''),
  (24, 9, 'wp_capabilities', 'a:1:{s:10:"subscriber";b:1;}'),
  (25, 9, 'last_activity', '2026-03-02 10:30:00');
CREATE TABLE wp_bp_messages_messages (id integer PRIMARY KEY AUTOINCREMENT, thread_id bigint NOT NULL, sender_id bigint NOT NULL, subject varchar(200) NOT NULL, message longtext NOT NULL, date_sent datetime NOT NULL);
INSERT INTO wp_bp_messages_messages VALUES
  (1, 1, 2, 'Choir', 'Rehearsal moves to <strong>Tuesday</strong>', '2026-03-02 08:00:00'),
  (2, 1, 5, 'Re: Choir', 'fine with me', '2026-03-02 08:02:00'),
  (3, 1, 7, 'Re: Choir', 'I am away that week', '2026-03-02 08:04:00'),
  (4, 2, 5, 'Piano', 'Is the piano still for sale?', '2026-03-02 09:00:00'),
  (5, 2, 2, 'Re: Piano', 'yes, until May', '2026-03-02 09:01:40'),
  (6, 3, 7, 'Scores', 'the scores are in the cupboard', '2026-03-02 09:06:40'),
  (7, 3, 5, 'Re: Scores', 'which one?', '2026-03-02 09:07:40'),
  (8, 3, 7, 'Re: Scores', 'left &amp; up', '2026-03-02 09:08:20'),
  (9, 1, 2, 'Re: Choir', 'we record it then', '2026-03-02 10:00:00'),
  (10, 2, 5, 'Re: Piano', 'I take it', '2026-03-02 10:01:40'),
  (11, 1, 5, 'Re: Choir', 'bring the tuner', '2026-03-02 10:30:00'),
  (12, 3, 5, 'Re: Scores', 'found them', '2026-03-02 10:31:40');
CREATE TABLE wp_bp_messages_recipients (id integer PRIMARY KEY AUTOINCREMENT, user_id bigint NOT NULL, thread_id bigint NOT NULL, unread_count int NOT NULL DEFAULT 0, sender_only tinyint NOT NULL DEFAULT 0, is_deleted tinyint NOT NULL DEFAULT 0, is_hidden tinyint NOT NULL DEFAULT 0);
INSERT INTO wp_bp_messages_recipients VALUES
  (1, 2, 1, 0, 0, 0, 0),
  (2, 5, 1, 0, 0, 0, 0),
  (3, 7, 1, 1, 0, 0, 0),
  (4, 9, 1, 5, 0, 0, 0),
  (5, 5, 2, 0, 0, 0, 0),
  (6, 2, 2, 1, 0, 0, 0),
  (7, 7, 3, 1, 0, 0, 0),
  (8, 5, 3, 0, 0, 1, 0);
CREATE TABLE wp_bp_messages_meta (id integer PRIMARY KEY AUTOINCREMENT, message_id bigint NOT NULL, meta_key varchar(255), meta_value longtext);
INSERT INTO wp_bp_messages_meta VALUES (1, 4, 'starred_by_user', '2');
CREATE TABLE wp_bp_messages_notices (id integer PRIMARY KEY AUTOINCREMENT, subject varchar(200) NOT NULL, message longtext NOT NULL, date_sent datetime NOT NULL, is_active tinyint NOT NULL DEFAULT 0);
INSERT INTO wp_bp_messages_notices VALUES (1, 'Maintenance', 'The site sleeps on Sunday', '2026-03-01 08:00:00', 1), (2, 'New rooms', 'We have new rooms', '2026-02-01 08:00:00', 0);
CREATE TABLE wp_bp_xprofile_fields (id integer PRIMARY KEY AUTOINCREMENT, group_id bigint NOT NULL, parent_id bigint NOT NULL, type varchar(150) NOT NULL, name varchar(150) NOT NULL, description longtext NOT NULL, is_required tinyint NOT NULL DEFAULT 0, field_order bigint NOT NULL DEFAULT 0);
INSERT INTO wp_bp_xprofile_fields VALUES (1, 1, 0, 'textbox', 'Name', '', 1, 0), (2, 1, 0, 'textbox', 'Voice', '', 0, 1);
CREATE TABLE wp_bp_xprofile_data (id integer PRIMARY KEY AUTOINCREMENT, field_id bigint NOT NULL, user_id bigint NOT NULL, value longtext NOT NULL, last_updated datetime NOT NULL);
INSERT INTO wp_bp_xprofile_data VALUES
  (1, 1, 1, 'Admin', '2026-02-19 22:00:00'),
  (2, 1, 2, 'Ines Igel', '2026-02-19 22:00:00'),
  (3, 2, 2, 'alto', '2026-02-19 22:00:00'),
  (4, 1, 5, 'Jakob Jung', '2026-02-19 22:00:00'),
  (5, 1, 7, 'Kim K.', '2026-02-19 22:00:00'),
  (6, 2, 7, 'bass', '2026-02-19 22:00:00'),
  (7, 1, 9, 'Lars Leer', '2026-02-19 22:00:00');
CREATE TABLE wp_bp_activity (id integer PRIMARY KEY AUTOINCREMENT, user_id bigint NOT NULL, component varchar(75) NOT NULL, type varchar(75) NOT NULL, action text NOT NULL, content longtext NOT NULL, primary_link text NOT NULL, item_id bigint NOT NULL, secondary_item_id bigint, date_recorded datetime NOT NULL, hide_sitewide tinyint DEFAULT 0, mptt_left int NOT NULL DEFAULT 0, mptt_right int NOT NULL DEFAULT 0, is_spam tinyint NOT NULL DEFAULT 0);
INSERT INTO wp_bp_activity VALUES
  (1, 2, 'activity', 'activity_update', '<a href="http://x/ines">Ines Igel</a> posted an update', 'spring concert is sold out', 'http://x/ines', 0, 0, '2026-03-02 06:53:20', 0, 1, 4, 0),
  (2, 5, 'activity', 'activity_comment', '<a href="http://x/j">Jakob Jung</a> posted a new activity comment', 'great news', 'http://x/j', 1, 1, '2026-03-02 06:55:00', 0, 2, 3, 0),
  (3, 7, 'members', 'last_activity', '', '', '', 0, NULL, '2026-03-02 10:30:00', 0, 0, 0, 0);
CREATE TABLE wp_bp_notifications (id integer PRIMARY KEY AUTOINCREMENT, user_id bigint NOT NULL, item_id bigint NOT NULL, secondary_item_id bigint, component_name varchar(75) NOT NULL, component_action varchar(75) NOT NULL, date_notified datetime NOT NULL, is_new tinyint NOT NULL DEFAULT 0);
INSERT INTO wp_bp_notifications VALUES (1, 9, 11, 5, 'messages', 'new_message', '2026-03-02 10:30:00', 1), (2, 2, 10, 5, 'messages', 'new_message', '2026-03-02 10:01:40', 1);
CREATE TABLE wp_comments (comment_ID integer PRIMARY KEY AUTOINCREMENT, comment_post_ID bigint NOT NULL DEFAULT 0, comment_author text NOT NULL, comment_author_email varchar(100) NOT NULL DEFAULT '', comment_date datetime NOT NULL, comment_content text NOT NULL, comment_approved varchar(20) NOT NULL DEFAULT '1', comment_type varchar(20) NOT NULL DEFAULT 'comment', comment_parent bigint NOT NULL DEFAULT 0, user_id bigint NOT NULL DEFAULT 0);
INSERT INTO wp_comments VALUES (1, 1, 'Passer', 'p@example.net', '2026-02-20 08:00:00', 'where can I buy tickets?', '1', 'comment', 0, 0);
CREATE TABLE wp_posts (ID integer PRIMARY KEY AUTOINCREMENT, post_author bigint NOT NULL DEFAULT 0, post_date datetime NOT NULL, post_content longtext NOT NULL, post_title text NOT NULL, post_status varchar(20) NOT NULL DEFAULT 'publish', post_name varchar(200) NOT NULL DEFAULT '', post_type varchar(20) NOT NULL DEFAULT 'post');
INSERT INTO wp_posts VALUES (1, 1, '2026-02-01 08:00:00', 'Tickets are at the door.', 'Concert', 'publish', 'concert', 'post');

CREATE TABLE phpbb_users (user_id integer PRIMARY KEY AUTOINCREMENT, user_type integer NOT NULL DEFAULT 0, group_id integer NOT NULL DEFAULT 3, user_permissions text NOT NULL DEFAULT '', user_ip varchar(40) NOT NULL DEFAULT '', user_regdate integer NOT NULL DEFAULT 0, username varchar(255) NOT NULL DEFAULT '', username_clean varchar(255) NOT NULL DEFAULT '', user_password varchar(255) NOT NULL DEFAULT '', user_email varchar(100) NOT NULL DEFAULT '', user_lastvisit integer NOT NULL DEFAULT 0, user_posts integer NOT NULL DEFAULT 0, user_lang varchar(30) NOT NULL DEFAULT 'en', user_new_privmsg integer NOT NULL DEFAULT 0, user_colour varchar(6) NOT NULL DEFAULT '');
INSERT INTO phpbb_users (user_id, user_type, group_id, user_ip, user_regdate, username, username_clean, user_password, user_email, user_lastvisit, user_posts) VALUES
  (1, 2, 1, '', 1700000000, 'Anonymous', 'anonymous', '', '', 0, 0),
  (2, 3, 5, '10.0.0.1', 1700000000, 'Annegret', 'annegret', '$argon2id$1', 'annegret@example.org', 1772442000, 2),
  (3, 2, 6, '', 1700000000, 'AdsBot [Google]', 'adsbot [google]', '', '', 0, 0),
  (5, 0, 2, '10.0.0.5', 1700000100, 'Bertil', 'bertil', '$argon2id$2', 'bertil@example.org', 1772442000, 1),
  (7, 0, 2, '10.0.0.7', 1700000200, 'Cosima', 'cosima', '$argon2id$3', 'cosima@example.org', 1772442000, 0),
  (8, 0, 2, '10.0.0.8', 1700000300, 'Detlef', 'detlef', '$argon2id$4', 'detlef@example.org', 0, 0);
CREATE TABLE phpbb_privmsgs (msg_id integer PRIMARY KEY AUTOINCREMENT, root_level integer NOT NULL DEFAULT 0, author_id integer NOT NULL DEFAULT 0, icon_id integer NOT NULL DEFAULT 0, author_ip varchar(40) NOT NULL DEFAULT '', message_time integer NOT NULL DEFAULT 0, enable_bbcode integer NOT NULL DEFAULT 1, enable_smilies integer NOT NULL DEFAULT 1, enable_magic_url integer NOT NULL DEFAULT 1, enable_sig integer NOT NULL DEFAULT 1, message_subject varchar(255) NOT NULL DEFAULT '', message_text text NOT NULL DEFAULT '', message_edit_reason varchar(255) NOT NULL DEFAULT '', message_edit_user integer NOT NULL DEFAULT 0, message_attachment integer NOT NULL DEFAULT 0, bbcode_bitfield varchar(255) NOT NULL DEFAULT '', bbcode_uid varchar(8) NOT NULL DEFAULT '', message_edit_time integer NOT NULL DEFAULT 0, message_edit_count integer NOT NULL DEFAULT 0, to_address text NOT NULL DEFAULT '', bcc_address text NOT NULL DEFAULT '', message_reported integer NOT NULL DEFAULT 0);
INSERT INTO phpbb_privmsgs (msg_id, root_level, author_id, author_ip, message_time, message_subject, message_text, message_attachment, bbcode_bitfield, bbcode_uid, to_address) VALUES
  (1, 0, 2, '10.0.0.1', 1772438400, 'Garden', '<t>Shall we dig on Sunday?</t>', 0, '', '3ab1', 'u_5'),
  (2, 1, 5, '10.0.0.5', 1772438460, 'Re: Garden', '<t>Sunday is fine, after ten</t>', 0, '', '8c2d', 'u_2'),
  (3, 0, 2, '10.0.0.1', 1772438520, 'Picnic', '<t>Who brings the blanket?</t>', 0, '', '1e4f', 'u_5:u_7'),
  (4, 3, 7, '10.0.0.7', 1772438580, 'Re: Picnic', '<t>I have a red one</t>', 0, '', '77aa', 'u_2:u_5'),
  (5, 3, 5, '10.0.0.5', 1772438640, 'Re: Picnic', '<t>and I bring the plates</t>', 0, '', '5b6c', 'u_2:u_7'),
  (6, 1, 2, '10.0.0.1', 1772438700, 'Re: Garden', '<t>bring the long spade please</t>', 0, '', '0d9e', 'u_5'),
  (7, 1, 5, '10.0.0.5', 1772438760, 'Re: Garden', '<t>it is in the boot already</t>', 0, '', '6f3a', 'u_2'),
  (8, 0, 7, '10.0.0.7', 1772438820, 'Song', '<t>the song I meant is attached</t>', 1, '', '2c7b', 'u_2'),
  (9, 8, 2, '10.0.0.1', 1772438880, 'Re: Song', '<t>lovely, thank you</t>', 0, '', '9a8d', 'u_7'),
  (10, 3, 2, '10.0.0.1', 1772438940, 'Re: Picnic', '<t>see you all at the lake</t>', 0, '', '4e1c', 'u_5:u_7'),
  (11, 8, 7, '10.0.0.7', 1772439000, 'Re: Song', '<t>there is a second verse as well</t>', 0, '', 'b0b1', 'u_2'),
  (12, 0, 5, '10.0.0.5', 1772439060, 'Keys', '<t>did you find my keys?</t>', 0, '', 'c1c2', 'u_7'),
  (13, 12, 7, '10.0.0.7', 1772439120, 'Re: Keys', '<t>they were under the blanket</t>', 0, '', 'd3d4', 'u_5');
CREATE TABLE phpbb_privmsgs_to (msg_id integer NOT NULL DEFAULT 0, user_id integer NOT NULL DEFAULT 0, author_id integer NOT NULL DEFAULT 0, pm_deleted integer NOT NULL DEFAULT 0, pm_new integer NOT NULL DEFAULT 1, pm_unread integer NOT NULL DEFAULT 1, pm_replied integer NOT NULL DEFAULT 0, pm_marked integer NOT NULL DEFAULT 0, pm_forwarded integer NOT NULL DEFAULT 0, folder_id integer NOT NULL DEFAULT 0);
INSERT INTO phpbb_privmsgs_to (msg_id, user_id, author_id, pm_new, pm_unread, pm_replied, folder_id) VALUES
  (1, 5, 2, 0, 0, 1, 0), (1, 2, 2, 0, 0, 0, -1), (2, 2, 5, 0, 0, 1, 0), (2, 5, 5, 0, 0, 0, -1), (3, 5, 2, 0, 0, 1, 0), (3, 7, 2, 0, 0, 1, 0), (3, 2, 2, 0, 0, 0, -1),
  (4, 2, 7, 0, 0, 0, 0), (4, 5, 7, 0, 0, 0, 0), (4, 7, 7, 0, 0, 0, -1), (5, 2, 5, 0, 0, 1, 0), (5, 7, 5, 0, 0, 0, 0), (5, 5, 5, 0, 0, 0, -1),
  (6, 5, 2, 0, 0, 1, 0), (6, 2, 2, 0, 0, 0, -1), (7, 2, 5, 0, 0, 0, 0), (7, 5, 5, 0, 0, 0, -1), (8, 2, 7, 0, 0, 1, 1), (8, 7, 7, 0, 0, 0, -1), (9, 7, 2, 0, 0, 0, 0), (9, 2, 2, 0, 0, 0, -1),
  (10, 5, 2, 0, 1, 0, 0), (10, 7, 2, 0, 0, 0, 0), (10, 2, 2, 0, 0, 0, -1), (11, 2, 7, 1, 1, 0, -3), (11, 7, 7, 0, 0, 0, -2), (12, 7, 5, 0, 0, 1, 0), (12, 5, 5, 0, 0, 0, -1), (13, 5, 7, 0, 0, 0, 0), (13, 7, 7, 0, 0, 0, -1);
CREATE TABLE phpbb_privmsgs_folder (folder_id integer PRIMARY KEY AUTOINCREMENT, user_id integer NOT NULL DEFAULT 0, folder_name varchar(255) NOT NULL DEFAULT '', pm_count integer NOT NULL DEFAULT 0);
INSERT INTO phpbb_privmsgs_folder VALUES (1, 2, 'Music', 1);
CREATE TABLE phpbb_drafts (draft_id integer PRIMARY KEY AUTOINCREMENT, user_id integer NOT NULL DEFAULT 0, topic_id integer NOT NULL DEFAULT 0, forum_id integer NOT NULL DEFAULT 0, save_time integer NOT NULL DEFAULT 0, draft_subject varchar(255) NOT NULL DEFAULT '', draft_message text NOT NULL DEFAULT '');
INSERT INTO phpbb_drafts VALUES (1, 2, 0, 0, 1772439000, 'Hmm', 'never finished this one');
CREATE TABLE phpbb_attachments (attach_id integer PRIMARY KEY AUTOINCREMENT, post_msg_id integer NOT NULL DEFAULT 0, topic_id integer NOT NULL DEFAULT 0, in_message integer NOT NULL DEFAULT 0, poster_id integer NOT NULL DEFAULT 0, is_orphan integer NOT NULL DEFAULT 1, physical_filename varchar(255) NOT NULL DEFAULT '', real_filename varchar(255) NOT NULL DEFAULT '', download_count integer NOT NULL DEFAULT 0, extension varchar(100) NOT NULL DEFAULT '', mimetype varchar(100) NOT NULL DEFAULT '', filesize integer NOT NULL DEFAULT 0, filetime integer NOT NULL DEFAULT 0);
INSERT INTO phpbb_attachments VALUES (1, 8, 0, 1, 7, 0, '7_c0ffee', 'song.ogg', 2, 'ogg', 'audio/ogg', 20480, 1772438815);
CREATE TABLE phpbb_sessions (session_id char(32) PRIMARY KEY, session_user_id integer NOT NULL, session_start integer NOT NULL, session_ip varchar(40) NOT NULL, session_browser varchar(150) NOT NULL);
INSERT INTO phpbb_sessions VALUES ('0cc175b9c0f1b6a831c399e269772661', 2, 1772442000, '10.0.0.1', 'Firefox');
CREATE TABLE phpbb_posts (post_id integer PRIMARY KEY AUTOINCREMENT, topic_id integer NOT NULL, forum_id integer NOT NULL, poster_id integer NOT NULL, post_time integer NOT NULL, post_username varchar(255) NOT NULL DEFAULT '', post_subject varchar(255) NOT NULL, post_text text NOT NULL, post_visibility integer NOT NULL DEFAULT 1);
INSERT INTO phpbb_posts VALUES (1, 1, 2, 2, 1772430000, '', 'Welcome', '<t>Welcome to the board</t>', 1), (2, 1, 2, 5, 1772430060, '', 'Re: Welcome', '<t>Thanks for having me here</t>', 1);
CREATE TABLE phpbb_topics (topic_id integer PRIMARY KEY AUTOINCREMENT, forum_id integer NOT NULL, topic_title varchar(255) NOT NULL, topic_poster integer NOT NULL, topic_time integer NOT NULL);
INSERT INTO phpbb_topics VALUES (1, 2, 'Welcome', 2, 1772430000);

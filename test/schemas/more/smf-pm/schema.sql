CREATE TABLE smf_members (id_member integer PRIMARY KEY AUTOINCREMENT, member_name varchar(80) NOT NULL DEFAULT '', date_registered integer NOT NULL DEFAULT 0, posts integer NOT NULL DEFAULT 0, id_group integer NOT NULL DEFAULT 0, last_login integer NOT NULL DEFAULT 0, real_name varchar(255) NOT NULL DEFAULT '', instant_messages integer NOT NULL DEFAULT 0, unread_messages integer NOT NULL DEFAULT 0, passwd varchar(64) NOT NULL DEFAULT '', email_address varchar(255) NOT NULL DEFAULT '', personal_text varchar(255) NOT NULL DEFAULT '', is_activated integer NOT NULL DEFAULT 1);
INSERT INTO smf_members VALUES (1, 'ansgar', 1700000000, 1, 1, 1772440000, 'Ansgar', 3, 0, 'x', 'ansgar@example.org', '', 1), (2, 'birte77', 1700000001, 0, 0, 1772440000, 'Birte', 4, 1, 'x', 'birte@example.org', 'Knitting for ever', 1), (4, 'clem', 1700000002, 0, 0, 1772440000, 'Clemens', 3, 0, 'x', 'clem@example.org', '', 1), (9, 'dorit', 1700000003, 0, 0, 0, 'Dorit', 1, 1, 'x', 'dorit@example.org', '', 1);
CREATE TABLE smf_personal_messages (id_pm integer PRIMARY KEY AUTOINCREMENT, id_pm_head integer NOT NULL DEFAULT 0, id_member_from integer NOT NULL DEFAULT 0, deleted_by_sender integer NOT NULL DEFAULT 0, from_name varchar(255) NOT NULL DEFAULT '', msgtime integer NOT NULL DEFAULT 0, subject varchar(255) NOT NULL DEFAULT '', body text NOT NULL);
INSERT INTO smf_personal_messages VALUES
  (1, 1, 1, 0, 'Ansgar', 1772438400, 'Wool', 'Do you still have the grey wool?'),
  (2, 1, 2, 0, 'Birte', 1772438460, 'Re: Wool', 'Two balls of it &quot;mouse&quot;<br />left'),
  (3, 1, 1, 0, 'Ansgar', 1772438520, 'Re: Wool', 'I take both of them'),
  (4, 4, 4, 1, 'Clemens', 1772438580, 'Choir', 'Choir is on Friday this week'),
  (5, 4, 2, 0, 'Birte', 1772438640, 'Re: Choir', 'Then I come by train'),
  (6, 4, 1, 0, 'Ansgar', 1772438700, 'Re: Choir', 'I can pick you up'),
  (7, 7, 2, 0, 'Birte', 1772438760, 'Recipe', 'the recipe with plums, as promised'),
  (8, 7, 4, 0, 'Clemens', 1772438820, 'Re: Recipe', 'it was gone within the hour'),
  (9, 9, 0, 0, 'Guest forum', 1772438880, 'Welcome', 'Welcome, please read the rules'),
  (10, 4, 4, 0, 'Clemens', 1772438940, 'Re: Choir', 'bring the second sheet too'),
  (11, 1, 2, 0, 'Birte', 1772439000, 'Re: Wool', 'they are in the post now'),
  (12, 12, 4, 0, 'Clemens', 1772439060, 'Dates', 'Would Tuesday suit you?'),
  (13, 12, 1, 0, 'Ansgar', 1772439120, 'Re: Dates', 'Tuesday at six is good');
CREATE TABLE smf_pm_recipients (id_pm integer NOT NULL DEFAULT 0, id_member integer NOT NULL DEFAULT 0, bcc integer NOT NULL DEFAULT 0, is_read integer NOT NULL DEFAULT 0, is_new integer NOT NULL DEFAULT 0, deleted integer NOT NULL DEFAULT 0, in_inbox integer NOT NULL DEFAULT 1, PRIMARY KEY (id_pm, id_member));
INSERT INTO smf_pm_recipients VALUES (1, 2, 0, 3, 0, 0, 1), (2, 1, 0, 3, 0, 0, 1), (3, 2, 0, 1, 0, 1, 1), (4, 1, 0, 3, 0, 0, 1), (4, 2, 0, 3, 0, 0, 1), (5, 1, 0, 1, 0, 0, 1), (5, 4, 0, 1, 0, 0, 1), (6, 2, 0, 1, 0, 0, 1), (6, 4, 0, 1, 0, 0, 1), (7, 4, 0, 3, 0, 0, 1), (8, 2, 0, 1, 0, 0, 1), (9, 9, 0, 0, 1, 0, 1), (10, 1, 0, 1, 0, 0, 1), (10, 2, 0, 1, 0, 0, 1), (11, 1, 0, 1, 0, 0, 1), (12, 1, 0, 3, 0, 0, 1), (13, 4, 0, 1, 0, 0, 1);
CREATE TABLE smf_pm_labels (id_label integer PRIMARY KEY AUTOINCREMENT, id_member integer NOT NULL DEFAULT 0, name varchar(30) NOT NULL DEFAULT '');
INSERT INTO smf_pm_labels VALUES (1, 2, 'Kitchen');
CREATE TABLE smf_messages (id_msg integer PRIMARY KEY AUTOINCREMENT, id_topic integer NOT NULL DEFAULT 0, id_board integer NOT NULL DEFAULT 0, poster_time integer NOT NULL DEFAULT 0, id_member integer NOT NULL DEFAULT 0, subject varchar(255) NOT NULL DEFAULT '', poster_name varchar(255) NOT NULL DEFAULT '', poster_email varchar(255) NOT NULL DEFAULT '', body text NOT NULL, approved integer NOT NULL DEFAULT 1);
INSERT INTO smf_messages VALUES (1, 1, 1, 1772430000, 1, 'Hello', 'Ansgar', 'ansgar@example.org', 'a public hello to the board', 1), (2, 1, 1, 1772430060, 2, 'Re: Hello', 'Birte', 'birte@example.org', 'hello from me as well', 1);
CREATE TABLE smf_topics (id_topic integer PRIMARY KEY AUTOINCREMENT, id_board integer NOT NULL, id_first_msg integer NOT NULL, id_last_msg integer NOT NULL, id_member_started integer NOT NULL, num_replies integer NOT NULL);
INSERT INTO smf_topics VALUES (1, 1, 1, 2, 1, 1);
CREATE TABLE smf_log_online (session varchar(128) PRIMARY KEY, log_time integer NOT NULL, id_member integer NOT NULL, url varchar(2048) NOT NULL);
INSERT INTO smf_log_online VALUES ('aa11', 1772439900, 1, '{"action":"pm"}');

CREATE TABLE users (uid integer NOT NULL DEFAULT 0 PRIMARY KEY, name varchar(60) NOT NULL DEFAULT '', pass varchar(128) NOT NULL DEFAULT '', mail varchar(254) DEFAULT '', theme varchar(255) NOT NULL DEFAULT '', signature varchar(255) NOT NULL DEFAULT '', created integer NOT NULL DEFAULT 0, access integer NOT NULL DEFAULT 0, login integer NOT NULL DEFAULT 0, status integer NOT NULL DEFAULT 0, timezone varchar(32), language varchar(12) NOT NULL DEFAULT '');
INSERT INTO users VALUES (0, '', '', '', '', '', 0, 0, 0, 0, NULL, ''), (1, 'root', '$S$D1', 'root@example.org', '', '', 1700000000, 1772430000, 1772430000, 1, 'UTC', ''), (2, 'Agnes', '$S$D2', 'agnes@example.org', '', '', 1700000001, 1772440000, 1772440000, 1, 'UTC', ''), (3, 'Balthasar', '$S$D3', 'balthasar@example.org', '', '', 1700000002, 1772440000, 1772440000, 1, 'UTC', ''), (4, 'Carla', '$S$D4', 'carla@example.org', '', '', 1700000003, 1772440000, 1772440000, 1, 'UTC', ''), (5, 'Silent', '$S$D5', 'silent@example.org', '', '', 1700000004, 0, 0, 1, 'UTC', '');
CREATE TABLE pm_message (mid integer PRIMARY KEY AUTOINCREMENT, author integer NOT NULL, subject varchar(255) NOT NULL, body text NOT NULL, format varchar(255), timestamp integer NOT NULL, has_tokens integer NOT NULL DEFAULT 0);
INSERT INTO pm_message VALUES
  (1, 2, 'Lamp', '<p>Is the lamp back from repair?</p>', 'filtered_html', 1772438400, 0),
  (2, 3, 'Lamp', '<p>Not before <strong>Thursday</strong></p>', 'filtered_html', 1772438460, 0),
  (3, 2, 'Exhibition', '<p>Exhibition plan for May is up</p>', 'filtered_html', 1772438520, 0),
  (4, 4, 'Exhibition', '<p>I would move the oils to room two</p>', 'filtered_html', 1772438580, 0),
  (5, 2, 'Lamp', '<p>then I ask them again</p>', 'filtered_html', 1772438640, 0),
  (6, 4, 'Ladder', '<p>could you lend me the ladder?</p>', 'filtered_html', 1772438700, 0),
  (7, 3, 'Ladder', '<p>it stands behind the shed</p>', 'filtered_html', 1772438760, 0),
  (8, 3, 'Exhibition', '<p>room two is too dark for oils</p>', 'filtered_html', 1772438820, 0),
  (9, 3, 'Lamp', '<p>it shines again since noon</p>', 'filtered_html', 1772438880, 0),
  (10, 4, 'Coat', '<p>your coat is still here</p>', 'filtered_html', 1772438940, 0),
  (11, 2, 'Coat', '<p>I fetch it tomorrow</p>', 'filtered_html', 1772439000, 0),
  (12, 2, 'Exhibition', '<p>so room three it is</p>', 'filtered_html', 1772439060, 0);
CREATE TABLE pm_index (mid integer NOT NULL, thread_id integer NOT NULL, recipient integer NOT NULL, is_new integer NOT NULL, deleted integer NOT NULL DEFAULT 0, type varchar(255) NOT NULL DEFAULT 'user');
CREATE INDEX pm_index_mid ON pm_index (mid);
INSERT INTO pm_index VALUES (1, 1, '2', 0, 0, 'user'), (1, 1, '3', 0, 0, 'user'), (2, 1, '3', 0, 0, 'user'), (2, 1, '2', 0, 1772450000, 'user'), (3, 3, '2', 0, 0, 'user'), (3, 3, '3', 0, 0, 'user'), (3, 3, '4', 0, 0, 'user'), (4, 3, '4', 0, 0, 'user'), (4, 3, '2', 0, 0, 'user'), (4, 3, '3', 0, 0, 'user'), (5, 1, '2', 0, 0, 'user'), (5, 1, '3', 0, 0, 'user'),
  (6, 6, '4', 0, 0, 'user'), (6, 6, '3', 0, 0, 'user'), (7, 6, '3', 0, 0, 'user'), (7, 6, '4', 0, 0, 'user'), (8, 3, '3', 0, 0, 'user'), (8, 3, '2', 0, 0, 'user'), (8, 3, '4', 0, 0, 'user'), (9, 1, '3', 0, 0, 'user'), (9, 1, '2', 0, 0, 'user'), (10, 10, '4', 0, 0, 'user'), (10, 10, '2', 0, 0, 'user'), (11, 10, '2', 0, 0, 'user'), (11, 10, '4', 0, 0, 'user'), (12, 3, '2', 0, 0, 'user'), (12, 3, '3', 1, 0, 'user'), (12, 3, '4', 1, 0, 'user');
CREATE TABLE pm_tags (tag_id integer PRIMARY KEY AUTOINCREMENT, tag varchar(255) NOT NULL, public integer NOT NULL DEFAULT 0, hidden integer NOT NULL DEFAULT 0);
INSERT INTO pm_tags VALUES (1, 'Inbox', 0, 1), (2, 'Sent', 0, 1);
CREATE TABLE pm_tags_index (tag_id integer NOT NULL, uid integer NOT NULL, thread_id integer NOT NULL, PRIMARY KEY (tag_id, uid, thread_id));
INSERT INTO pm_tags_index VALUES (1, 3, 1), (2, 2, 1), (1, 2, 1);
CREATE TABLE pm_setting (type varchar(64) NOT NULL, id integer NOT NULL, setting varchar(255) NOT NULL, value varchar(255) NOT NULL);
INSERT INTO pm_setting VALUES ('user', 5, 'disabled', '1');
CREATE TABLE node (nid integer PRIMARY KEY AUTOINCREMENT, vid integer, type varchar(32) NOT NULL, title varchar(255) NOT NULL, uid integer NOT NULL, status integer NOT NULL, created integer NOT NULL);
INSERT INTO node VALUES (1, 1, 'article', 'Opening hours', 1, 1, 1772400000);
CREATE TABLE comment (cid integer PRIMARY KEY AUTOINCREMENT, pid integer NOT NULL DEFAULT 0, nid integer NOT NULL, uid integer NOT NULL, subject varchar(64) NOT NULL, hostname varchar(128) NOT NULL, created integer NOT NULL, status integer NOT NULL, name varchar(60));
INSERT INTO comment VALUES (1, 0, 1, 2, 'Open on Monday too?', '10.0.0.2', 1772401000, 1, 'Agnes');
CREATE TABLE watchdog (wid integer PRIMARY KEY AUTOINCREMENT, uid integer NOT NULL, type varchar(64) NOT NULL, message text NOT NULL, variables blob NOT NULL, severity integer NOT NULL, location text NOT NULL, hostname varchar(128) NOT NULL, timestamp integer NOT NULL);
INSERT INTO watchdog VALUES (1, 2, 'user', 'Session opened for %name.', 'a:0:{}', 5, 'http://example.org/', '10.0.0.2', 1772437000), (2, 3, 'user', 'Session opened for %name.', 'a:0:{}', 5, 'http://example.org/', '10.0.0.3', 1772437100);

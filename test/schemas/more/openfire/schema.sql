CREATE TABLE ofUser (username varchar(64) NOT NULL PRIMARY KEY, storedKey varchar(32), serverKey varchar(32), salt varchar(32), iterations integer, plainPassword varchar(32), encryptedPassword varchar(255), name varchar(100), email varchar(100), creationDate char(15) NOT NULL, modificationDate char(15) NOT NULL);
INSERT INTO ofUser VALUES
  ('renate', 'k', 'k', 's', 4096, NULL, 'e', 'Renate Rot', NULL, '001700000000000', '001700000000000'),
  ('stefan', 'k', 'k', 's', 4096, NULL, 'e', 'Stefan Stahl', NULL, '001700000000000', '001700000000000'),
  ('tim', 'k', 'k', 's', 4096, NULL, 'e', 'Tim Tau', NULL, '001700000000000', '001700000000000'),
  ('uta', 'k', 'k', 's', 4096, NULL, 'e', 'Uta Ulm', NULL, '001700000000000', '001700000000000');
CREATE TABLE ofMessageArchive (messageID bigint, conversationID bigint NOT NULL, fromJID varchar(1024) NOT NULL, fromJIDResource varchar(1024), toJID varchar(1024) NOT NULL, toJIDResource varchar(1024), sentDate bigint NOT NULL, stanza text, body text, isPMforNickname varchar(255));
INSERT INTO ofMessageArchive VALUES
  (1, 11, 'renate@chat.example.org', 'Spark_1', 'stefan@chat.example.org', NULL, 1772438400017, NULL, 'Is the server room locked?', NULL),
  (2, 11, 'stefan@chat.example.org', 'Spark_2', 'renate@chat.example.org', NULL, 1772438430017, NULL, 'since Friday, why?', NULL),
  (3, 11, 'renate@chat.example.org', 'Spark_0', 'stefan@chat.example.org', NULL, 1772438460017, NULL, 'I need the <red> cable', NULL),
  (4, 12, 'tim@chat.example.org', 'Spark_1', 'ops@conference.chat.example.org', 'tim', 1772442000017, NULL, 'deploy in five', NULL),
  (5, 12, 'renate@chat.example.org', 'Spark_2', 'ops@conference.chat.example.org', 'renate', 1772442030017, NULL, 'ok', NULL),
  (6, 12, 'stefan@chat.example.org', 'Spark_0', 'ops@conference.chat.example.org', 'stefan', 1772442060017, NULL, 'wait for the backup', NULL),
  (7, 13, 'tim@chat.example.org', 'Spark_1', 'stefan@chat.example.org', NULL, 1772443400017, NULL, 'are you at your desk?', NULL),
  (8, 13, 'stefan@chat.example.org', 'Spark_2', 'tim@chat.example.org', NULL, 1772443410017, NULL, 'in a minute', NULL),
  (9, 14, 'renate@chat.example.org', 'Spark_0', 'stefan@chat.example.org', NULL, 1772528400017, NULL, 'cable is back', NULL),
  (10, 14, 'stefan@chat.example.org', 'Spark_1', 'renate@chat.example.org', NULL, 1772528430017, NULL, 'thanks', NULL),
  (11, 12, 'tim@chat.example.org', 'Spark_2', 'ops@conference.chat.example.org', 'tim', 1772444400017, NULL, 'backup done', NULL),
  (12, 13, 'tim@chat.example.org', 'Spark_0', 'stefan@chat.example.org', NULL, 1772443500017, NULL, 'never mind', NULL);
CREATE TABLE ofConversation (conversationID integer NOT NULL PRIMARY KEY, room varchar(1024), isExternal integer NOT NULL, startDate bigint NOT NULL, lastActivity bigint NOT NULL, messageCount integer NOT NULL);
INSERT INTO ofConversation VALUES
  (11, NULL, 0, 1772438400000, 1772438460000, 3),
  (12, 'ops@conference.chat.example.org', 0, 1772442000000, 1772444400000, 4),
  (13, NULL, 0, 1772443400000, 1772443500000, 3),
  (14, NULL, 0, 1772528400000, 1772528430000, 2);
CREATE TABLE ofConParticipant (conversationID integer NOT NULL, joinedDate bigint NOT NULL, leftDate bigint, bareJID varchar(200) NOT NULL, jidResource varchar(100) NOT NULL, nickname varchar(200));
INSERT INTO ofConParticipant VALUES
  (11, 1772438400000, 1772439000000, 'renate@chat.example.org', 'Spark', ''),
  (11, 1772438400000, 1772439000000, 'stefan@chat.example.org', 'Spark', ''),
  (12, 1772442000000, 1772442600000, 'tim@chat.example.org', 'Spark', 'tim'),
  (12, 1772442000000, 1772442600000, 'renate@chat.example.org', 'Spark', 'renate'),
  (12, 1772442000000, 1772442600000, 'stefan@chat.example.org', 'Spark', 'stefan'),
  (12, 1772442000000, 1772442600000, 'uta@chat.example.org', 'Spark', 'uta'),
  (13, 1772443400000, 1772444000000, 'tim@chat.example.org', 'Spark', ''),
  (13, 1772443400000, 1772444000000, 'stefan@chat.example.org', 'Spark', ''),
  (14, 1772528400000, 1772529000000, 'renate@chat.example.org', 'Spark', ''),
  (14, 1772528400000, 1772529000000, 'stefan@chat.example.org', 'Spark', '');
CREATE TABLE ofMucRoom (serviceID integer NOT NULL, roomID integer NOT NULL, creationDate char(15) NOT NULL, modificationDate char(15) NOT NULL, name varchar(50) NOT NULL, naturalName varchar(255) NOT NULL, description varchar(255), lockedDate char(15) NOT NULL, emptyDate char(15), canChangeSubject integer NOT NULL, maxUsers integer NOT NULL, publicRoom integer NOT NULL, membersOnly integer NOT NULL, subject varchar(100), PRIMARY KEY (serviceID, name));
INSERT INTO ofMucRoom VALUES (1, 3, '001700000000000', '001772438400000', 'ops', 'Operations', 'deploys', '000000000000000', NULL, 1, 30, 0, 1, 'this week');
CREATE TABLE ofMucConversationLog (roomID integer NOT NULL, messageID integer NOT NULL, sender text NOT NULL, nickname varchar(255), logTime char(15) NOT NULL, subject varchar(255), body text, stanza text);
INSERT INTO ofMucConversationLog VALUES
  (3, 4, 'tim@chat.example.org', 'tim', '001772442000000', NULL, 'deploy in five', NULL),
  (3, 5, 'renate@chat.example.org', 'renate', '001772442030000', NULL, 'ok', NULL),
  (3, 6, 'stefan@chat.example.org', 'stefan', '001772442060000', NULL, 'wait for the backup', NULL),
  (3, 11, 'tim@chat.example.org', 'tim', '001772444400000', NULL, 'backup done', NULL);
CREATE TABLE ofRoster (rosterID integer NOT NULL PRIMARY KEY, username varchar(64) NOT NULL, jid varchar(1024) NOT NULL, sub integer NOT NULL, ask integer NOT NULL, recv integer NOT NULL, nick varchar(255), stanza text);
INSERT INTO ofRoster VALUES (1, 'renate', 'stefan@chat.example.org', 3, -1, -1, 'Stefan', NULL), (2, 'stefan', 'renate@chat.example.org', 3, -1, -1, 'Reni', NULL);
CREATE TABLE ofOffline (username varchar(64) NOT NULL, messageID integer NOT NULL, creationDate char(15) NOT NULL, messageSize integer NOT NULL, stanza text NOT NULL, PRIMARY KEY (username, messageID));
INSERT INTO ofOffline VALUES ('uta', 40, '001772440000000', 120, '<message to="uta@chat.example.org" from="tim@chat.example.org"><body>call me</body></message>');
CREATE TABLE ofProperty (name varchar(100) NOT NULL PRIMARY KEY, propValue text NOT NULL, encrypted integer, iv char(24));
INSERT INTO ofProperty VALUES ('xmpp.domain', 'chat.example.org', 0, NULL);
CREATE TABLE ofPresence (username varchar(64) NOT NULL PRIMARY KEY, offlinePresence text, offlineDate char(15) NOT NULL);
INSERT INTO ofPresence VALUES ('tim', NULL, '001772450000000');

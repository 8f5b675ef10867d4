CREATE TABLE ow_base_user (id integer PRIMARY KEY AUTOINCREMENT, email varchar(128) NOT NULL UNIQUE, username varchar(32) NOT NULL UNIQUE, password varchar(64) NOT NULL, joinStamp int NOT NULL, activityStamp int NOT NULL, accountType varchar(32) NOT NULL, emailVerify tinyint NOT NULL DEFAULT 1, joinIp int);
INSERT INTO ow_base_user VALUES (1, 'admin@example.org', 'admin', 'x', 1700000000, 0, 'a1', 1, 1), (3, 'alina@example.org', 'alina3', 'x', 1700000000, 0, 'a1', 1, 1), (5, 'chloe@example.org', 'chloe', 'x', 1700000000, 0, 'a1', 1, 1), (8, 'bernd@example.org', 'bernd_b', 'x', 1700000000, 0, 'a1', 1, 1);
CREATE TABLE ow_base_question_data (id integer PRIMARY KEY AUTOINCREMENT, questionName varchar(100) NOT NULL, userId integer NOT NULL, textValue text NOT NULL, intValue int NOT NULL DEFAULT 0, dateValue datetime);
INSERT INTO ow_base_question_data VALUES (1, 'realname', 1, 'Admin', 0, NULL), (2, 'realname', 3, 'Alina', 0, NULL), (3, 'sex', 3, '', 2, NULL), (4, 'realname', 5, 'Chloe', 0, NULL), (5, 'realname', 8, 'Bernd', 0, NULL), (6, 'sex', 8, '', 1, NULL), (7, 'birthdate', 8, '', 0, '1990-01-01 00:00:00');
CREATE TABLE ow_mailbox_conversation (id integer PRIMARY KEY AUTOINCREMENT, initiatorId integer NOT NULL DEFAULT 0, interlocutorId integer NOT NULL DEFAULT 0, subject varchar(100) NOT NULL DEFAULT '', read tinyint NOT NULL DEFAULT 1, deleted tinyint NOT NULL DEFAULT 0, viewed tinyint NOT NULL DEFAULT 1, notificationSent tinyint NOT NULL DEFAULT 0, createStamp integer DEFAULT 0, initiatorDeletedTimestamp integer NOT NULL DEFAULT 0, interlocutorDeletedTimestamp integer NOT NULL DEFAULT 0, lastMessageId integer, lastMessageTimestamp bigint NOT NULL DEFAULT 0);
INSERT INTO ow_mailbox_conversation VALUES (21, 3, 8, 'Bike', 3, 0, 3, 0, 1772438400, 0, 0, 8, 1772438820), (22, 5, 3, 'mailbox_chat_conversation', 3, 0, 3, 0, 1772438500, 0, 0, 9, 1772438880), (23, 8, 5, 'Flat', 1, 0, 3, 0, 1772438700, 0, 0, 10, 1772438940);
CREATE TABLE ow_mailbox_message (id integer PRIMARY KEY AUTOINCREMENT, conversationId integer NOT NULL DEFAULT 0, timeStamp bigint NOT NULL DEFAULT 0, senderId integer NOT NULL DEFAULT 0, recipientId integer NOT NULL DEFAULT 0, text mediumtext NOT NULL, recipientRead tinyint NOT NULL DEFAULT 0, isSystem tinyint NOT NULL DEFAULT 0, wasAuthorized tinyint NOT NULL DEFAULT 0);
INSERT INTO ow_mailbox_message VALUES
  (1, 21, 1772438400, 3, 8, '<p>Is the bike still for sale?</p>', 1, 0, 0),
  (2, 21, 1772438460, 8, 3, '<p>yes, 80 and it is yours</p>', 1, 0, 0),
  (3, 22, 1772438500, 5, 3, '{"entityType":"mailbox","eventName":"renderOembed","params":{"href":"https://example.org"}}', 1, 1, 0),
  (4, 22, 1772438520, 5, 3, 'hi, we met at the market', 1, 0, 0),
  (5, 22, 1772438580, 3, 5, 'at the cheese stand, right?', 1, 0, 0),
  (6, 23, 1772438700, 8, 5, '<p>The room is free from May</p>', 1, 0, 0),
  (7, 23, 1772438760, 5, 8, '<p>can I see it on Friday?</p>', 1, 0, 0),
  (8, 21, 1772438820, 3, 8, '<p>I take it, 80 is fine</p>', 1, 0, 0),
  (9, 22, 1772438880, 5, 3, 'exactly, the old gouda', 1, 0, 0),
  (10, 23, 1772438940, 8, 5, '<p>Friday at five works</p>', 1, 0, 0);
CREATE TABLE ow_mailbox_last_message (id integer PRIMARY KEY AUTOINCREMENT, conversationId integer NOT NULL UNIQUE, initiatorMessageId integer NOT NULL DEFAULT 0, interlocutorMessageId integer NOT NULL DEFAULT 0);
INSERT INTO ow_mailbox_last_message VALUES (1, 21, 8, 2), (2, 22, 9, 5), (3, 23, 10, 7);
CREATE TABLE ow_mailbox_attachment (id integer PRIMARY KEY AUTOINCREMENT, messageId integer NOT NULL, hash varchar(64) NOT NULL, fileName varchar(255) NOT NULL, fileSize integer NOT NULL);
INSERT INTO ow_mailbox_attachment VALUES (1, 6, '5f3759df', 'room.jpg', 1234);
CREATE TABLE ow_base_comment (id integer PRIMARY KEY AUTOINCREMENT, userId integer NOT NULL, commentEntityId integer NOT NULL, message text NOT NULL, createStamp integer NOT NULL, attachment text);
INSERT INTO ow_base_comment VALUES (1, 8, 1, 'what a lovely picture', 1772430000, NULL);

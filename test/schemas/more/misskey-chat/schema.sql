CREATE TABLE "user" (id varchar(32) PRIMARY KEY, "updatedAt" timestamp, username varchar(128) NOT NULL, "usernameLower" varchar(128) NOT NULL, name varchar(128), "followersCount" integer NOT NULL DEFAULT 0, "avatarId" varchar(32), "isBot" boolean NOT NULL DEFAULT 0, host varchar(128), token char(16), "isDeleted" boolean NOT NULL DEFAULT 0);
INSERT INTO "user" VALUES ('a1b2c3d4e5', NULL, 'ada', 'ada', 'Ada', 2, NULL, 0, NULL, 'aaaaaaaaaaaaaaaa', 0), ('a1b2c3d4e6', NULL, 'brix', 'brix', 'Brix', 1, NULL, 0, NULL, 'bbbbbbbbbbbbbbbb', 0), ('a1b2c3d4e7', NULL, 'cleo', 'cleo', 'Cleo', 0, NULL, 0, NULL, 'cccccccccccccccc', 0), ('a1b2c3d4e8', NULL, 'dax', 'dax', NULL, 0, NULL, 0, 'other.example', NULL, 0);
CREATE TABLE user_profile ("userId" varchar(32) PRIMARY KEY REFERENCES "user"(id), location varchar(128), birthday char(10), description varchar(2048), email varchar(128));
INSERT INTO user_profile VALUES ('a1b2c3d4e5', NULL, NULL, 'I photograph the moon', 'ada@example.org'), ('a1b2c3d4e6', NULL, NULL, NULL, NULL);
CREATE TABLE chat_room (id varchar(32) PRIMARY KEY, name varchar(256) NOT NULL, "ownerId" varchar(32) NOT NULL REFERENCES "user"(id), description varchar(2048) NOT NULL DEFAULT '', "isArchived" boolean NOT NULL DEFAULT 0);
INSERT INTO chat_room VALUES ('b7roomx001', 'Moon club', 'a1b2c3d4e7', 'we look up', 0);
CREATE TABLE chat_room_membership (id varchar(32) PRIMARY KEY, "userId" varchar(32) NOT NULL REFERENCES "user"(id), "roomId" varchar(32) NOT NULL REFERENCES chat_room(id), "isMuted" boolean NOT NULL DEFAULT 0);
INSERT INTO chat_room_membership VALUES ('b7memb0001', 'a1b2c3d4e5', 'b7roomx001', 0), ('b7memb0002', 'a1b2c3d4e6', 'b7roomx001', 0), ('b7memb0004', 'a1b2c3d4e8', 'b7roomx001', 1);
CREATE TABLE chat_message (id varchar(32) PRIMARY KEY, "fromUserId" varchar(32) NOT NULL REFERENCES "user"(id), "toUserId" varchar(32) REFERENCES "user"(id), "toRoomId" varchar(32) REFERENCES chat_room(id), text varchar(4096), uri varchar(512), "fileId" varchar(32), reads varchar(32) NOT NULL DEFAULT '[]', reactions varchar(1024) NOT NULL DEFAULT '[]');
INSERT INTO chat_message VALUES
  ('ajcgdfk000', 'a1b2c3d4e5', 'a1b2c3d4e6', NULL, 'the moon looks huge tonight', NULL, NULL, '[]', '[]'),
  ('ajcgeaf401', 'a1b2c3d4e6', 'a1b2c3d4e5', NULL, 'on my way to the roof', NULL, NULL, '[]', '[]'),
  ('ajcgexkg02', 'a1b2c3d4e5', 'a1b2c3d4e6', NULL, 'bring the tripod', NULL, NULL, '[]', '[]'),
  ('ajcghpvk03', 'a1b2c3d4e7', NULL, 'b7roomx001', 'club meeting moved to eight', NULL, NULL, '[]', '[]'),
  ('ajcgj06804', 'a1b2c3d4e5', NULL, 'b7roomx001', 'eight is fine for me', NULL, NULL, '[]', '[]'),
  ('ajcgjv1c05', 'a1b2c3d4e6', NULL, 'b7roomx001', 'me too', NULL, NULL, '[]', '[]'),
  ('ajcgm07406', 'a1b2c3d4e7', 'a1b2c3d4e5', NULL, 'lens is back from repair', NULL, NULL, '[]', '[]'),
  ('ajcgnahs07', 'a1b2c3d4e5', 'a1b2c3d4e7', NULL, 'finally!', NULL, NULL, '[]', '[]'),
  ('ajcgo5cw08', 'a1b2c3d4e6', NULL, 'b7roomx001', 'photo of the moon', NULL, 'file9', '[]', '[]'),
  ('ajcgqaio09', 'a1b2c3d4e6', 'a1b2c3d4e7', NULL, 'may I use the lens?', NULL, NULL, '[]', '[]'),
  ('ajcgr5ds10', 'a1b2c3d4e7', 'a1b2c3d4e6', NULL, 'sure, from Monday on', NULL, NULL, '[]', '[]');
CREATE TABLE drive_file (id varchar(32) PRIMARY KEY, "userId" varchar(32) REFERENCES "user"(id), md5 varchar(32) NOT NULL, name varchar(256) NOT NULL, type varchar(128) NOT NULL, size integer NOT NULL, url varchar(1024) NOT NULL);
INSERT INTO drive_file VALUES ('file9', 'a1b2c3d4e6', 'ffff', 'moon.jpg', 'image/jpeg', 9000, 'https://files.example.org/moon.jpg');
CREATE TABLE note (id varchar(32) PRIMARY KEY, "replyId" varchar(32), text text, "userId" varchar(32) NOT NULL REFERENCES "user"(id), visibility varchar(16) NOT NULL, "visibleUserIds" varchar(32) NOT NULL DEFAULT '[]', "fileIds" varchar(32) NOT NULL DEFAULT '[]');
INSERT INTO note VALUES ('ajcfu54001', NULL, 'good evening everybody out there', 'a1b2c3d4e5', 'public', '[]', '[]'), ('ajcfwa9s01', 'ajcfu54001', 'good evening Ada', 'a1b2c3d4e8', 'public', '[]', '[]');

CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, agent_name VARCHAR(80), agent_mail VARCHAR(120), office VARCHAR(80));
INSERT INTO agents VALUES
 (1,'Kai Lorenz','kai@homes.example','North'),
 (2,'Lena Moor','lena@homes.example','South');
CREATE TABLE seekers (seeker_id INTEGER PRIMARY KEY, display VARCHAR(80), mail VARCHAR(120), joined DATETIME);
INSERT INTO seekers VALUES
 (1,'Momo','momo@mail.example','2026-03-02 00:00:00'),
 (2,'Nick P.','nick@mail.example','2026-03-02 00:00:00'),
 (3,'Olga','olga@mail.example','2026-03-02 00:00:00'),
 (4,'Pepe','pepe@mail.example','2026-03-02 00:00:00');
CREATE TABLE properties (property_id INTEGER PRIMARY KEY, agent_id INTEGER NOT NULL, headline VARCHAR(120), details TEXT, rent INTEGER, listed DATETIME);
INSERT INTO properties VALUES
 (11,1,'Flat by the lake','Two rooms with a view of the lake',900,'2026-03-02 00:00:00'),
 (12,2,'Loft','One large room under the roof',1200,'2026-03-02 00:00:00'),
 (13,1,'House','Three floors and a garden',1500,'2026-03-02 00:00:00'),
 (14,2,'Studio','A small place for one',500,'2026-03-02 00:00:00');
CREATE TABLE inquiries (inquiry_id INTEGER PRIMARY KEY, property_id INTEGER NOT NULL, seeker_id INTEGER NOT NULL, message TEXT NOT NULL, phone VARCHAR(30), status VARCHAR(12), created DATETIME NOT NULL);
INSERT INTO inquiries VALUES
 (1,11,1,'Is the flat still free?',NULL,'open','2026-03-02 08:00:00'),
 (2,13,2,'May I bring a dog?',NULL,'open','2026-03-02 08:30:00'),
 (3,12,3,'How high is the ceiling?',NULL,'open','2026-03-02 09:00:00'),
 (4,14,1,'Is there a lift?',NULL,'open','2026-03-02 10:00:00');
CREATE TABLE inquiry_replies (reply_id INTEGER PRIMARY KEY, inquiry_id INTEGER NOT NULL, agent_id INTEGER, seeker_id INTEGER, message TEXT NOT NULL, created DATETIME NOT NULL);
INSERT INTO inquiry_replies VALUES
 (1,1,1,NULL,'It is, come by','2026-03-02 08:10:00'),
 (2,1,NULL,1,'Tomorrow at ten?','2026-03-02 08:12:00'),
 (3,1,1,NULL,'Ten is good','2026-03-02 08:15:00'),
 (4,2,1,NULL,'A small one','2026-03-02 08:40:00'),
 (5,2,NULL,2,'He is large','2026-03-02 08:41:00'),
 (6,3,2,NULL,'Three metres','2026-03-02 09:10:00'),
 (7,3,NULL,3,'Perfect','2026-03-02 09:11:00'),
 (8,4,2,NULL,'There are stairs only','2026-03-02 10:10:00');
CREATE TABLE viewings (viewing_id INTEGER PRIMARY KEY, property_id INTEGER, seeker_id INTEGER, at DATETIME, remark TEXT);
INSERT INTO viewings VALUES
 (1,11,1,'2026-03-03 10:00:00','bring the keys of the cellar');
CREATE TABLE saved_searches (id INTEGER PRIMARY KEY, seeker_id INTEGER, query TEXT, created DATETIME);
INSERT INTO saved_searches VALUES
 (1,1,'lake 2 rooms up to 1000','2026-03-02 00:00:00');

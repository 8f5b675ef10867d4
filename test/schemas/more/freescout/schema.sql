CREATE TABLE users (id INTEGER PRIMARY KEY, first_name VARCHAR(20) NOT NULL, last_name VARCHAR(30) NOT NULL, email VARCHAR(100) NOT NULL, password VARCHAR(255) NOT NULL, role INTEGER NOT NULL DEFAULT 1, timezone VARCHAR(255) DEFAULT 'UTC', photo_url VARCHAR(255), type INTEGER NOT NULL DEFAULT 1, invite_state INTEGER NOT NULL DEFAULT 1, emails VARCHAR(100), job_title VARCHAR(100), phone VARCHAR(60), remember_token VARCHAR(100), created_at DATETIME, updated_at DATETIME, status INTEGER DEFAULT 1);
INSERT INTO users VALUES
 (1,'Hedi','Voss','hedi@co.example','x',2,'UTC',NULL,1,3,NULL,NULL,NULL,NULL,'2026-03-02 00:00:00','2026-03-02 00:00:00',1),
 (2,'Ilja','Wirt','ilja@co.example','x',1,'UTC',NULL,1,3,NULL,NULL,NULL,NULL,'2026-03-02 00:00:00','2026-03-02 00:00:00',1),
 (3,'Workflow','Robot','robot@co.example','x',1,'UTC',NULL,2,3,NULL,NULL,NULL,NULL,'2026-03-02 00:00:00','2026-03-02 00:00:00',1);
CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name VARCHAR(255), last_name VARCHAR(255), company VARCHAR(255), job_title VARCHAR(255), photo_type INTEGER, photo_url VARCHAR(255), phones TEXT, websites TEXT, country VARCHAR(2), notes TEXT, channel INTEGER, created_at DATETIME, updated_at DATETIME);
INSERT INTO customers VALUES
 (1,'Jana','Xaver',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'pays late, be careful',NULL,'2026-03-02 00:00:00','2026-03-02 00:00:00'),
 (2,'Kuno','Yberg','Yberg Ltd',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-02 00:00:00','2026-03-02 00:00:00'),
 (3,'Lale',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'2026-03-02 00:00:00','2026-03-02 00:00:00');
CREATE TABLE emails (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, email VARCHAR(191) NOT NULL, type INTEGER NOT NULL DEFAULT 1);
INSERT INTO emails VALUES
 (1,1,'jana@mail.example',1),
 (2,2,'kuno@mail.example',1),
 (3,2,'kuno@yberg.example',2),
 (4,3,'lale@mail.example',1);
CREATE TABLE mailboxes (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, email VARCHAR(128) NOT NULL, aliases VARCHAR(255), from_name INTEGER NOT NULL DEFAULT 1, ticket_status INTEGER, signature TEXT, in_password TEXT, created_at DATETIME);
INSERT INTO mailboxes VALUES
 (1,'Help','help@co.example',NULL,1,1,'--<br>Help team','eyJ','2026-03-02 00:00:00'),
 (2,'Billing','bill@co.example',NULL,1,1,'','eyJ','2026-03-02 00:00:00');
CREATE TABLE folders (id INTEGER PRIMARY KEY, mailbox_id INTEGER NOT NULL, user_id INTEGER, type INTEGER NOT NULL, total_count INTEGER, active_count INTEGER);
INSERT INTO folders VALUES
 (1,1,NULL,1,2,1),
 (2,1,NULL,30,0,0),
 (3,2,NULL,1,1,1);
CREATE TABLE conversations (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, threads_count INTEGER NOT NULL DEFAULT 0, type INTEGER NOT NULL, folder_id INTEGER NOT NULL, status INTEGER NOT NULL DEFAULT 1, state INTEGER NOT NULL DEFAULT 2, subject VARCHAR(998), customer_email VARCHAR(191), cc TEXT, bcc TEXT, preview VARCHAR(255) NOT NULL, imported INTEGER NOT NULL DEFAULT 0, has_attachments INTEGER NOT NULL DEFAULT 0, mailbox_id INTEGER NOT NULL, user_id INTEGER, customer_id INTEGER, created_by_user_id INTEGER, created_by_customer_id INTEGER, source_via INTEGER NOT NULL, source_type INTEGER NOT NULL, closed_by_user_id INTEGER, closed_at DATETIME, last_reply_at DATETIME, last_reply_from INTEGER, read_by_user INTEGER DEFAULT 0, created_at DATETIME, updated_at DATETIME);
INSERT INTO conversations VALUES
 (21,1,6,1,1,1,2,'Door code','jana@mail.example',NULL,NULL,'Thank you, it opens',0,1,1,1,1,NULL,1,1,1,NULL,NULL,'2026-03-02 09:00:00',1,1,'2026-03-02 08:00:00','2026-03-02 09:00:00'),
 (22,2,4,1,1,3,2,'Lost parcel','kuno@mail.example',NULL,NULL,'It came',0,0,1,2,2,NULL,2,1,1,2,'2026-03-02 12:00:00','2026-03-02 11:40:00',1,1,'2026-03-02 10:00:00','2026-03-02 12:00:00'),
 (23,3,1,1,3,1,2,'Your invoice','kuno@mail.example',NULL,NULL,'The invoice is open',0,0,2,1,2,1,NULL,2,2,NULL,NULL,'2026-03-02 13:00:00',2,1,'2026-03-02 13:00:00','2026-03-02 13:00:00');
CREATE TABLE threads (id INTEGER PRIMARY KEY, conversation_id INTEGER NOT NULL, user_id INTEGER, type INTEGER NOT NULL, subtype INTEGER, status INTEGER NOT NULL DEFAULT 1, state INTEGER NOT NULL DEFAULT 1, action_type INTEGER, action_data VARCHAR(255), body TEXT, headers TEXT, "from" VARCHAR(191), "to" TEXT, cc TEXT, bcc TEXT, has_attachments INTEGER NOT NULL DEFAULT 0, message_id VARCHAR(998), source_via INTEGER NOT NULL, source_type INTEGER NOT NULL, customer_id INTEGER, created_by_user_id INTEGER, created_by_customer_id INTEGER, edited_by_user_id INTEGER, edited_at DATETIME, body_original TEXT, first INTEGER NOT NULL DEFAULT 0, send_status INTEGER, opened_at DATETIME, created_at DATETIME, updated_at DATETIME);
INSERT INTO threads VALUES
 (201,21,NULL,1,NULL,1,2,NULL,NULL,'<div>Hello, my code does not work</div>',NULL,'jana@mail.example',NULL,NULL,NULL,1,'<m201@co>',1,1,1,NULL,1,NULL,NULL,NULL,1,NULL,NULL,'2026-03-02 08:00:00','2026-03-02 08:00:00'),
 (202,21,1,2,NULL,1,2,NULL,NULL,'<div>Try the one ending in seven</div>',NULL,NULL,'["kuno@mail.example"]',NULL,NULL,0,'<m202@co>',2,1,1,1,NULL,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 08:10:00','2026-03-02 08:10:00'),
 (203,21,1,3,NULL,1,2,NULL,NULL,'<div>she lost two codes already</div>',NULL,NULL,NULL,NULL,NULL,0,'<m203@co>',2,1,1,2,NULL,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 08:20:00','2026-03-02 08:20:00'),
 (204,21,NULL,1,NULL,1,2,NULL,NULL,'<div>Thank you, it opens</div>',NULL,'jana@mail.example',NULL,NULL,NULL,0,'<m204@co>',1,1,1,NULL,1,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 09:00:00','2026-03-02 09:00:00'),
 (205,21,1,4,NULL,1,2,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'<m205@co>',2,1,1,1,NULL,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 08:05:00','2026-03-02 08:05:00'),
 (206,21,1,2,NULL,1,1,NULL,NULL,'<div>Do you still need</div>',NULL,NULL,'["kuno@mail.example"]',NULL,NULL,0,'<m206@co>',2,1,1,1,NULL,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 09:05:00','2026-03-02 09:05:00'),
 (207,22,NULL,1,NULL,1,2,NULL,NULL,'<div>Where is my parcel?</div>',NULL,NULL,NULL,NULL,NULL,0,'<m207@co>',1,1,2,NULL,2,NULL,NULL,NULL,1,NULL,NULL,'2026-03-02 10:00:00','2026-03-02 10:00:00'),
 (208,22,2,2,NULL,1,2,NULL,NULL,'<div>In the depot</div>',NULL,NULL,'["kuno@mail.example"]',NULL,NULL,0,'<m208@co>',2,1,2,2,NULL,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 10:30:00','2026-03-02 10:30:00'),
 (209,22,NULL,1,NULL,1,2,NULL,NULL,'<div>It came</div>',NULL,NULL,NULL,NULL,NULL,0,'<m209@co>',1,1,2,NULL,2,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 11:40:00','2026-03-02 11:40:00'),
 (210,22,2,4,NULL,1,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'<m210@co>',2,1,2,3,NULL,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 12:00:00','2026-03-02 12:00:00'),
 (211,23,1,2,NULL,1,2,NULL,NULL,'<div>The invoice is open</div>',NULL,NULL,'["kuno@mail.example"]',NULL,NULL,0,'<m211@co>',2,1,2,1,NULL,NULL,NULL,NULL,1,NULL,NULL,'2026-03-02 13:00:00','2026-03-02 13:00:00'),
 (212,21,NULL,1,NULL,1,2,NULL,NULL,'<div>I share the flat with Jana</div>',NULL,NULL,NULL,NULL,NULL,0,'<m212@co>',1,1,1,NULL,3,NULL,NULL,NULL,0,NULL,NULL,'2026-03-02 09:02:00','2026-03-02 09:02:00');
CREATE TABLE attachments (id INTEGER PRIMARY KEY, thread_id INTEGER, user_id INTEGER, file_dir VARCHAR(20), file_name VARCHAR(255) NOT NULL, mime_type VARCHAR(127) NOT NULL, type INTEGER NOT NULL, size INTEGER, embedded INTEGER NOT NULL DEFAULT 0);
INSERT INTO attachments VALUES
 (1,201,NULL,'1/2/3/','door.jpg','image/jpeg',1,300,0);
CREATE TABLE send_logs (id INTEGER PRIMARY KEY, thread_id INTEGER, customer_id INTEGER, user_id INTEGER, message_id VARCHAR(998), email VARCHAR(191) NOT NULL, mail_type INTEGER NOT NULL, status INTEGER NOT NULL, status_message VARCHAR(255), created_at DATETIME);
INSERT INTO send_logs VALUES
 (1,202,1,NULL,'<m202@co>','jana@mail.example',1,2,NULL,'2026-03-02 08:10:01'),
 (2,208,2,NULL,'<m208@co>','kuno@mail.example',1,2,'Message was accepted by server','2026-03-02 10:30:01');
CREATE TABLE notifications (id CHAR(36) PRIMARY KEY, type VARCHAR(255) NOT NULL, notifiable_type VARCHAR(255) NOT NULL, notifiable_id INTEGER NOT NULL, data TEXT NOT NULL, read_at DATETIME, created_at DATETIME);
INSERT INTO notifications VALUES
 ('6b2e0000-0000-4000-8000-000000000001','App\Notifications\WebsiteNotification','App\User',1,'{"thread_id": 201}',NULL,'2026-03-02 08:00:00');
CREATE TABLE activity_log (id INTEGER PRIMARY KEY, log_name VARCHAR(191), description TEXT NOT NULL, subject_id INTEGER, subject_type VARCHAR(191), causer_id INTEGER, causer_type VARCHAR(191), properties TEXT, created_at DATETIME);
INSERT INTO activity_log VALUES
 (1,'users','login',NULL,NULL,1,'App\User','{"ip":"10.0.0.1"}','2026-03-02 07:00:00');

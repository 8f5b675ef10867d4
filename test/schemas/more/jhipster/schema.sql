CREATE TABLE jhi_user (id bigint PRIMARY KEY, login varchar(50) NOT NULL UNIQUE, password_hash varchar(60) NOT NULL, first_name varchar(50), last_name varchar(50), email varchar(191) UNIQUE, image_url varchar(256), activated boolean NOT NULL, lang_key varchar(10), created_by varchar(50) NOT NULL, created_date timestamp, last_modified_date timestamp);
INSERT INTO jhi_user VALUES
  (1, 'amalia', '$2a$', 'Amalia', 'Berg', 'amalia@school.example', '', 1, 'en', 'system', '2025-11-18 04:00:00', '2025-11-18 04:00:00'),
  (2, 'boris', '$2a$', 'Boris', 'Clemens', 'boris@school.example', '', 1, 'en', 'system', '2025-11-18 04:00:00', '2025-11-18 04:00:00'),
  (3, 'cleo', '$2a$', 'Cleo', 'Dahl', 'cleo@school.example', '', 1, 'en', 'system', '2025-11-18 04:00:00', '2025-11-18 04:00:00'),
  (4, 'dunja', '$2a$', 'Dunja', 'Ebel', 'dunja@school.example', '', 1, 'en', 'system', '2025-11-18 04:00:00', '2025-11-18 04:00:00'),
  (5, 'admin', '$2a$', 'Administrator', 'Administrator', 'admin@localhost', '', 1, 'en', 'system', '2025-11-18 04:00:00', NULL);
CREATE TABLE jhi_authority (name varchar(50) PRIMARY KEY);
INSERT INTO jhi_authority VALUES ('ROLE_USER'), ('ROLE_ADMIN');
CREATE TABLE jhi_user_authority (user_id bigint NOT NULL REFERENCES jhi_user (id), authority_name varchar(50) NOT NULL REFERENCES jhi_authority (name), PRIMARY KEY (user_id, authority_name));
INSERT INTO jhi_user_authority VALUES
  (1, 'ROLE_USER'),
  (2, 'ROLE_USER'),
  (3, 'ROLE_USER'),
  (4, 'ROLE_USER');
CREATE TABLE person (id bigint PRIMARY KEY, dtype varchar(31) NOT NULL, phone varchar(255), birth_date date, internal_user_id bigint UNIQUE REFERENCES jhi_user (id), school_class_id bigint);
INSERT INTO person VALUES
  (11, 'Teacher', '+49 30 11', NULL, 1, NULL),
  (12, 'Student', '+49 30 12', NULL, 2, 1),
  (13, 'Student', '+49 30 13', NULL, 3, 1),
  (14, 'Guardian', '+49 30 14', NULL, 4, NULL);
CREATE TABLE school_class (id bigint PRIMARY KEY, name varchar(255) NOT NULL);
INSERT INTO school_class VALUES (1, '7b');
CREATE TABLE message (id bigint PRIMARY KEY, dtype varchar(31) NOT NULL, content varchar(4000), sent_at timestamp NOT NULL, is_read boolean, sender_id bigint REFERENCES person (id), recipient_id bigint REFERENCES person (id), school_class_id bigint REFERENCES school_class (id));
INSERT INTO message VALUES
  (1001, 'DM', 'Please bring the signed form', '2026-03-02 08:00:00', 1, 11, 12, NULL),
  (1002, 'DM', 'My mother signed it', '2026-03-02 08:10:00', 1, 12, 11, NULL),
  (1003, 'DM', 'Your poster is great', '2026-03-02 09:00:00', 1, 11, 13, NULL),
  (1004, 'DM', 'thank you!', '2026-03-02 09:01:40', 1, 13, 11, NULL),
  (1005, 'DM', 'Boris is ill today', '2026-03-02 09:23:20', 1, 14, 11, NULL),
  (1006, 'DM', 'get well soon', '2026-03-02 09:26:40', 1, 11, 14, NULL),
  (1007, 'DM', 'what was the homework?', '2026-03-02 09:56:40', 1, 12, 13, NULL),
  (1008, 'DM', 'page 12', '2026-03-02 09:57:40', 1, 13, 12, NULL),
  (1009, 'AN', 'School is closed on Friday', '2026-03-02 10:13:20', 1, 11, NULL, 1),
  (1010, 'DM', 'and the map', '2026-03-02 10:15:00', 1, 13, 12, NULL),
  (1011, 'DM', 'form received', '2026-03-02 10:30:00', 1, 11, 12, NULL),
  (1012, 'DM', 'he is back tomorrow', '2026-03-02 10:31:40', 1, 14, 11, NULL);
CREATE TABLE homework (id bigint PRIMARY KEY, title varchar(255), description varchar(4000), due_date date, created_at timestamp, teacher_id bigint REFERENCES person (id), school_class_id bigint REFERENCES school_class (id));
INSERT INTO homework VALUES (1, 'Map', 'Draw a map of the valley', '2026-03-09', '2026-03-02 07:00:00', 11, 1), (2, 'Poem', 'Learn the poem by heart', '2026-03-10', '2026-03-02 07:10:00', 11, 1);
CREATE TABLE jhi_persistent_audit_event (event_id bigint PRIMARY KEY, principal varchar(50) NOT NULL, event_date timestamp, event_type varchar(255));
INSERT INTO jhi_persistent_audit_event VALUES (1, 'amalia', '2026-03-02 07:55:00', 'AUTHENTICATION_SUCCESS');
CREATE TABLE databasechangelog (id varchar(255) NOT NULL, author varchar(255) NOT NULL, filename varchar(255) NOT NULL, dateexecuted datetime NOT NULL, orderexecuted int NOT NULL, exectype varchar(10) NOT NULL, md5sum varchar(35), description varchar(255), comments varchar(255));
INSERT INTO databasechangelog VALUES ('00000000000001', 'jhipster', 'config/liquibase/changelog/00000000000000_initial_schema.xml', '2025-11-01 08:00:00', 1, 'EXECUTED', '8:b8', 'createTable tableName=jhi_user', '');

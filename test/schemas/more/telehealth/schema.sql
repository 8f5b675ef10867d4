CREATE TABLE doctors (id uuid PRIMARY KEY, title text, given_name text NOT NULL, family_name text NOT NULL, specialty text, licence text, email text, created_at timestamptz);
INSERT INTO doctors VALUES
 ('00000001-7a7a-4b4b-8c8c-000000000001','Dr.','Frida','Ganz','skin','L-1','frida@clinic.example','2026-01-01T00:00:00+00:00'),
 ('00000001-7a7a-4b4b-8c8c-000000000002','Dr.','Gero','Hall','heart','L-2','gero@clinic.example','2026-01-01T00:00:00+00:00');
CREATE TABLE patients (id uuid PRIMARY KEY, given_name text NOT NULL, family_name text NOT NULL, date_of_birth date, insurance_no text, email text, created_at timestamptz);
INSERT INTO patients VALUES
 ('00000002-7a7a-4b4b-8c8c-000000000001','Hilde','Irr','1980-02-02','I1','hilde@mail.example','2026-01-01T00:00:00+00:00'),
 ('00000002-7a7a-4b4b-8c8c-000000000002','Igor','Jahn','1981-02-02','I2','igor@mail.example','2026-01-01T00:00:00+00:00'),
 ('00000002-7a7a-4b4b-8c8c-000000000003','Jutta','Kern','1982-02-02','I3','jutta@mail.example','2026-01-01T00:00:00+00:00');
CREATE TABLE nurses (id uuid PRIMARY KEY, given_name text NOT NULL, family_name text NOT NULL, email text);
INSERT INTO nurses VALUES
 ('00000009-7a7a-4b4b-8c8c-000000000001','Nele','Orth','nele@clinic.example');
CREATE TABLE appointments (id uuid PRIMARY KEY, patient_id uuid NOT NULL REFERENCES patients(id), doctor_id uuid NOT NULL REFERENCES doctors(id), starts_at timestamptz NOT NULL, ends_at timestamptz, status text NOT NULL, reason text, room_url text);
INSERT INTO appointments VALUES
 ('00000003-7a7a-4b4b-8c8c-000000000001','00000002-7a7a-4b4b-8c8c-000000000001','00000001-7a7a-4b4b-8c8c-000000000001','2026-03-02T08:00:00+01:00','2026-03-02T08:20:00+01:00','done','rash on the left arm','https://video.example/1'),
 ('00000003-7a7a-4b4b-8c8c-000000000002','00000002-7a7a-4b4b-8c8c-000000000002','00000001-7a7a-4b4b-8c8c-000000000002','2026-03-02T09:00:00+01:00','2026-03-02T09:20:00+01:00','done','pulse after running','https://video.example/2'),
 ('00000003-7a7a-4b4b-8c8c-000000000003','00000002-7a7a-4b4b-8c8c-000000000001','00000001-7a7a-4b4b-8c8c-000000000002','2026-03-05T09:00:00+01:00',NULL,'booked',NULL,NULL);
CREATE TABLE appointment_messages (id uuid PRIMARY KEY, appointment_id uuid NOT NULL REFERENCES appointments(id), sender_role text NOT NULL, sender_id uuid NOT NULL, body text NOT NULL, audience text NOT NULL DEFAULT 'all', created_at timestamptz NOT NULL, read_at timestamptz);
INSERT INTO appointment_messages VALUES
 ('00000004-7a7a-4b4b-8c8c-000000000001','00000003-7a7a-4b4b-8c8c-000000000001','patient','00000002-7a7a-4b4b-8c8c-000000000001','It itches at night','all','2026-03-02T08:00:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000002','00000003-7a7a-4b4b-8c8c-000000000001','doctor','00000001-7a7a-4b4b-8c8c-000000000001','Please send a picture','all','2026-03-02T08:02:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000003','00000003-7a7a-4b4b-8c8c-000000000001','patient','00000002-7a7a-4b4b-8c8c-000000000001','Here it is','all','2026-03-02T08:04:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000004','00000003-7a7a-4b4b-8c8c-000000000001','doctor','00000001-7a7a-4b4b-8c8c-000000000001','suspect eczema, rule out mites','staff','2026-03-02T08:05:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000005','00000003-7a7a-4b4b-8c8c-000000000001','doctor','00000001-7a7a-4b4b-8c8c-000000000001','Use the cream twice a day','all','2026-03-02T08:06:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000006','00000003-7a7a-4b4b-8c8c-000000000002','doctor','00000001-7a7a-4b4b-8c8c-000000000002','How high was your pulse?','all','2026-03-02T09:00:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000007','00000003-7a7a-4b4b-8c8c-000000000002','patient','00000002-7a7a-4b4b-8c8c-000000000002','One hundred and ninety','all','2026-03-02T09:02:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000008','00000003-7a7a-4b4b-8c8c-000000000002','nurse','00000009-7a7a-4b4b-8c8c-000000000001','called him twice, very nervous','staff','2026-03-02T09:03:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-000000000009','00000003-7a7a-4b4b-8c8c-000000000002','doctor','00000001-7a7a-4b4b-8c8c-000000000002','Do not run this week','all','2026-03-02T09:05:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-00000000000a','00000003-7a7a-4b4b-8c8c-000000000002','patient','00000002-7a7a-4b4b-8c8c-000000000002','I will not','all','2026-03-02T09:06:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-00000000000b','00000003-7a7a-4b4b-8c8c-000000000003','patient','00000002-7a7a-4b4b-8c8c-000000000001','Can we move it to noon?','all','2026-03-02T12:00:00+01:00',NULL),
 ('00000004-7a7a-4b4b-8c8c-00000000000c','00000003-7a7a-4b4b-8c8c-000000000003','nurse','00000009-7a7a-4b4b-8c8c-000000000001','Noon is fine','all','2026-03-02T12:30:00+01:00',NULL);
CREATE TABLE message_attachments (id uuid PRIMARY KEY, message_id uuid NOT NULL REFERENCES appointment_messages(id), object_key text NOT NULL, file_name text, mime text, bytes integer);
INSERT INTO message_attachments VALUES
 ('00000005-7a7a-4b4b-8c8c-000000000001','00000004-7a7a-4b4b-8c8c-000000000003','clinic/a/arm.jpg','arm.jpg','image/jpeg',888);
CREATE TABLE consultation_notes (id uuid PRIMARY KEY, appointment_id uuid NOT NULL REFERENCES appointments(id), doctor_id uuid NOT NULL REFERENCES doctors(id), body text NOT NULL, created_at timestamptz NOT NULL);
INSERT INTO consultation_notes VALUES
 ('00000006-7a7a-4b4b-8c8c-000000000001','00000003-7a7a-4b4b-8c8c-000000000001','00000001-7a7a-4b4b-8c8c-000000000001','Eczema on the left forearm, cream prescribed','2026-03-02T08:30:00+01:00'),
 ('00000006-7a7a-4b4b-8c8c-000000000002','00000003-7a7a-4b4b-8c8c-000000000002','00000001-7a7a-4b4b-8c8c-000000000002','Resting pulse is normal, see again in March','2026-03-02T09:30:00+01:00');
CREATE TABLE prescriptions (id uuid PRIMARY KEY, appointment_id uuid NOT NULL REFERENCES appointments(id), drug text, dose text, issued_at timestamptz);
INSERT INTO prescriptions VALUES
 ('00000007-7a7a-4b4b-8c8c-000000000001','00000003-7a7a-4b4b-8c8c-000000000001','Hydrocortisone','1%','2026-03-02T08:31:00+01:00');

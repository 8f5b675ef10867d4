CREATE TABLE kullanicilar (kullanici_id INTEGER PRIMARY KEY, ad TEXT, soyad TEXT, eposta TEXT, sifre TEXT, kayit_tarihi TEXT);
INSERT INTO kullanicilar VALUES
 (5,'Ayşe','Kaya','ayse@posta.example','x','2026-01-01 00:00:00'),
 (6,'Burak','Demir','burak@posta.example','x','2026-01-01 00:00:00'),
 (7,'Ceren','Ak','ceren@posta.example','x','2026-01-01 00:00:00'),
 (8,'Deniz','Er','deniz@posta.example','x','2026-01-01 00:00:00');
CREATE TABLE sohbetler (sohbet_id INTEGER PRIMARY KEY, baslik TEXT, grup_mu INTEGER, olusturma_tarihi TEXT);
INSERT INTO sohbetler VALUES
 (31,'Piknik',1,'2026-03-02 07:00:00'),
 (32,NULL,0,'2026-03-02 08:00:00'),
 (33,NULL,0,'2026-03-02 09:00:00');
CREATE TABLE sohbet_uyeleri (sohbet_id INTEGER, kullanici_id INTEGER, yonetici INTEGER);
INSERT INTO sohbet_uyeleri VALUES
 (31,5,1),
 (31,6,0),
 (31,7,0),
 (32,5,0),
 (32,6,0),
 (33,6,0),
 (33,7,0);
CREATE TABLE mesajlar (mesaj_id INTEGER PRIMARY KEY, sohbet_id INTEGER, gonderen_id INTEGER, icerik TEXT, gonderim_tarihi TEXT, okundu INTEGER, silindi INTEGER);
INSERT INTO mesajlar VALUES
 (1,31,5,'Cumartesi gidelim mi?','2026-03-02 08:00:00',1,0),
 (2,31,6,'Olur','2026-03-02 08:05:00',1,0),
 (3,31,7,'Ben çay getiririm','2026-03-02 08:06:00',1,0),
 (4,31,5,'Harika','2026-03-02 08:07:00',1,0),
 (5,32,6,'Kitap sende mi?','2026-03-02 09:00:00',1,0),
 (6,32,5,'Evet','2026-03-02 09:01:00',1,0),
 (7,32,6,'yanlış mesaj','2026-03-02 09:02:00',1,1),
 (8,33,7,'Neredesin?','2026-03-02 10:00:00',1,0),
 (9,33,6,'Yoldayım','2026-03-02 10:01:00',1,0),
 (10,33,7,'Tamam','2026-03-02 10:02:00',1,0);
CREATE TABLE bildirimler (id INTEGER PRIMARY KEY, kullanici_id INTEGER, metin TEXT, tarih TEXT);
INSERT INTO bildirimler VALUES
 (1,5,'Burak size bir mesaj gönderdi','2026-03-02 08:05:01'),
 (2,6,'Ayşe size bir mesaj gönderdi','2026-03-02 08:07:01');

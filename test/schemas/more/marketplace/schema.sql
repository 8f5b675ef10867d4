CREATE TABLE customers (id bigint PRIMARY KEY, email varchar(255) NOT NULL, firstname varchar(60), lastname varchar(60), password_digest varchar(255), created_at datetime);
INSERT INTO customers VALUES
 (5001,'ada@mail.example','Ada','Berg','x','2026-03-02 00:00:00'),
 (5002,'ben@mail.example','Ben','Claus','x','2026-03-02 00:00:00'),
 (5003,'cia@mail.example','Cia','Dahl','x','2026-03-02 00:00:00');
CREATE TABLE shops (id bigint PRIMARY KEY, slug varchar(80) NOT NULL, title varchar(120) NOT NULL, owner_email varchar(255), vat_no varchar(20), opened_at datetime);
INSERT INTO shops VALUES
 (701,'wool-and-more','Wool & More','shop1@mail.example','DE1','2026-03-02 00:00:00'),
 (702,'clay','Clay Corner','shop2@mail.example','DE2','2026-03-02 00:00:00');
CREATE TABLE products (id bigint PRIMARY KEY, shop_id bigint NOT NULL, name varchar(120), description text, price numeric, created_at datetime);
INSERT INTO products VALUES
 (1,701,'Scarf','A warm scarf made of wool',30,'2026-03-02 00:00:00'),
 (2,702,'Bowl','A bowl that holds a litre',25,'2026-03-02 00:00:00'),
 (3,702,'Cup','A cup without a handle',12,'2026-03-02 00:00:00');
CREATE TABLE orders (id bigint PRIMARY KEY, number varchar(20) NOT NULL, buyer_id bigint NOT NULL, shop_id bigint NOT NULL, product_id bigint NOT NULL, state varchar(20) NOT NULL, total numeric, note text, placed_at datetime NOT NULL);
INSERT INTO orders VALUES
 (80001,'M-1001',5001,701,1,'shipped',30,'please wrap it','2026-03-02 07:00:00'),
 (80002,'M-1002',5002,702,2,'shipped',25,NULL,'2026-03-02 08:00:00'),
 (80003,'M-1003',5001,702,3,'open',12,NULL,'2026-03-03 08:00:00'),
 (80004,'M-1004',5003,701,1,'open',30,NULL,'2026-03-03 09:00:00');
CREATE TABLE order_messages (id bigint PRIMARY KEY, order_id bigint NOT NULL, sender varchar(10) NOT NULL, message text NOT NULL, seen boolean NOT NULL DEFAULT 0, created_at datetime NOT NULL);
INSERT INTO order_messages VALUES
 (1,80001,'buyer','Can you wrap it in blue?',1,'2026-03-02 08:00:00'),
 (2,80001,'shop','With pleasure',1,'2026-03-02 08:05:00'),
 (3,80001,'shop','It leaves today',1,'2026-03-02 08:06:00'),
 (4,80001,'buyer','Lovely',1,'2026-03-02 08:10:00'),
 (5,80002,'buyer','Is the bowl fit for ovens?',1,'2026-03-02 09:00:00'),
 (6,80002,'shop','Up to 200 degrees',1,'2026-03-02 09:05:00'),
 (7,80002,'buyer','Good',1,'2026-03-02 09:06:00'),
 (8,80003,'shop','The cup is late, sorry',1,'2026-03-02 10:00:00'),
 (9,80003,'buyer','No hurry',1,'2026-03-02 10:30:00'),
 (10,80003,'shop','Thanks',1,'2026-03-02 10:31:00'),
 (11,80001,'system','Order was shipped',1,'2026-03-02 09:30:00');
CREATE TABLE reviews (id bigint PRIMARY KEY, order_id bigint NOT NULL, customer_id bigint NOT NULL, stars int, comment text, created_at datetime);
INSERT INTO reviews VALUES
 (1,80001,5001,5,'The scarf is very soft','2026-03-05 08:00:00'),
 (2,80002,5002,4,'The bowl is a bit small','2026-03-05 09:00:00');

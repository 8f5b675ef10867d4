-- What is looked up again and again, and was found by going through all of it.

-- What later runs sent than the last one that was verified.
CREATE INDEX batch_run ON batch (run);
-- What was found in a conversation, when it is read again.
CREATE INDEX difference_conversation ON difference (conversation);
-- Whom a message at a destination speaks of.
CREATE INDEX person_uid ON person (uid);

-- People whose uid others have as well.

-- 1: a hash of the id stands behind the uid that the mapping makes; 0: a plan was made with the uid as it is. NULL: neither yet.
ALTER TABLE person ADD COLUMN has_hash INTEGER;
UPDATE person SET has_hash = 0;

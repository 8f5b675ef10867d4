-- Taking back, and what a destination was found to hold.

-- After an undo the destination may still know the earlier muid: the next delivery there is of another generation, with a muid of its own.
ALTER TABLE delivery ADD COLUMN generation INTEGER NOT NULL DEFAULT 1;
ALTER TABLE delivery ADD COLUMN muid TEXT;   -- where the generation is not 1
CREATE INDEX delivery_muid ON delivery (destination, muid) WHERE muid IS NOT NULL;

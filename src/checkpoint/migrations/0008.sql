-- A destination that applies requests late.

-- When reading back found messages twice there: a request may be applied long after its answer. NULL: it never did.
ALTER TABLE destination ADD COLUMN copies_found_at INTEGER;

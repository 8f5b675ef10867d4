-- A unit is a whole export: `part` and `parts` stay empty, `export` is the id again, and nothing is written to ferry.name_taken any more. The columns and
-- the table stay, so that workers of the version before can go on during an update.
ALTER TABLE ferry.unit ADD CONSTRAINT unit_is_whole CHECK (parts IS NULL);

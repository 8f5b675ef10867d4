-- Words that users see: totals; invalid and duplicate rows, existing, failed and unconfirmed messages.
ALTER TABLE ferry.unit RENAME COLUMN books TO totals;

CREATE FUNCTION ferry.renamed(counts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE RETURN
  replace(replace(replace(replace(replace(replace(replace(counts::text,
    '"rejected":', '"invalid":'), '"refused":', '"failed":'), '"present":', '"existing":'), '"inDoubt":', '"unconfirmed":'),
    '"repeated":', '"duplicates":'), '"left":', '"remaining":'), '"brought":', '"added":')::jsonb;
UPDATE ferry.unit SET totals = ferry.renamed(totals), progress = ferry.renamed(progress) WHERE totals IS NOT NULL OR progress IS NOT NULL;
UPDATE ferry.turn SET result = ferry.renamed(result) WHERE result IS NOT NULL;
DROP FUNCTION ferry.renamed(jsonb);

-- Options of a job: their names and values of before.
CREATE FUNCTION ferry.renamed(config text) RETURNS text LANGUAGE sql IMMUTABLE RETURN
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(config,
    '"exportKeeps": "recent"', '"exportScope": "window"'), '"exportKeeps": "everything"', '"exportScope": "full"'),
    '"late": "send"', '"outOfOrder": "warn"'), '"late": "refuse"', '"outOfOrder": "reject"'), '"late": "allow"', '"outOfOrder": "allow"'),
    '"details": "until-known"', '"sendProfiles": "first"'), '"details": "always"', '"sendProfiles": "always"'),
    '"details": "never"', '"sendProfiles": "never"'), '"grace":', '"gracePeriod":'), '"maxRefused":', '"maxFailures":'),
    '"notePeople":', '"trackUsers":'), '"acceptMapping":', '"allowMappingChange":'), '"toMedia":', '"mediaTo":'),
    '"mediaAddress":', '"mediaBaseUrl":');
UPDATE ferry.unit SET config = ferry.renamed(config::text)::jsonb;
DROP FUNCTION ferry.renamed(text);

-- The profile of the hosted service has its name of today.
UPDATE ferry.unit SET config = replace(replace(config::text, '"profile": "public"', '"profile": "hosted"'), '"rehearseFor": "public"', '"rehearseFor": "hosted"')::jsonb;

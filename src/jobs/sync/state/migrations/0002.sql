-- Words that users see: what a run added, what remains; invalid rows, existing, failed and unconfirmed messages.
UPDATE job_run SET result = replace(replace(replace(replace(replace(replace(result,
  '"rejected":', '"invalid":'), '"refused":', '"failed":'), '"present":', '"existing":'), '"inDoubt":', '"unconfirmed":'),
  '"left":', '"remaining":'), '"brought":', '"added":');

-- The profile of the hosted service has its name of today.
UPDATE destination SET profile = 'hosted' WHERE profile = 'public';
UPDATE run SET profile = 'hosted' WHERE profile = 'public';
UPDATE meta SET value = 'hosted' WHERE key = 'profile' AND value = 'public';

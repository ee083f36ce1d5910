-- How a person likes the console in an organization: language, theme, density, time zone, first page. The names are those of the API; one
-- that is missing was never chosen.
alter table users add column preferences jsonb not null default '{}';
alter table users add constraint users_preferences_check
  check (jsonb_typeof(preferences) = 'object' and octet_length(preferences::text) <= 1000);

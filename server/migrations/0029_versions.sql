-- What partners keep up to date has a version, which rises by one with every change of its content, together with updated_at. A
-- writer names the version that it has seen, and is refused when somebody else was faster. Certificates have had one all along.

alter table products add column version integer not null default 1;
alter table products add constraint products_version_check check (version >= 1);
alter table partners add column version integer not null default 1;
alter table partners add constraint partners_version_check check (version >= 1);
alter table warehouses add column version integer not null default 1;
alter table warehouses add constraint warehouses_version_check check (version >= 1);
alter table monitoring_points add column version integer not null default 1;
alter table monitoring_points add constraint monitoring_points_version_check check (version >= 1);
alter table api_keys add column version integer not null default 1;
alter table api_keys add constraint api_keys_version_check check (version >= 1);
alter table oauth_clients add column version integer not null default 1;
alter table oauth_clients add constraint oauth_clients_version_check check (version >= 1);

grant update (version) on api_keys to {{app}};
grant update (version) on oauth_clients to {{app}};

-- One person, one account: password, second factor and recovery codes are the person's own. `users` stays as the membership
-- in an organization.

-- Like set_org, for the account that a transaction acts for.
create function set_account(email text) returns void language plpgsql as $$
begin
  execute format('set local app.account = %L', email);
end
$$;

create table accounts (
  email text primary key check (email !~ '[A-Z]'),
  password_hash text,
  -- Sealed for the account; the next one counts once its first code was given. No code works twice.
  totp_sealed text,
  totp_next_sealed text,
  totp_confirmed_at timestamptz,
  totp_last_step bigint,
  -- Where seals made before accounts existed are bound to. SQL cannot seal again: `lotward secrets reseal` does.
  sealed_for_org text,
  sealed_for_user text,
  -- Goes up with every change of password or factor: what was begun under an earlier one has ended, in every organization.
  generation bigint not null default 1,
  last_org_id text,
  created_at timestamptz not null,
  second_factor boolean not null generated always as (totp_confirmed_at is not null) stored,
  totp_seal text generated always as (split_part(totp_sealed, '.', 1) || '.' || split_part(totp_sealed, '.', 2)) stored,
  totp_next_seal text
    generated always as (split_part(totp_next_sealed, '.', 1) || '.' || split_part(totp_next_sealed, '.', 2)) stored,
  constraint accounts_totp_check check ((totp_confirmed_at is null) = (totp_sealed is null)),
  constraint accounts_sealed_for_check check ((sealed_for_org is null) = (sealed_for_user is null)),
  constraint accounts_factor_key unique (email, second_factor)
);

create table account_recovery_codes (
  email text not null references accounts on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (email, code_hash)
);

-- Finds the organizations of a person, in the transaction that changes `users`. An invitation needs no account, so that it
-- reserves nothing. An active membership has one, whose second factor it shows to the organization.
create table account_memberships (
  email text not null,
  org_id text collate "C" not null,
  user_id text collate "C" not null,
  status text not null check (status in ('invited', 'active')),
  second_factor boolean,
  primary key (email, org_id),
  constraint account_memberships_user_key unique (org_id, user_id),
  constraint account_memberships_active_check check ((status = 'active') = (second_factor is not null)),
  constraint account_memberships_account_fkey foreign key (email, second_factor)
    references accounts (email, second_factor) on update cascade
);

insert into accounts (email, password_hash, totp_sealed, totp_next_sealed, totp_confirmed_at, totp_last_step,
  sealed_for_org, sealed_for_user, last_org_id, created_at)
select email, password_hash, totp_sealed, totp_next_sealed, totp_confirmed_at, totp_last_step,
  case when num_nonnulls(totp_sealed, totp_next_sealed) > 0 then org_id end,
  case when num_nonnulls(totp_sealed, totp_next_sealed) > 0 then user_id end,
  org_id, created_at
from users where status = 'active';
insert into account_recovery_codes (email, code_hash, used_at)
select u.email, c.code_hash, c.used_at
from recovery_codes c join users u on u.org_id = c.org_id and u.user_id = c.user_id where u.status = 'active';
insert into account_memberships (email, org_id, user_id, status, second_factor)
select email, org_id, user_id, status, case when status = 'active' then totp_confirmed_at is not null end
from users where status in ('invited', 'active');

drop table recovery_codes;
drop table user_directory;
alter table users
  drop column totp_seal,
  drop column totp_next_seal,
  drop column password_hash,
  drop column totp_sealed,
  drop column totp_next_sealed,
  drop column totp_confirmed_at,
  drop column totp_last_step;

-- What exists was begun under the first generation.
alter table sessions add column generation bigint not null default 1;
alter table sessions alter column generation drop default;
alter table user_tokens add column generation bigint;
update user_tokens set generation = 1 where purpose = 'reset';
alter table user_tokens drop constraint user_tokens_purpose_check;
alter table user_tokens
  add constraint user_tokens_purpose_check check (purpose in ('invitation', 'reset', 'factor')),
  add constraint user_tokens_generation_check check ((purpose = 'invitation') = (generation is null));
-- Null until the person's consent is settled.
alter table oauth_artifacts add column generation bigint;
update oauth_artifacts set generation = 1 where model = 'Grant';

-- The app reads and writes only the account that the transaction acts for.
alter table accounts enable row level security;
alter table account_recovery_codes enable row level security;
alter table account_memberships enable row level security;
create policy own_account on accounts to {{app}} using (email = nullif(current_setting('app.account', true), ''));
create policy own_account on account_recovery_codes to {{app}}
  using (email = nullif(current_setting('app.account', true), ''));
create policy own_account on account_memberships for select to {{app}}
  using (email = nullif(current_setting('app.account', true), ''));
create policy of_organization on account_memberships to {{app}}
  using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert, update, delete on accounts to {{app}};
grant select, insert, delete on account_recovery_codes to {{app}};
grant update (used_at) on account_recovery_codes to {{app}};
grant select, insert, delete on account_memberships to {{app}};
grant update (status, second_factor) on account_memberships to {{app}};
grant update (generation) on sessions to {{app}};

-- Sessions and tokens are compared with the generation of the account; nothing else of it is read.
create policy read_named on accounts for select to {{reader}} using (true);
create policy read_named on account_memberships for select to {{reader}} using (true);
grant select (email, generation, last_org_id) on accounts to {{reader}};
grant select on account_memberships to {{reader}};
grant select (generation, user_id) on oauth_artifacts to {{reader}};
create policy find_work on accounts for select to {{worker}} using (true);
grant select (email, generation, totp_seal, totp_next_seal) on accounts to {{worker}};

-- What a person is called, given by themselves; empty while they have given nothing. A membership shows it to its organization, like the
-- second factor: the foreign key keeps both as the account has them, and would not follow a null.
alter table accounts add column name text not null default '';
alter table accounts add constraint accounts_name_check
  check (char_length(name) <= 100 and name !~ '[\x01-\x1f\x7f]' and name !~ '^\s|\s$');
alter table accounts add constraint accounts_shown_key unique (email, second_factor, name);
alter table account_memberships add column name text not null default '';
alter table account_memberships drop constraint account_memberships_account_fkey;
alter table account_memberships add constraint account_memberships_account_fkey foreign key (email, second_factor, name)
  references accounts (email, second_factor, name) on update cascade;
alter table accounts drop constraint accounts_factor_key;
grant update (name) on account_memberships to {{app}};

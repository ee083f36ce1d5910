-- Sandboxes: organizations for tests, with their own data and a clock of days that can be moved ahead.

-- A sandbox is an organization, so everything that keeps organizations apart holds for it. Only a sandbox has a clock; ten years are the most.
alter table organizations add column sandbox_of text collate "C";
alter table organizations add column days_ahead integer not null default 0;
alter table organizations add constraint organizations_clock_check
  check (days_ahead between 0 and 3660 and (days_ahead = 0 or sandbox_of is not null));
alter table organizations add constraint organizations_sandbox_check check (sandbox_of <> org_id);

-- The sandboxes that an organization opened: its own rows, which say nothing of what is in a sandbox. `sandbox_id` is the organization of
-- the sandbox, which may be on another node.
create table sandboxes (
  org_id text collate "C" not null references organizations,
  sandbox_id text collate "C" not null,
  code text not null,
  name text not null,
  data text not null check (data in ('catalogue', 'demo', 'empty')),
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('deleted', 'unused')),
  primary key (org_id, sandbox_id),
  check ((ended_at is null) = (end_reason is null))
);
create index sandboxes_updated on sandboxes (org_id, updated_at, sandbox_id);

alter table sandboxes enable row level security;
create policy tenant on sandboxes to {{app}} using (org_id = nullif(current_setting('app.org', true), ''));
grant select, insert on sandboxes to {{app}};
grant update (updated_at, ended_at, end_reason) on sandboxes to {{app}};

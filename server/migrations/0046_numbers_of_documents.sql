-- Numbers that people can read to each other: a dispatch counts within its order, a disposition within its organization. Empty in rows of a
-- version that does not know them and still runs during an upgrade.
alter table dispatches add column number integer;
alter table dispatches add constraint dispatches_number_check check (number > 0);
update dispatches d set number = n.number
from (select org_id, dispatch_id, row_number() over (partition by org_id, order_id order by dispatch_id) as number from dispatches) n
where n.org_id = d.org_id and n.dispatch_id = d.dispatch_id;
create unique index dispatches_number_key on dispatches (org_id, order_id, number);
drop index dispatches_order;
alter table dispositions add column number integer;
alter table dispositions add constraint dispositions_number_check check (number > 0);
update dispositions d set number = n.number
from (select org_id, disposition_id, row_number() over (partition by org_id order by disposition_id) as number from dispositions) n
where n.org_id = d.org_id and n.disposition_id = d.disposition_id;
create unique index dispositions_number_key on dispositions (org_id, number);

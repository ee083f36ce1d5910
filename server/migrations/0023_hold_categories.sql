-- Who may release a hold follows from its category. Holds that people put on before were released by the warehouse, so they are
-- logistics holds; every other category is the source.
alter table holds add column category text;
update holds set category = case source when 'manual' then 'logistics' else source end;
alter table holds alter column category set not null;
alter table holds add constraint holds_category_check
  check (category in ('logistics', 'quality', 'return', 'unmatched_return', 'environment', 'recall'));
-- Only people choose between the first two; what else puts a hold on is its category.
alter table holds add constraint holds_category_source_check
  check (category = source or (source = 'manual' and category in ('logistics', 'quality')));

-- Goods on hold are moved together with their hold. `split_from`: of a hold that covers the part that was moved, the hold of the rest.
alter table holds add column split_from text collate "C";
alter table holds add constraint holds_split_from_fkey foreign key (org_id, split_from) references holds (org_id, hold_id);
-- `hold_id`: of a transfer, the hold under which the goods arrived.
alter table movements add column hold_id text collate "C";
create index movements_held on movements (org_id, product_code, batch_no) where hold_id is not null;

-- The batches in stock, in the order in which they are listed.
create index balances_stocked on balances (org_id, product_code, batch_no) where quantity > 0;

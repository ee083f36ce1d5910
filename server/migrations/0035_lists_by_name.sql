-- Lists of products and partners in the order of their names.
create index products_by_name on products (org_id, product_name, product_code);
create index partners_by_name on partners (org_id, name, code);

-- A distributed database takes the number of a mark on the coordinator, in the name of the role that writes it.
grant usage on sequence stock_change_marks_mark_id_seq, search_marks_mark_id_seq to {{app}};

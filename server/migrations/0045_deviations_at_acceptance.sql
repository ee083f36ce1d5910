-- Why goods are accepted although they came outside their conditions. Until now the console wrote this into reject_reason, where it stays.
alter table receipt_lines add column deviation_reason text;

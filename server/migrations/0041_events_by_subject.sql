-- Events about one record, newest first. Only numbered events are in it: the write that publishes an event does not pay for it, the worker
-- that numbers it does.
create index events_entity on events (org_id, entity_id, position) where position is not null;

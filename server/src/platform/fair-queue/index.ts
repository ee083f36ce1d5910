export { FairQueue, type FairQueueLimits, QueueFull, WaitedTooLong } from './fair-queue.js';
export { RecentOwners } from './recent-owners.js';

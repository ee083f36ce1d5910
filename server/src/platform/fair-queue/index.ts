export { FairQueue, type FairQueueLimits, QueueFull, WaitedTooLong } from './fair-queue.js';

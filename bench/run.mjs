import { inventory } from './inventory/question.mjs';
const quick = process.argv.includes('--quick');
const pace = quick ? { rounds: 3, roundMs: 1000, warmUpMs: 1000 } : { rounds: 7, roundMs: 1000, warmUpMs: 2000 };
console.log(await inventory({ pace, say: (x) => console.log(new Date().toISOString().slice(14,19), x) }));

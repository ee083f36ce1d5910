export * from './acting.js';
export * from './keyboard.js';
export * from './looks.js';
export * from './translation.js';
export * from './visit.js';
export * from './world.js';

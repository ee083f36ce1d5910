// Hashes and compares passwords in a thread of its own, so that guesses by the thousand do not take the processors from requests.
import argon2 from '@node-rs/argon2';
import { answerWith } from './background-thread.mjs';

answerWith(({ password, hash, cost }) =>
  hash === undefined ? argon2.hashSync(password, cost) : argon2.verifySync(hash, password),
);

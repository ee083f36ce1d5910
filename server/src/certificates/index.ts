export { certificateProblems, requireCertificatesInForce, type Subject } from './gate.js';

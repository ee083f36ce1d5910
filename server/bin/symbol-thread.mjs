// Draws symbols in a thread of its own: a large one takes tens of milliseconds, in which the server could answer nobody.
import { parentPort } from 'node:worker_threads';
import { code128, datamatrix, drawingSVG } from 'bwip-js/node';

const BAR_HEIGHT_MM = 12;

parentPort.on('message', ({ text, shape }) => {
  const options = { text, parsefnc: true, scale: 2 };
  try {
    const svg =
      shape === 'matrix'
        ? datamatrix({ bcid: 'datamatrix', ...options }, drawingSVG())
        : code128({ bcid: 'code128', ...options, height: BAR_HEIGHT_MM }, drawingSVG());
    parentPort.postMessage({ svg });
  } catch (error) {
    parentPort.postMessage({ failure: String(error) });
  }
});
